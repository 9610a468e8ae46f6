package task_test

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"sheetdrop/internal/task"
)

var update = flag.Bool("update", false, "write the advice into docs/errors.md")

const errorsPage = "../../docs/errors.md"

// failureRow is a line of the page's tables of files and tasks: a code, and what it means.
var failureRow = regexp.MustCompile("(?m)^(\\| `([a-z_]+)` \\|[^|\n]*\\|).*$")

// Whoever has a file that was not loaded is told what to do, in both languages, whatever its code; and docs/errors.md says the same.
func TestEveryFailureHasAdvice(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(errorsPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(page), "\n## Files\n")
	failures, after, _ := strings.Cut(rest, "\n## Requests")
	rows := 0
	want := failureRow.ReplaceAllStringFunc(failures, func(row string) string {
		rows++
		parts := failureRow.FindStringSubmatch(row)
		english, japanese := task.Failure{Code: task.FailureCode(parts[2])}.Advice()
		if !strings.HasSuffix(english, ".") || !strings.HasSuffix(japanese, "。") {
			t.Errorf("%s: %q, %q", parts[2], english, japanese)
		}
		return parts[1] + " " + english + " |"
	})
	switch {
	case rows < 30:
		t.Fatalf("the page lists only %d codes", rows)
	case want == failures:
	case *update:
		if err := os.WriteFile(errorsPage, []byte(before+"\n## Files\n"+want+"\n## Requests"+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("docs/errors.md does not say what advice.go does: write it with -update")
	}
}
