package sheet

import (
	"context"
	"errors"
	"io"
	"unicode/utf8"
)

// PreviewLimits bound a preview.
type PreviewLimits struct {
	Limits
	Rows         int   // shown of each sheet; likewise rejects, and skipped records
	Records      int64 // read of all sheets together
	Sheets       int   // shown
	ShownColumns int   // of all sheets together; beyond them no further sheet is read
	Bytes        int   // of text that is shown
}

// Preview is what reading the beginning of a file finds.
type Preview struct {
	Format             string           `json:"format,omitempty" doc:"csv, json, parquet, xlsx, xlsb, xls, ods, xml (Excel's of 2003) or html; of an archive that of the file in it, and zip for one of several."`
	Encoding           string           `json:"encoding,omitempty" doc:"Of a text."`
	EncodingConfidence float64          `json:"encoding_confidence,omitempty" doc:"From 0.5, a guess, to 1."`
	Complete           bool             `json:"complete" doc:"Everything was read: counts, types and rejects are those of the whole file."`
	Sheets             []PreviewedSheet `json:"sheets"`
	Error              *FileError       `json:"error,omitempty" doc:"Why the file is refused; the sheets are what was read until then."`
}

// FileError is why a file cannot be read.
type FileError struct {
	Code      Code   `json:"code"`
	Message   string `json:"message"`
	MessageJA string `json:"message_ja"`
	Advice    string `json:"advice,omitempty" doc:"What somebody can do about it, in English."`
	AdviceJA  string `json:"advice_ja,omitempty" doc:"The same in Japanese."`
}

// PreviewedSheet is what the beginning of a sheet holds.
type PreviewedSheet struct {
	Number     int         `json:"number"`
	Name       string      `json:"name"`
	Visible    bool        `json:"visible"`
	Read       bool        `json:"read" doc:"false for a sheet of which nothing was read: it is hidden, another one was asked for, or the preview ended before it."`
	Options    *Options    `json:"options,omitempty" doc:"The options that were given, with what was detected filled in. Sent as they stand, in the parameter options, the sheet is read in the same way."`
	Dialect    Dialect     `json:"dialect"`
	Candidates []Candidate `json:"candidates,omitempty" doc:"The dialects that were tried, the choice first."`

	HeaderCandidates []HeaderCandidate `json:"header_candidates" doc:"Records that may be the header."`
	Columns          []Column          `json:"columns"`
	RowsRead         int64             `json:"rows_read"`
	RowsAccepted     int64             `json:"rows_accepted"`
	RowsRejected     int64             `json:"rows_rejected"`
	RowsSkipped      int64             `json:"rows_skipped"`
	Rows             []RowPreview      `json:"rows" doc:"The first accepted rows."`
	Rejects          []RejectPreview   `json:"rejects" doc:"The first rejected records."`
	Skipped          []SkippedRecord   `json:"skipped" doc:"The first skipped records."`
	Warnings         []Warning         `json:"warnings"`
}

// Place is where a record is.
type Place struct {
	RowNo   int64  `json:"row_no" doc:"The record's number in the sheet, from 1, including headers; in workbooks Excel's row number."`
	Line    int64  `json:"line,omitempty" doc:"The line in the file, from 1; not in workbooks."`
	CellRef string `json:"cell_ref,omitempty" doc:"The record's first cell in a workbook, such as A5."`
}

// HeaderCandidate is a record that becomes the header with these options.
type HeaderCandidate struct {
	Place
	Skip   int64     `json:"skip" doc:"The option by which the record is the first of the header."`
	Header int       `json:"header" doc:"The option by which the header has as many records."`
	Chosen bool      `json:"chosen"`
	Cells  []*string `json:"cells"`
}

// RowPreview is an accepted row.
type RowPreview struct {
	Place
	Values []any     `json:"values" doc:"The cells as values of their columns' types, as rows of a task have them."`
	Text   []*string `json:"text" doc:"The cells as the text in the file; null where the file has no such cell."`
}

// RejectPreview is a rejected record.
type RejectPreview struct {
	Place
	Cells  []*string       `json:"cells" doc:"As far as they could be told apart; null where there is none, or no text."`
	Errors []RecordProblem `json:"errors"`
}

