package sheet_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"sheetdrop/internal/sheet"
)

// The lines of a golden file: the file, its sheet, each record, and what came of them.
type (
	printedFile struct {
		Type     string `json:"type"`
		Format   string `json:"format"`
		Encoding string `json:"encoding"`
		Bytes    int    `json:"bytes"`
	}
	printedSheet struct {
		Type    string        `json:"type"`
		Sheet   int           `json:"sheet"`
		Name    string        `json:"name"`
		Visible bool          `json:"visible"`
		Dialect sheet.Dialect `json:"dialect"`
		Columns []string      `json:"columns"`
	}
	printedRecord struct {
		Type   string         `json:"type"`
		Sheet  int            `json:"sheet"`
		Row    int64          `json:"row"`
		Line   int64          `json:"line"`
		Offset int64          `json:"offset"`
		Kind   string         `json:"kind"`
		Cells  []*string      `json:"cells"`
		Errors []printedError `json:"errors"`
	}
	printedError struct {
		Code       sheet.Code `json:"code"`
		Column     *int       `json:"column"`
		LastColumn *int       `json:"last_column"`
		ColumnName *string    `json:"column_name"`
		Message    string     `json:"message"`
		MessageJA  string     `json:"message_ja"`
	}
	printedSummary struct {
		Type     string         `json:"type"`
		Read     int            `json:"rows_read"`
		Loaded   int            `json:"rows_loaded"`
		Rejected int            `json:"rows_rejected"`
		Skipped  int            `json:"rows_skipped"`
		Sheets   []printedTypes `json:"sheets"`
	}
	printedTypes struct {
		Sheet    int             `json:"sheet"`
		Columns  []printedColumn `json:"columns"`
		Warnings []sheet.Warning `json:"warnings,omitempty"`
	}
	printedColumn struct {
		Name string `json:"name"`
		Type string `json:"type"`
	}
)

// printBook reads a text without options and returns everything that was decided and read, as lines of JSON.
func printBook(t *testing.T, content []byte) []byte {
	t.Helper()
	book, err := sheet.Open(t.Context(), bytes.NewReader(content), sheet.Options{}, sheet.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	if err := book.SettleEncoding(); err != nil {
		t.Fatal(err)
	}
	s, err := book.Next()
	if err != nil {
		t.Fatal(err)
	}
	records, summary := printRecords(t, s)
	head := printedSheet{"sheet", s.Number(), s.Name(), s.Visible(), s.Dialect(), []string{}}
	types := printedTypes{s.Number(), []printedColumn{}, s.Warnings()}
	for _, c := range s.Columns() {
		head.Columns = append(head.Columns, c.Name)
		types.Columns = append(types.Columns, printedColumn{c.Name, string(c.Type)})
	}
	summary.Sheets = []printedTypes{types}
	lines := jsonLines(t, printedFile{"file", book.Format(), book.Encoding(), len(content)}, head)
	return append(append(lines, records...), jsonLines(t, summary)...)
}

func printRecords(t *testing.T, s *sheet.Sheet) (lines []byte, n printedSummary) {
	t.Helper()
	n.Type = "summary"
	for {
		rec, err := s.Read()
		if errors.Is(err, io.EOF) {
			return lines, n
		}
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, jsonLines(t, printRecord(s, rec, n.count(rec.Kind)))...)
	}
}

// count counts a record and returns the name of its kind.
func (n *printedSummary) count(kind sheet.Kind) string {
	switch kind {
	case sheet.Header:
		return "header"
	case sheet.Row:
		n.Read, n.Loaded = n.Read+1, n.Loaded+1
		return "row"
	case sheet.Reject:
		n.Read, n.Rejected = n.Read+1, n.Rejected+1
		return "reject"
	}
	n.Read, n.Skipped = n.Read+1, n.Skipped+1
	return "skip"
}

func printRecord(s *sheet.Sheet, rec *sheet.Record, kind string) printedRecord {
	p := printedRecord{"record", s.Number(), rec.No, rec.Line, rec.Offset, kind, make([]*string, len(rec.Cells)), []printedError{}}
	for i, cell := range rec.Cells {
		if cell != nil {
			p.Cells[i] = new(string(cell))
		}
	}
	for _, e := range rec.Errors {
		p.Errors = append(p.Errors, printedError{e.Code, known(e.ColumnNo), known(e.LastColumn), known(e.ColumnName), e.Message, e.MessageJA})
	}
	return p
}

// known is nil for the zero value.
func known[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

func jsonLines(t *testing.T, values ...any) []byte {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for _, v := range values {
		if err := encoder.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}
