package sheet

import (
	"slices"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/xlsx"
)

// Warning is about cells that were read, but may not mean what their writer intended.
type Warning struct {
	Code  Code     `json:"code"`
	Count int64    `json:"count"` // number of cells
	Refs  []string `json:"refs"`  // references of the first ones

	Encodings []string `json:"encodings,omitempty"` // of UncertainEncoding: the one that they were read in, and the next best
}

// maxRefs is the maximum number of cells that a Warning names.
const maxRefs = 5

// warnings collects a sheet's warnings, in the order of the first of each kind.
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

// Warnings returns the warnings about the records read so far.
func (s *Sheet) Warnings() []Warning {
	if s.records == nil {
		return nil
	}
	return slices.Concat(s.labels.list, s.records.warnings())
}

// doubt notes a cell whose text depends on an encoding that is uncertain.
func (f *csvFile) doubt(column int) {
	if f.enc.Confidence < leastCertainty && f.enc.Encoding != charset.UTF8 {
		f.warned.add(UncertainEncoding, f.no, column)
	}
}

// warnings returns what is worth a look: what was read in an encoding that is uncertain, and formulas that were read as their text.
func (f *csvFile) warnings() []Warning {
	for i := range f.warned.list {
		if w := &f.warned.list[i]; w.Code == UncertainEncoding {
			w.Encodings = []string{f.enc.Encoding.Name()}
			if f.enc.Rival != nil {
				w.Encodings = append(w.Encodings, f.enc.Rival.Name())
			}
		}
	}
	return f.warned.list
}
