package reading

import (
	"encoding/json"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
)

// sniffJSON prints Findings.
type sniffJSON struct {
	out   *output
	book  *sheet.Book
	found Findings
}

// Findings are how a file is read.
type Findings struct {
	Format     string          `json:"format,omitempty"`
	Encoding   string          `json:"encoding,omitempty"` // a workbook has none
	Confidence float64         `json:"encoding_confidence,omitempty"`
	Bytes      int64           `json:"bytes,omitempty"`
	Sheets     []SheetFindings `json:"sheets"`
	Error      *Refusal        `json:"error,omitempty"`
}

// SheetFindings are how a sheet is read, and what is in it.
type SheetFindings struct {
	Sheet      int               `json:"sheet"`
	Name       string            `json:"name"`
	Visible    bool              `json:"visible"`
	Options    *sheet.Options    `json:"options,omitempty"` // by which the sheet is read in the same way, as --options takes them
	Dialect    sheet.Dialect     `json:"dialect"`
	Candidates []sheet.Candidate `json:"candidates,omitempty"` // dialects that were tried, the choice first
	Columns    []sheet.Column    `json:"columns"`
	task.Counts
	Rejects  []json.RawMessage `json:"rejects"` // the first ones, as parse prints them
	Warnings []sheet.Warning   `json:"warnings,omitempty"`
}

// Refusal is why a file cannot be read.
type Refusal struct {
	Code      sheet.Code `json:"code"`
	Message   string     `json:"message"`
	MessageJA string     `json:"message_ja"`
}

func (p *sniffJSON) file(book *sheet.Book, bytes int64) error {
	p.book, p.found.Format, p.found.Bytes = book, book.Format(), bytes
	return nil
}

func (p *sniffJSON) sheet(s *sheet.Sheet) error {
	p.found.Sheets = append(p.found.Sheets, SheetFindings{
		Sheet: s.Number(), Name: s.Name(), Visible: s.Visible(), Dialect: s.Dialect(), Candidates: s.Candidates(),
		Columns: []sheet.Column{}, Rejects: []json.RawMessage{},
	})
	return nil
}

func (p *sniffJSON) reject(s *sheet.Sheet, rec *sheet.Record) {
	found := p.last()
	found.Rejects = append(found.Rejects, appendRecordLine(nil, s.Number(), rec))
}

func (p *sniffJSON) sheetEnd(s *sheet.Sheet, n task.Counts) error {
	found := p.last()
	p.found.Encoding, p.found.Confidence = p.book.Encoding(), p.book.EncodingConfidence() // certain now that all was read
	if options := p.book.Found(s); !s.LeftOut() {
		found.Options = &options
	}
	found.Columns, found.Counts, found.Warnings = append(found.Columns, s.Columns()...), n, s.Warnings()
	return nil
}

func (p *sniffJSON) last() *SheetFindings { return &p.found.Sheets[len(p.found.Sheets)-1] }

func (p *sniffJSON) end(refusal *sheet.Refusal) error {
	if refusal != nil {
		p.found.Error = &Refusal{refusal.Code, refusal.Message, refusal.MessageJA}
	}
	if p.found.Sheets == nil {
		p.found.Sheets = []SheetFindings{}
	}
	line, err := jsonLine(p.found)
	if err != nil {
		return err
	}
	p.out.pending = append(p.out.pending, line...)
	return p.out.flush()
}
