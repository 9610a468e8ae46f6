package sheet

import (
	"slices"
	"testing"
)

// Columns that are empty in all of a text, in front of the table, are none; one that has a value somewhere is.
func TestEmptyColumnsInFrontOfATable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content string
		want    []string
	}{
		"one":                {",id,name\n,1,x\n,2,y\n,3,z\n,4,w\n", []string{"header 1: id|name", "row 2: 1|x", "row 3: 2|y", "row 4: 3|z", "row 5: 4|w"}},
		"two, below a title": {"Report,,,\n,,id,name\n,,1,x\n,,2,y\n,,3,z\n,,4\n", []string{"skip 1:", "header 2: id|name", "row 3: 1|x", "row 4: 2|y", "row 5: 3|z", "reject 6: 4 !missing_cell 2 name"}},
		"with a section":     {",id,name\n,1,x\n,2,y\nNorth,,\n,3,z\n,4,w\n", []string{"header 1: |id|name", "row 2: |1|x", "row 3: |2|y", "row 4: North||", "row 5: |3|z", "row 6: |4|w"}},
	} {
		if got := read(t, c.content, Options{}, DefaultLimits()); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}
