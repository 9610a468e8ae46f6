package sheet

import (
	"slices"

	"sheetdrop/internal/sheet/xlsx"
)

// Warning tells of cells that were read all the same, but perhaps not as their writer meant.
type Warning struct {
	Code  Code     `json:"code"`
	Count int64    `json:"count"` // of the cells
	Refs  []string `json:"refs"`  // of the first ones
}

// maxRefs is how many cells a Warning names.
const maxRefs = 5

// warnings are what a sheet's cells gave reason for, in the order of the first of each kind.
type warnings struct{ list []Warning }

func (w *warnings) add(code Code, row int64, column int) {
	i := slices.IndexFunc(w.list, func(known Warning) bool { return known.Code == code })
	if i < 0 {
		i = len(w.list)
		w.list = append(w.list, Warning{Code: code})
	}
	known := &w.list[i]
	if known.Count++; known.Count <= maxRefs {
		known.Refs = append(known.Refs, xlsx.Reference(column, row))
	}
}

// Warnings returns what there is to be told of the records read so far.
func (s *Sheet) Warnings() []Warning {
	if s.records == nil {
		return nil
	}
	return slices.Concat(s.labels.list, s.records.warnings())
}

// warnings: whatever a text holds is what it means.
func (f *csvFile) warnings() []Warning { return nil }
