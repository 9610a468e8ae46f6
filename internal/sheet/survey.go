package sheet

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// Survey is what a sheet has besides its columns and warnings.
type Survey struct {
	Rows, Rejected, Skipped int64
	Rejects                 []Record // the first ones

	keep int
}

// Survey reads the sheet to its end, for a caller that is not interested in its rows: it counts the records and keeps so many rejects. A
// large text is read in several places at once, with the same result. The error is that of Read, other than io.EOF.
func (s *Sheet) Survey(rejects int) (Survey, error) {
	v := Survey{keep: rejects}
	if s.err != nil {
		return v, notEOF(s.err)
	}
	err := s.surveyHead(&v)
	if err == nil {
		err = s.surveySegments(&v)
	}
	return v, notEOF(s.close(err))
}

func notEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// surveyHead reads the records after which the rest is worth to be split, or all.
func (s *Sheet) surveyHead(v *Survey) error {
	head := s.segments.head()
	for {
		rec, err := s.next()
		if err != nil {
			return err
		}
		v.add(rec)
		if rec.Offset >= head && s.table != nil {
			return nil
		}
	}
}

// surveyRest reads the records up to the segment that follows, or to the end.
func (s *Sheet) surveyRest(v *Survey) error {
	for {
		rec, err := s.next()
		if err != nil {
			return err
		}
		v.add(rec)
	}
}

func (v *Survey) add(rec *Record) {
	switch rec.Kind {
	case Row:
		v.Rows++
	case Reject:
		if v.Rejected++; len(v.Rejects) < v.keep {
			v.Rejects = append(v.Rejects, rec.clone())
		}
	case Skip:
		v.Skipped++
	}
}

// join adds what follows, whose records and lines have numbers that are too low by so many.
func (v *Survey) join(other Survey, recordsBefore, linesBefore int64) {
	v.Rows += other.Rows
	v.Rejected += other.Rejected
	v.Skipped += other.Skipped
	for _, rec := range other.Rejects[:min(len(other.Rejects), v.keep-len(v.Rejects))] {
		rec.No += recordsBefore
		rec.Line += linesBefore
		v.Rejects = append(v.Rejects, rec)
	}
}

func (r *Record) clone() Record {
	c := *r
	c.Cells, c.Errors, c.Raw = slices.Clone(r.Cells), slices.Clone(r.Errors), bytes.Clone(r.Raw)
	for i, cell := range c.Cells {
		c.Cells[i] = bytes.Clone(cell)
	}
	return c
}
