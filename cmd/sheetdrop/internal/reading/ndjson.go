package reading

import (
	"bytes"
	"encoding/json"
	"slices"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
)

// ndjsonPrinter prints a line for the file, one for each sheet, one for each record, and a last one with the summary or why the file was
// refused.
type ndjsonPrinter struct {
	out          *output
	acceptedOnly bool
	summary      summaryLine
	unprinted    *sheet.Sheet // the current sheet until its columns are known
	insertAt     int          // where its line goes in out.pending
}

// heldBytes is how much is buffered until a sheet's columns are known. With more skipped records before the header their lines come first.
const heldBytes = 1 << 20

type fileLine struct {
	Type     string `json:"type"`
	Format   string `json:"format"`
	Encoding string `json:"encoding,omitempty"` // a workbook has none
	Bytes    int64  `json:"bytes"`
}

type sheetLine struct {
	Type    string        `json:"type"`
	Sheet   int           `json:"sheet"`
	Name    string        `json:"name"`
	Visible bool          `json:"visible"`
	Dialect sheet.Dialect `json:"dialect"`
	Columns []string      `json:"columns"`
}

type summaryLine struct {
	Type string `json:"type"`
	task.Counts
	Sheets []sheetTypes `json:"sheets"`
}

type sheetTypes struct {
	Sheet   int          `json:"sheet"`
	Columns []columnType `json:"columns"`

	Warnings []sheet.Warning `json:"warnings,omitempty"`
}

type columnType struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

type errorLine struct {
	Type      string     `json:"type"`
	Code      sheet.Code `json:"code"`
	Message   string     `json:"message"`
	MessageJA string     `json:"message_ja"`
}

func newNDJSON(out *output, acceptedOnly bool) *ndjsonPrinter {
	return &ndjsonPrinter{out: out, acceptedOnly: acceptedOnly, summary: summaryLine{Type: "summary", Sheets: []sheetTypes{}}}
}

func (p *ndjsonPrinter) file(book *sheet.Book, bytes int64) error {
	if err := book.SettleEncoding(); err != nil {
		return err
	}
	return p.line(fileLine{"file", book.Format(), book.Encoding(), bytes})
}

func (p *ndjsonPrinter) sheet(s *sheet.Sheet) error {
	p.unprinted, p.insertAt = s, len(p.out.pending)
	return nil
}

func (p *ndjsonPrinter) record(s *sheet.Sheet, rec *sheet.Record) error {
	if p.unprinted != nil && (rec.Kind == sheet.Row || rec.Kind == sheet.Reject) { // the header is complete
		if err := p.printSheet(); err != nil {
			return err
		}
	}
	if rec.Kind == sheet.Row || !p.acceptedOnly {
		p.out.pending = appendRecordLine(p.out.pending, s.Number(), rec)
	}
	switch {
	case p.unprinted == nil:
		return p.out.writeFull()
	case len(p.out.pending) > heldBytes:
		p.insertAt = 0
		return p.out.flush()
	}
	return nil
}

func (p *ndjsonPrinter) sheetEnd(s *sheet.Sheet, n task.Counts) error {
	p.summary.Add(n)
	types := sheetTypes{s.Number(), []columnType{}, s.Warnings()}
	for _, c := range s.Columns() {
		types.Columns = append(types.Columns, columnType{c.Name, string(c.Type)})
	}
	p.summary.Sheets = append(p.summary.Sheets, types)
	return p.printSheet()
}

func (p *ndjsonPrinter) end(refusal *sheet.Refusal) error {
	err := p.printSheet() // a refusal comes in the middle of a sheet
	if err == nil && refusal != nil {
		err = p.line(errorLine{"error", refusal.Code, refusal.Message, refusal.MessageJA})
	} else if err == nil {
		err = p.line(p.summary)
	}
	if err != nil {
		return err
	}
	return p.out.flush()
}

// printSheet inserts the line of the current sheet, if that has not been done.
func (p *ndjsonPrinter) printSheet() error {
	if p.unprinted == nil {
		return nil
	}
	s := p.unprinted
	p.unprinted = nil
	names := make([]string, 0, len(s.Columns()))
	for _, c := range s.Columns() {
		names = append(names, c.Name)
	}
	line, err := jsonLine(sheetLine{"sheet", s.Number(), s.Name(), s.Visible(), s.Dialect(), names})
	p.out.pending = slices.Insert(p.out.pending, p.insertAt, line...)
	return err
}

func (p *ndjsonPrinter) line(v any) error {
	line, err := jsonLine(v)
	p.out.pending = append(p.out.pending, line...)
	return err
}

// jsonLine returns v as JSON and a line end, without escaping < > &.
func jsonLine(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return b.Bytes(), err
}
