package dialect

import (
	"bytes"
	"errors"
	"io"

	"sheetdrop/internal/sheet/csv"
)

// priors weigh delimiters by how plausible they are without evidence: text is full of spaces and colons.
var priors = map[string]float64{
	",": 1, ";": 1, "\t": 1, "|": goodPrior, "\x1f": goodPrior, "\x01": goodPrior, ":": colonPrior, " ": spacePrior,
}

func prior(delimiter string) float64 {
	if p, ok := priors[delimiter]; ok {
		return p
	}
	if len(delimiter) > 1 {
		return goodPrior
	}
	return otherPrior
}

// isDoubtful reports whether text is full of the delimiter, as it is of spaces and colons.
func isDoubtful(delimiter string) bool { return prior(delimiter) < doubtfulPrior }

// score returns how well the dialect fits the pieces.
func score(texts []piece, d Dialect, absent map[Dialect]tally) Scored {
	t := readAs(texts, d, absent)
	s := Scored{Dialect: d, records: t.records, broken: t.broken}
	s.width, s.Consistency = t.best()
	s.Types = 1
	if n := t.widths[s.width]; n != nil && n.cells > 0 {
		s.Types, s.values = n.value/float64(n.cells), float64(n.typed)/float64(n.cells)
		s.misquoted = float64(n.misquoted+t.broken) / float64(n.cells)
		if t.records < Evidence { // too few to judge by anything except wrong quotes
			s.Types = 1 - float64(n.misquoted)/float64(n.cells)
			if n := count(texts, d.Delimiter); !d.SkipSpace && n > 1 && n == count(texts, d.Delimiter+" ") {
				s.Types *= spaceFirstFactor
			}
		}
	}
	if n := t.widths[1]; n != nil {
		s.single = n.value / float64(t.records)
	}
	s.inRuns = Share(t.inRuns, t.records)
	s.Score = s.Consistency * s.Types * prior(d.Delimiter)
	if s.firstDiffers = t.first != s.width; s.firstDiffers {
		s.Score *= firstDiffers // unless a preamble precedes it
		if isDoubtful(d.Delimiter) {
			s.Score *= doubtfulFirstDiffers
		}
	}
	return s
}

// readAs reads the pieces in the dialect d.
func readAs(texts []piece, d Dialect, absent map[Dialect]tally) tally {
	others := d
	others.Delimiter = ""
	isAbsent := count(texts, d.Delimiter) == 0
	if t, known := absent[others]; known && isAbsent {
		return t
	}
	t := tally{widths: map[int]*widthTally{}}
	sc := d.Scanner(texts[0].Text, recordBytes)
	for _, p := range texts {
		sc.Use(p.Text)
		t.read(p, d, sc)
	}
	if isAbsent {
		absent[others] = t
	}
	return t
}

// tally is what a dialect makes of the pieces.
type tally struct {
	records int
	broken  int // records that cannot be split, or contain parts of others
	prose   int // records at the start that are not split, like those of a preamble
	first   int // the width of the first record
	inRuns  int // records that are split, and stand among enough others of the same width
	widths  map[int]*widthTally
}

// widthTally is about the records of one width.
type widthTally struct {
	records, cells int
	value          float64 // of the cells
	typed          int     // cells that are numbers, dates and times
	misquoted      int
}

func (t *tally) read(p piece, d Dialect, sc *csv.Scanner) {
	var last *widthTally // the current record, which counts only once it is known not to be the last
	var pending widthTally
	var runs run
	settle := func() {
		if last != nil {
			last.records += pending.records
			last.cells += pending.cells
			last.value += pending.value
			last.typed += pending.typed
			last.misquoted += pending.misquoted
			t.records++
			if t.widths[1] == last && t.records == t.prose+1 {
				t.prose++
			}
		}
	}
	for first := true; ; first = false {
		rec, err := sc.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if first && p.open || IsBlank(rec) {
			continue
		}
		settle()
		last = nil
		if rec.Fault != csv.NoFault || d.swallowed(rec) {
			t.records++
			t.broken++
			continue
		}
		if t.first == 0 {
			t.first = rec.Width
		}
		t.inRuns += runs.add(rec.Width)
		w := t.widths[rec.Width]
		if w == nil {
			w = &widthTally{}
			t.widths[rec.Width] = w
		}
		last, pending = w, widthTally{records: 1}
		for _, f := range rec.Fields[:min(len(rec.Fields), scoredCells)] {
			v, sign := d.value(rec.Raw, f)
			pending.cells++
			pending.value += v
			switch sign {
			case isValue:
				pending.typed++
			case isMisquoted:
				pending.misquoted++
			}
		}
	}
	if !p.cut || t.records == 0 {
		settle()
	}
}

// run counts records of one width that follow each other.
type run struct{ width, records int }

// add adds a record, and returns how many more records stand in runs of several columns that are long enough: a header and a row are, if
// they have more commas than prose.
func (r *run) add(width int) int {
	if width != r.width {
		*r = run{width: width}
	}
	enough := Evidence
	if width > proseCommas+1 {
		enough = Narrow
	}
	r.records++
	switch {
	case width == 1 || r.records < enough:
		return 0
	case r.records == enough:
		return enough
	}
	return 1
}

// best returns the width that speaks most for the dialect.
func (t *tally) best() (width int, share float64) {
	for w, n := range t.widths {
		records := t.records
		if w > 1 && t.prose > shortPreamble {
			records -= (t.prose - shortPreamble) * longPreambleDiscount / 100
		}
		s := float64(n.records) / float64(records) * regularity(w)
		if s > share || s == share && w > width {
			width, share = w, s
		}
	}
	return width, share
}

// regularity is low for one column, which every wrong delimiter results in.
func regularity(width int) float64 {
	if width == 1 {
		return oneColumn
	}
	return float64(width-1) / float64(width)
}

// swallowed reports whether a field contains what looks like part of another record, as between two stray quotes.
func (d Dialect) swallowed(rec *csv.Record) bool {
	if bytes.IndexByte(rec.Raw, '\n') < 0 && bytes.IndexByte(rec.Raw, '\r') < 0 {
		return false
	}
	for _, f := range rec.Fields {
		cell := rec.Raw[f.Start:f.End]
		if bytes.ContainsAny(cell, "\r\n") && bytes.Count(cell, []byte(d.Delimiter)) >= max(swallowedDelimiters, rec.Width-1) {
			return true
		}
	}
	return false
}

// IsBlank reports whether the record has nothing but white space.
func IsBlank(r *csv.Record) bool {
	return r.Width <= 1 && r.Fault == csv.NoFault && len(bytes.Trim(r.Raw, " \t\f")) == 0
}
