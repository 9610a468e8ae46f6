package container

import (
	"errors"
	"io"
	"slices"

	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/xlsx/xmlscan"
)

// Tables are those of a document, of which any can be read. Those in order are read in one pass.
type Tables struct {
	Open   func() (*Document, error) // starts reading the document
	Name   string                    // of a table's element
	Around []string                  // the names of the elements that tables stand in
	doc    *Document
	at     int          // the number of the table that began last in doc
	leave  func() error // goes to the end of the table that is being read; nil if none is
}

// Begin goes to the start of the table with that number, from 1, to be read from the document. leave goes to its end; once the table was
// read to its end, End is called.
func (t *Tables) Begin(number int, leave func() error) (doc *Document, err error) {
	if t.leave != nil {
		if err := t.leave(); err != nil {
			return nil, err
		}
	}
	if t.doc == nil || number <= t.at {
		if t.doc, err = t.Open(); err != nil {
			return nil, err
		}
		t.at = 0
	}
	for t.at < number {
		if err := t.next(t.at+1 < number); err != nil {
			return nil, t.doc.Fault(err)
		}
	}
	t.leave = leave
	return t.doc, nil
}

// End is called at the end of the table that was begun.
func (t *Tables) End() { t.leave = nil }

// next goes to the start of the next table and, if it is not wanted, to its end.
func (t *Tables) next(skip bool) error {
	for {
		kind, err := t.doc.Next()
		switch name := string(t.doc.Name()); {
		case errors.Is(err, io.EOF):
			return grid.Damaged("it has fewer sheets than before")
		case err != nil:
			return err
		case kind != xmlscan.Start || slices.Contains(t.Around, name):
			continue
		case name == t.Name:
			if t.at++; !skip {
				return nil
			}
			return t.doc.Skip()
		}
		if err := t.doc.Skip(); err != nil {
			return err
		}
	}
}