// RecordProblem is one reason why a record is rejected.
type RecordProblem struct {
	Code         Code   `json:"code"`
	ColumnNo     int    `json:"column_no,omitempty" doc:"From 1; missing if the whole record is meant."`
	LastColumnNo int    `json:"last_column_no,omitempty"`
	ColumnName   string `json:"column_name,omitempty"`
	Message      string `json:"message"`
	MessageJA    string `json:"message_ja"`
}

// SkippedRecord is a record that is not part of the table.
type SkippedRecord struct {
	Place
	Reason SkipReason `json:"reason" enum:"blank,above_table,below_table,header_rule,repeated_header,among_rows"`
	Cells  []*string  `json:"cells"`
}

// ReadPreview reads the beginning of a file, within the limits and those of part. A file that cannot be read is part of the preview; the
// error is ErrPart, that of the Source or the context, or an *OptionError.
func ReadPreview(ctx context.Context, src Source, part Part, opt Options, lim PreviewLimits) (Preview, error) {
	p := preview{limits: lim, left: lim.Records, columns: lim.ShownColumns, bytes: lim.Bytes, headerBytes: lim.Bytes / 4}
	p.found = Preview{Complete: !part.Cut, Sheets: []PreviewedSheet{}}
	err := p.read(ctx, src, part, opt)
	if refusal, ok := errors.AsType[*Refusal](err); ok {
		p.found.Error, err = &FileError{Code: refusal.Code, Message: refusal.Message, MessageJA: refusal.MessageJA}, nil
	}
	return p.found, err
}

// preview is a preview in the making.
type preview struct {
	limits      PreviewLimits
	left        int64 // how many more records are read
	columns     int   // how many more columns are shown
	bytes       int   // how much more text is shown
	headerBytes int   // likewise, of candidates for headers
	found       Preview
}

func (p *preview) read(ctx context.Context, src Source, part Part, opt Options) (err error) {
	book, err := OpenPart(ctx, src, part, opt, p.limits.Limits)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	p.found.Format, p.found.Complete = book.Format(), book.Complete()
	if err := book.SettleEncoding(); err != nil {
		return err
	}
	defer func() { p.found.Encoding, p.found.EncodingConfidence = book.Encoding(), book.EncodingConfidence() }()
	for {
		s, err := book.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(p.found.Sheets) == p.limits.Sheets {
			p.found.Complete = false
			return nil
		}
		if err := p.sheet(book, s); err != nil {
			return err
		}
	}
}

// sheet reads the beginning of a sheet.
func (p *preview) sheet(book *Book, s *Sheet) (err error) {
	shown := sheetPreview{preview: p, PreviewedSheet: PreviewedSheet{
		Number: s.Number(), Name: s.Name(), Visible: s.Visible(), Read: !s.LeftOut() && p.left > 0 && p.columns > 0,
		Dialect: s.Dialect(), Candidates: s.Candidates(),
		HeaderCandidates: []HeaderCandidate{}, Columns: []Column{}, Rows: []RowPreview{}, Rejects: []RejectPreview{}, Skipped: []SkippedRecord{},
		Warnings: []Warning{},
	}}
	switch {
	case shown.Read:
		err = shown.read(s)
		options := book.Found(s)
		shown.Options = &options
	case s.LeftOut():
		shown.Warnings = append(shown.Warnings, s.Warnings()...)
	default:
		p.found.Complete = false
	}
	p.found.Sheets = append(p.found.Sheets, shown.PreviewedSheet)
	return err
}

// sheetPreview is the preview of a sheet in the making.
type sheetPreview struct {
	*preview
	PreviewedSheet
}

