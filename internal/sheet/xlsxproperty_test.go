package sheet

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// P5: whatever references rows and cells have, no value is lost or doubled, and a row's number is its own. What stands below the table is
// skipped, and what stands beside it is counted.
func TestNoValueIsLost(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		sheet, values := oddRows(rt)
		content := pack(t, parts(sheet, nil))
		found := map[string]int{}
		rows := map[int64]bool{}
		var read *Sheet
		err := eachRecord(t.Context(), []byte(content), Options{Header: new(0), Skip: new(0)}, DefaultLimits(), func(s *Sheet, rec *Record) {
			read = s
			texts := string(rec.Raw)
			if rec.Kind == Row {
				if rows[rec.No] {
					rt.Errorf("there are two rows %d", rec.No)
				}
				rows[rec.No] = true
			}
			if rec.Kind != Reject {
				for _, cell := range rec.Cells {
					texts += string(cell) + "\t"
				}
			}
			for value := range strings.FieldsSeq(texts) {
				found[value]++
			}
		})
		if err != nil {
			rt.Fatal(err)
		}
		missing := int64(0)
		for i := range values {
			switch value := fmt.Sprintf("v%d", i); found[value] {
			case 0:
				missing++
			case 1:
			default:
				rt.Fatalf("%s was found %d times in %s", value, found[value], sheet)
			}
		}
		if beside := cellsBeside(read); missing > beside { // that of a rejected row is found, too
			rt.Fatalf("%d values were not found, and %d stand beside the table, in %s", missing, beside, sheet)
		}
	})
}

// cellsBeside counts the cells beside the table of a sheet, which may be nil.
func cellsBeside(s *Sheet) (n int64) {
	if s == nil {
		return 0
	}
	for _, w := range s.Warnings() {
		if w.Code == BesideTable {
			n += w.Count
		}
	}
	return n
}

// oddRows writes rows whose cells hold v0, v1 and so on, under references that are right, wrong, doubled or missing.
func oddRows(t *rapid.T) (sheet string, values int) {
	var b strings.Builder
	for range rapid.IntRange(0, 8).Draw(t, "rows") {
		no := rapid.IntRange(1, 6).Draw(t, "row")
		fmt.Fprintf(&b, "<row%s>", rapid.SampledFrom([]string{"", fmt.Sprintf(` r="%d"`, no), fmt.Sprintf(` r="%d"`, no), ` r="x"`, ` r="90"`}).Draw(t, "number"))
		for range rapid.IntRange(0, 5).Draw(t, "cells") {
			column := rapid.SampledFrom([]string{"A", "B", "C", "E", "ZZ"}).Draw(t, "column")
			ref := rapid.SampledFrom([]string{"", fmt.Sprintf(` r="%s%d"`, column, no), fmt.Sprintf(` r="%s%d"`, column, no), ` r="A99"`, ` r="??"`}).Draw(t, "reference")
			fmt.Fprintf(&b, `<c%s t="str"><v>v%d</v></c>`, ref, values)
			values++
		}
		b.WriteString("</row>")
	}
	return b.String(), values
}
