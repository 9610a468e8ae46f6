package sheet

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/csv"
	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/table"
)

// Dialect is how a sheet's records are written; the sheets of a workbook have only HeaderRows.
type Dialect struct {
	Delimiter    string `json:"delimiter,omitempty" doc:"The separator between cells." example:";"`
	Quote        string `json:"quote,omitempty" doc:"The character that encloses cells; missing if nothing is quoted."`
	Escape       string `json:"escape,omitempty" doc:"The character before a quote inside a quoted cell: another quote, or a backslash."`
	SkipSpace    bool   `json:"skip_space,omitempty" doc:"Spaces after delimiters are ignored."`
	Newline      string `json:"newline,omitempty" doc:"The first line end in the file."`
	HeaderRows   int    `json:"header_rows" doc:"The number of header rows: the option header." example:"1"`
	PreambleRows int    `json:"preamble_rows" doc:"Records before the header, including blank ones, or 0 if all of them are blank: the option skip."`
}

// Candidate is a dialect that was tried, with its score: Consistency, how regular the records' widths are, times Types,
// how many cells look like values, times a weight for how common the delimiter is; all from 0 to 1.
type Candidate struct {
	Delimiter   string  `json:"delimiter"`
	Quote       string  `json:"quote"`
	Escape      string  `json:"escape"`
	SkipSpace   bool    `json:"skip_space,omitempty"`
	Consistency float64 `json:"consistency"`
	Types       float64 `json:"types"`
	Score       float64 `json:"score"`
}

// layout is where in a text the table is.
type layout struct {
	preamble      int64         // records
	header        int           // records
	columns       int           // cells in most records; 0 if there are too few records
	uniform       bool          // an empty cell more in the header is none
	quotedBlanks  bool          // records of empty quotes alone are blank
	nameIsNoValue bool          // the name of the only column is none of its values
	listed        bool          // the header lists the names with a delimiter of its own
	marked        bool          // the header begins with the mark of a comment
	unlabelled    bool          // cells less in the header mean that the last columns have no names
	rowNames      bool          // the header lacks the first column's cell
	ended         bool          // a delimiter ends each record, and separates nothing
	trailing      int           // superfluous empty cells that records end with
	beside        int           // cells behind the last column that stand beside the table
	leading       int           // and that they begin with
	footer        int64         // offset in the file after which nothing belongs to the table
	other         int64         // offset in the file at which another table begins
	above         int64         // lines before that, from the first record on
	filter        *table.Filter // what tells records among the rows that are none; nil if there are none
	pad           bool          // records that are too short lack cells that others leave empty
	named         bool          // its header has names alone
	alone         bool          // it is a table above a larger one, too
}

// decideDialect uses the options and, for the rest, the samples, of whose records so many cells at the beginning are left out.
func decideDialect(samples []sample, enc charset.Encoding, opt Options, from int, place table.Place) (table.Result, error) {
	texts := make([]dialect.Sample, len(samples))
	for i, s := range samples {
		text, err := s.text(enc)
		if err != nil {
			return table.Result{}, err
		}
		texts[i] = dialect.Sample{Text: text, Head: s.Head, Tail: s.Tail}
	}
	hints := opt.hints()
	hints.From, hints.Place = from, place
	return table.Decide(texts, hints), nil
}

// text returns the sample as UTF-8, with U+FFFD for invalid bytes.
func (s sample) text(enc charset.Encoding) ([]byte, error) {
	b, err := io.ReadAll(enc.Reader(bytes.NewReader(s.Bytes)))
	if err != nil {
		return nil, fmt.Errorf("read a sample: %w", err)
	}
	if enc.Direct(b) {
		return b, nil
	}
	text := make([]byte, 0, len(b)+len(b)/2)
	for len(b) > 0 {
		// AppendText takes a whole cell, but stops at the first invalid byte; the rest follows.
		var bad int
		if text, bad = enc.AppendText(text, b); bad < 0 {
			break
		}
		text = append(text, "\uFFFD"...)
		b = b[bad+1:]
	}
	return text, nil
}

func (f *csvFile) useDialect(r table.Result, samples []sample, lim Limits) error {
	f.dialect = Dialect{
		Delimiter: r.Delimiter, Quote: character(r.Quote), Escape: character(r.Escape), SkipSpace: r.SkipSpace, Newline: r.Newline,
		HeaderRows: r.Header, PreambleRows: r.Preamble,
	}
	for _, c := range r.Candidates {
		f.candidates = append(
			f.candidates,
			Candidate{c.Delimiter, character(c.Quote), character(c.Escape), c.SkipSpace, c.Consistency, c.Types, c.Score},
		)
	}
	enc, delimiter := charset.AsRead(f.enc.Encoding, r.Delimiter)
	f.enc = f.enc.as(enc)
	f.config = csv.Config{
		Delimiter: delimiter, Quote: r.Quote, Escape: r.Escape, SkipSpace: r.SkipSpace, Brackets: r.Brackets,
		RecordBytes: lim.RecordBytes, Fields: lim.Columns, Columns: r.Leading + r.Columns + r.Beside,
	}
	if !f.enc.settled || f.enc.Encoding != charset.UTF8 { // whose bytes are those of the file
		f.config.Measure = func(b []byte) int64 { return f.enc.Encoding.Width(b) }
	}
	if r.Quoted {
		f.inner = csv.NewTextScanner(csv.NewText(nil), f.config)
		f.config.Delimiter, f.config.Quote, f.config.Escape, f.config.SkipSpace, f.config.Columns = noDelimiter, '"', '"', false, 0
	}
	f.blanks = " \t\f" + r.Delimiter
	if len(f.enc.Encoding.BOM()) > 0 {
		f.config.Mark = "\ufeff"
	}
	f.layout = layout{
		preamble:      int64(cmp.Or(r.Preamble, r.BlankLines)),
		header:        r.Header,
		columns:       r.Columns,
		uniform:       r.Uniform,
		nameIsNoValue: r.NameIsNoValue,
		quotedBlanks:  r.QuotedBlanks,
		listed:        r.Listed,
		marked:        r.Marked,
		unlabelled:    r.Unlabelled,
		rowNames:      r.RowNames,
		ended:         r.Ended,
		trailing:      r.Trailing,
		beside:        r.Beside,
		leading:       r.Leading,
		footer:        f.src.Size(),
		filter:        r.Filter,
		pad:           r.Pad,
		named:         r.Named,
		alone:         r.Alone,
	}
	f.layout.other = f.src.Size()
	last := samples[len(samples)-1]
	var err error
	if r.FooterLine > 0 {
		f.layout.footer, err = f.offsetOf(r.FooterLine, last)
	}
	if r.OtherLine > 0 && err == nil {
		f.layout.above = r.OtherLine - 1
		f.layout.other, err = f.offsetOf(r.OtherLine, last)
	}
	return err
}

// noDelimiter separates nothing: whole lines are cells.
const noDelimiter = "\x1f"

// offsetOf returns the offset in the file of the record at a line of the sample.
func (f *csvFile) offsetOf(line int64, s sample) (int64, error) {
	c := f.config
	c.Offset = s.off
	sc := csv.NewScanner(f.enc.Encoding.Reader(bytes.NewReader(s.Bytes)), c)
	for {
		switch rec, err := sc.Next(); {
		case errors.Is(err, io.EOF):
			return f.src.Size(), nil
		case err != nil:
			return 0, fmt.Errorf("read a sample: %w", err)
		case rec.Line >= line:
			return rec.Offset, nil
		}
	}
}

func character(c byte) string {
	if c == 0 {
		return ""
	}
	return string(rune(c))
}
