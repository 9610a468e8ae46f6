package house

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// The table of packages in ARCHITECTURE.md, from which readers learn who may import whom, says what the plan says.
// Every part of the plan has a row there, or is in a folder that has one.
func TestArchitectureShowsThePlan(t *testing.T) {
	t.Parallel()
	rows := packageRows(t)
	for _, p := range plan {
		want := strings.ReplaceAll(strings.Join(p.ours, ", "), "internal/", "")
		if got, found := rows[p.folder]; found && got != want {
			t.Errorf("ARCHITECTURE.md: %s may import %q, the plan says %q", p.folder, got, want)
		}
		described := func(folder string) bool { return within(p.folder, folder) }
		if !slices.ContainsFunc(slices.Collect(maps.Keys(rows)), described) {
			t.Errorf("ARCHITECTURE.md has no row for %s", p.folder)
		}
	}
	for folder, imports := range rows {
		if _, ok := find(plan, folder); !ok && imports != "" {
			t.Errorf("ARCHITECTURE.md says what %s may import, and the plan does not have it", folder)
		}
	}
}

// packageRows returns the table of packages: what a folder may import, by the folder.
func packageRows(t *testing.T) map[string]string {
	t.Helper()
	_, table, found := strings.Cut(read(t, "ARCHITECTURE.md"), "| folder | what | may import |\n|---|---|---|\n")
	if !found {
		t.Fatal("ARCHITECTURE.md has no table of packages")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	rows := map[string]string{}
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 {
			t.Fatalf("not a row of three cells: %s", line)
		}
		rows[strings.Trim(cells[1], " `/")] = strings.TrimSpace(cells[3])
	}
	return rows
}
