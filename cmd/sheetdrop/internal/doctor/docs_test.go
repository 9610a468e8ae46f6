package doctor

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the table of the documentation")

// Whoever reads an id in the report finds it in the documentation: the table there is that of the code.
func TestChecksAreDocumented(t *testing.T) {
	t.Parallel()
	page := filepath.Join("..", "..", "..", "..", "docs", "doctor.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	table.WriteString("| check | what it answers | needs |\n|---|---|---|\n")
	for _, c := range Checks {
		needs := ""
		for i, id := range c.needs {
			needs += []string{"", ", "}[min(i, 1)] + "`" + id + "`"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", c.ID, c.Question, needs)
	}
	const begin, end = "<!-- checks -->\n", "<!-- end -->\n"
	before, rest, _ := strings.Cut(string(text), begin)
	_, after, found := strings.Cut(rest, end)
	wanted := before + begin + table.String() + end + after
	if *update {
		if err := os.WriteFile(page, []byte(wanted), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !found || string(text) != wanted {
		t.Error("docs/doctor.md has another table of checks: go test ./cmd/sheetdrop/internal/doctor -run TestChecksAreDocumented -update")
	}
	for id, threshold := range map[string]time.Duration{
		"the timer has not done its work for | | 5 min": Usual().Timer - 5*time.Minute, "a message in the queue was not received for | | 15 min": Usual().QueueAge - 15*time.Minute,
		"two clocks differ by more than | 30 s | 5 min": Usual().ClockProblem - 5*time.Minute, "a task waits for | 1 h | |": Usual().PendingTask - time.Hour,
	} {
		if threshold != 0 || !strings.Contains(wanted, id) {
			t.Errorf("docs/doctor.md does not have the threshold %q of the code", id)
		}
	}
}

// Each check has an id of its own, and needs only what was checked before.
func TestChecksAreInOrder(t *testing.T) {
	t.Parallel()
	before := map[string]bool{}
	for _, c := range Checks {
		for _, need := range c.needs {
			if !before[need] {
				t.Errorf("%s needs %s, which is not made before it", c.ID, need)
			}
		}
		if before[c.ID] || c.Question == "" || c.run == nil {
			t.Errorf("%+v", c)
		}
		before[c.ID] = true
	}
}