func (p *sheetPreview) read(s *Sheet) error {
	for {
		rec, err := s.Read()
		if err == nil && p.left == 0 {
			s.Stop() // and what has just been read counts for the types alone
			p.found.Complete = false
			err = io.EOF
		}
		if err != nil {
			p.Warnings = append(p.Warnings, s.Warnings()...)
			if showErr := p.finish(s); showErr != nil {
				return showErr
			}
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		p.left--
		p.add(s, rec)
	}
}

// finish shows the columns, and the rows with their types.
func (p *sheetPreview) finish(s *Sheet) error {
	p.Columns = append(p.Columns, s.Columns()...)
	p.columns -= len(p.Columns)
	converters, err := NewConverters(p.Columns)
	if err != nil {
		return err
	}
	for i := range p.Rows {
		for column, text := range p.Rows[i].Text {
			var cell []byte
			if text != nil {
				cell = []byte(*text)
			}
			value, _ := converters[column].Value(cell) // the text if it does not fit the type
			p.Rows[i].Values = append(p.Rows[i].Values, value)
		}
	}
	p.HeaderCandidates = likelyHeaders(p.HeaderCandidates, len(p.Columns))
	return nil
}

// add shows a record.
func (p *sheetPreview) add(s *Sheet, rec *Record) {
	place := Place{rec.No, rec.Line, rec.Ref}
	p.addCandidate(s, place, rec)
	if rec.Kind != Header {
		p.RowsRead++
	}
	switch rec.Kind {
	case Header:
	case Row:
		if p.RowsAccepted++; len(p.Rows) < p.limits.Rows && fits(rec, &p.bytes) {
			p.Rows = append(p.Rows, RowPreview{Place: place, Values: []any{}, Text: texts(rec.Cells)})
		}
	case Reject:
		if p.RowsRejected++; len(p.Rejects) < p.limits.Rows && fits(rec, &p.bytes) {
			p.Rejects = append(p.Rejects, RejectPreview{place, texts(rec.Cells), problems(rec.Errors)})
		}
	case Skip:
		if p.RowsSkipped++; len(p.Skipped) < p.limits.Rows && fits(rec, &p.bytes) {
			p.Skipped = append(p.Skipped, SkippedRecord{place, rec.Reason, texts(rec.Cells)})
		}
	}
}

// The memory that showing a cell, and a reason, takes besides the text.
const (
	shownCell   = 32
	shownReason = 256
)

// fits reports whether there is room to show one more record, and takes it.
func fits(rec *Record, room *int) bool {
	size := shownCell*len(rec.Cells) + shownReason*len(rec.Errors)
	for _, cell := range rec.Cells {
		size += len(cell)
	}
	if size > *room {
		return false
	}
	*room -= size
	return true
}

// headerRecords is how many of a sheet's first records may be shown as candidates for the header.
const headerRecords = 20

func (p *sheetPreview) addCandidate(s *Sheet, place Place, rec *Record) {
	late := rec.No > headerRecords && rec.Kind != Header
	if late || rec.Reason == SkipBlank || len(p.HeaderCandidates) == headerRecords || !fits(rec, &p.headerBytes) {
		return
	}
	c := HeaderCandidate{Place: place, Skip: rec.No - 1, Header: 1, Cells: texts(rec.Cells)}
	if rec.Kind == Header && len(s.header) == 1 {
		c.Header, c.Chosen = s.dialect.HeaderRows, true
	}
	p.HeaderCandidates = append(p.HeaderCandidates, c)
}

// candidatesBelow is how many records below the chosen header may be it.
const candidatesBelow = 3

// likelyHeaders returns the chosen header, and the records above it and just below it that fill at least half of the table's columns.
func likelyHeaders(list []HeaderCandidate, columns int) []HeaderCandidate {
	likely, chosen := []HeaderCandidate{}, -1
	for _, c := range list {
		if c.Chosen {
			chosen = len(likely)
		}
		if chosen >= 0 && len(likely)-chosen > candidatesBelow {
			break
		}
		filled := 0
		for _, cell := range c.Cells {
			if cell != nil && *cell != "" {
				filled++
			}
		}
		if c.Chosen || filled > 0 && filled*2 >= columns {
			likely = append(likely, c)
		}
	}
	return likely
}

// texts returns cells as JSON has them: null for one that is not there.
func texts(cells [][]byte) []*string {
	list := make([]*string, len(cells))
	for i, cell := range cells {
		if cell != nil && utf8.Valid(cell) {
			text := string(cell)
			list[i] = &text
		}
	}
	return list
}

func problems(errors []Error) []RecordProblem {
	list := make([]RecordProblem, len(errors))
	for i, e := range errors {
		list[i] = RecordProblem{e.Code, e.ColumnNo, e.LastColumn, e.ColumnName, e.Message, e.MessageJA}
	}
	return list
}
