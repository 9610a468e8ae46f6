package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// tutorialParts are commands (indented), statements, and what a command prints, in the order of the page.
var tutorialParts = regexp.MustCompile("(?m)(?:^    .*\n)+|^```sql\n(?:.*\n)*?```$|^```\n(?:.*\n)*?```$")

// Who follows the tutorial sees what it says: each command and each statement does what the page shows, in its order.
func TestTutorial(t *testing.T) {
	t.Parallel()
	l := runLocal(t) // it makes roles, which belong to the whole server
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "tutorial.md"))
	if err != nil {
		t.Fatal(err)
	}
	r := newReader(t, l.url)
	commands, statements, output := 0, 0, ""
	for _, part := range tutorialParts.FindAllString(string(text), -1) {
		switch {
		case strings.HasPrefix(part, "```sql\n"):
			statements += followSQL(t, l.database, strings.TrimSuffix(strings.TrimPrefix(part, "```sql\n"), "```"))
		case strings.HasPrefix(part, "```\n"):
			for line := range strings.Lines(strings.TrimSuffix(strings.TrimPrefix(part, "```\n"), "```")) {
				if line = strings.TrimRight(line, "\n"); line != "…" && !strings.Contains(output, line) {
					t.Errorf("the command does not print %q, but\n%s", line, output)
				}
			}
		default:
			commands++
			block := strings.ReplaceAll(strings.TrimPrefix(part, "    "), "\n    ", "\n")
			if output, err = r.types(t, block, r.folder); err != nil {
				t.Fatalf("%v\n%s\n%s", err, block, output)
			}
		}
	}
	if commands != 19 || statements != 16 { // else the search for them is broken
		t.Errorf("the tutorial has %d blocks of commands and %d statements", commands, statements)
	}
}

// followSQL runs the statements of a block and returns how many there are. What stands behind one as a comment is its first row.
func followSQL(t *testing.T, db *pgx.Conn, block string) (count int) {
	t.Helper()
	for line := range strings.Lines(block) {
		statement, want, isQuery := strings.Cut(strings.TrimSpace(line), " -- ")
		count++
		if !isQuery {
			if _, err := db.Exec(t.Context(), statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
			continue
		}
		rows, err := db.Query(t.Context(), statement, pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
		var got []string
		for rows.Next() && got == nil {
			for _, value := range rows.RawValues() {
				got = append(got, string(value))
			}
		}
		rows.Close()
		if shown := strings.Join(got, " | "); rows.Err() != nil || shown != want {
			t.Errorf("%s is %s (%v), want %s", statement, shown, rows.Err(), want)
		}
	}
	return count
}
