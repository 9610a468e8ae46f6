package task_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"sheetdrop/internal/task"
)

// Whoever has a file that was not loaded is told what to do, in both languages, whatever its code.
func TestEveryFailureHasAdvice(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, files, _ := strings.Cut(string(text), "\n## Files\n")
	files, _, _ = strings.Cut(files, "\n## Requests")
	found := regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(files, -1)
	if len(found) < 30 {
		t.Fatalf("the page lists only %q", found)
	}
	for _, row := range found {
		english, japanese := task.Failure{Code: task.FailureCode(row[1])}.Advice()
		if !strings.HasSuffix(english, ".") || !strings.HasSuffix(japanese, "。") {
			t.Errorf("%s: %q, %q", row[1], english, japanese)
		}
	}
}
