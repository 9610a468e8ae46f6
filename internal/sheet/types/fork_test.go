package types_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"sheetdrop/internal/sheet/types"
)

// P6: a table that was observed in two places at once has the reports of one that was observed from its first row to its last.
func TestForkedTableHasTheSameReports(t *testing.T) {
	t.Parallel()
	joined, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		parts := make([][]string, 3) // before the fork, until its rows begin, and its rows
		usual := rapid.SliceOfN(cellOf(), 1, 3).Draw(t, "usual")
		for i := range parts {
			cell := rapid.SampledFrom(usual)
			parts[i] = append(parts[i], rapid.SliceOfN(cellOf(), 0, 2).Draw(t, "others")...)
			parts[i] = append(parts[i], rapid.SliceOfN(cell, 0, 12).Draw(t, "cells")...)
			// So many that candidates are given up and values go the fast way.
			times := rapid.SampledFrom([]int{1, 1, 300}).Draw(t, "times")
			for n := len(parts[i]); times > 1; times-- {
				parts[i] = append(parts[i], parts[i][:n]...)
			}
		}
		whole, first := types.NewTable(1), types.NewTable(1)
		row := int64(0)
		addTo := func(cells []string, from int64, tables ...*types.Table) {
			for i, cell := range cells {
				for _, table := range tables {
					table.Add(from+int64(i), [][]byte{[]byte(cell)})
				}
			}
		}
		addTo(parts[0], row, whole, first)
		row += int64(len(parts[0]))
		fork := first.Fork()
		addTo(parts[2], row, fork)
		addTo(parts[1], row, whole, first)
		between := int64(len(parts[1]))
		addTo(parts[2], row+between, whole)
		if !first.Join(fork, between) {
			refused++
			addTo(parts[2], row+between, first)
		} else {
			joined++
		}
		if got, want := first.Reports(), whole.Reports(); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v\n%+v", got, want)
		}
	})
	if joined < refused {
		t.Errorf("%d forks were joined, %d could not be", joined, refused)
	}
}
