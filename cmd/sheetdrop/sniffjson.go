package main

import (
	"encoding/json"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
)

// sniffJSON prints what was found out as one JSON object.
type sniffJSON struct {
	out   *output
	book  *sheet.Book
	found findings
}

type findings struct {
	Format     string         `json:"format,omitempty"`
	Encoding   string         `json:"encoding,omitempty"` // a workbook has none
	Confidence float64        `json:"encoding_confidence,omitempty"`
	Bytes      int64          `json:"bytes,omitempty"`
	Sheets     []sheetFinding `json:"sheets"`
	Error      *sheetRefusal  `json:"error,omitempty"`
}

type sheetFinding struct {
	Sheet      int               `json:"sheet"`
	Name       string            `json:"name"`
	Visible    bool              `json:"visible"`
	Dialect    sheet.Dialect     `json:"dialect"`
	Candidates []sheet.Candidate `json:"candidates,omitempty"` // dialects that were tried, the choice first
	Columns    []sheet.Column    `json:"columns"`
	task.Counts
	Rejects  []json.RawMessage `json:"rejects"` // the first ones, as parse prints them
	Warnings []sheet.Warning   `json:"warnings,omitempty"`
}

type sheetRefusal struct {
	Code      sheet.Code `json:"code"`
	Message   string     `json:"message"`
	MessageJA string     `json:"message_ja"`
}

func (p *sniffJSON) file(book *sheet.Book, bytes int64) error {
	p.book, p.found.Format, p.found.Bytes = book, book.Format(), bytes
	return nil
}

func (p *sniffJSON) sheet(s *sheet.Sheet) error {
	p.found.Sheets = append(p.found.Sheets, sheetFinding{
		Sheet: s.Number(), Name: s.Name(), Visible: s.Visible(), Dialect: s.Dialect(), Candidates: s.Candidates(), Columns: []sheet.Column{}, Rejects: []json.RawMessage{},
	})
	return nil
}

func (p *sniffJSON) record(s *sheet.Sheet, rec *sheet.Record) error {
	found := p.last()
	if rec.Kind == sheet.Reject && len(found.Rejects) < previewRejects {
		found.Rejects = append(found.Rejects, appendRecordLine(nil, s.Number(), rec))
	}
	return nil
}

func (p *sniffJSON) sheetEnd(s *sheet.Sheet, n task.Counts) error {
	found := p.last()
	p.found.Encoding, p.found.Confidence = p.book.Encoding(), p.book.EncodingConfidence() // which are certain now
	found.Columns, found.Counts, found.Warnings = append(found.Columns, s.Columns()...), n, s.Warnings()
	return nil
}

func (p *sniffJSON) last() *sheetFinding { return &p.found.Sheets[len(p.found.Sheets)-1] }

func (p *sniffJSON) end(refusal *sheet.Refusal) error {
	if refusal != nil {
		p.found.Error = &sheetRefusal{refusal.Code, refusal.Message, refusal.MessageJA}
	}
	if p.found.Sheets == nil {
		p.found.Sheets = []sheetFinding{}
	}
	line, err := jsonLine(p.found)
	if err != nil {
		return err
	}
	p.out.pending = append(p.out.pending, line...)
	return p.out.flush()
}
