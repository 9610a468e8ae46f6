package sheet

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/drawn"
	"sheetdrop/internal/sheet/readahead"
	"sheetdrop/internal/sheet/table"
)

// drawnFile is a text with a drawn table, as a workbook with one sheet. Each line is a record, but for rows of a grid.
type drawnFile struct {
	*csvFile // for what any text has
	table    drawn.Table
	header   int
	in       *readahead.Reader
	lines    *bufio.Reader
	next     drawnLine // read already
	ready    bool      // there is one
	line     int64     // of the next one
	offset   int64
	begun    bool // a row of the table was read
	ended    bool // and a line that is none
	cells    [][]byte
	text     []byte // of the current record
	limit    int
	filter   *table.Filter // what tells the rows that are none, such as totals; nil if nobody asks
	below    int64         // the first line below the table; 0 if it is not known
}

// drawnLine is a line of the text.
type drawnLine struct {
	raw          []byte // as read
	line, offset int64
	long         bool
	kind         drawn.Kind
}

// drawn returns the text as one with a drawn table, if it is one: where no delimiter or nothing but blanks separates cells, or bars do.
func (o opening) drawn(ctx context.Context, src beginning, samples []sample, f *csvFile) (workbook, error) {
	bars := strings.Trim(f.dialect.Delimiter, " ") == "|" || f.dialect.Delimiter == "+"
	blanks := f.layout.columns <= 1 || strings.Trim(f.dialect.Delimiter, " ") == ""
	if o.options.Delimiter != "" || o.options.Quote != "" || o.options.Escape != "" || !bars && !blanks {
		return f, nil
	}
	lines, others, err := f.sampledLines(samples)
	if err != nil {
		return nil, errors.Join(err, f.close())
	}
	above := blankAbove(lines)
	table, ok := drawn.FindBars(lines[above:])
	if !ok && blanks {
		table, ok = drawn.FindBlanks(lines[above:], others)
	}
	if !ok {
		return f, nil
	}
	if table.Preamble += above; table.Below > 0 {
		table.Below += above
	}
	g := &drawnFile{csvFile: f, table: table, header: max(table.Header, 1), line: 1, offset: f.start, limit: o.limits.RecordBytes}
	if table.Nameless {
		g.header = 0
	}
	if o.options.Header != nil {
		g.header = *o.options.Header
	}
	if o.options.Skip != nil {
		g.table.Preamble = *o.options.Skip
	}
	if o.options.Footer != none && !table.Grid() && !table.Queried() {
		g.findSums(lines, len(samples) == 1 && samples[0].Tail && len(lines) < mostLines)
	}
	g.in = readahead.New(ctx, src, src.Size(), f.start, o.blockSize)
	g.lines = bufio.NewReaderSize(f.enc.reader(ctx, src, f.start, g.in), 64<<10)
	return g, nil
}

// blankAbove returns how many blank lines stand above all others.
func blankAbove(lines [][]byte) int {
	return max(0, slices.IndexFunc(lines, func(line []byte) bool { return len(bytes.TrimSpace(line)) > 0 }))
}

// mostLines is how many lines of each sample are looked at.
const mostLines = 1000

// sampledLines returns the text's first lines, and others in between that are whole.
func (f *csvFile) sampledLines(samples []sample) (first, others [][]byte, err error) {
	for i, s := range samples {
		text, err := s.text(f.enc.Encoding)
		if err != nil {
			return nil, nil, err
		}
		lines := bytes.Split(text, []byte("\n"))
		if !s.Tail {
			lines = lines[:len(lines)-1]
		}
		for n := range lines {
			lines[n] = bytes.TrimSuffix(lines[n], []byte("\r"))
		}
		if i == 0 {
			first = lines[:min(len(lines), mostLines)]
		} else if len(lines) > 1 {
			others = append(others, lines[1:min(len(lines), mostLines)]...)
		}
	}
	return first, others, nil
}

func (g *drawnFile) nextSheet() (*sheetInfo, records, error) {
	info, _, err := g.csvFile.nextSheet()
	if err != nil {
		return nil, nil, err
	}
	g.csvFile.dialect = Dialect{Newline: g.dialect.Newline, HeaderRows: g.header, PreambleRows: g.table.Preamble}
	return &sheetInfo{
		number:   info.number,
		visible:  true,
		dialect:  g.dialect,
		columns:  g.table.Columns,
		rowNames: g.table.RowNames,
		part:     info.part,
	}, g, nil
}

// found leaves the delimiter open: there is none.
func (g *drawnFile) found(_ sheetInfo, o *Options) {
	if g.enc.Found {
		o.Encoding = g.enc.Encoding.Name()
	}
}

func (g *drawnFile) close() error {
	g.in.Close()
	return g.csvFile.close()
}

func (g *drawnFile) warnings() []Warning { return nil }

func (g *drawnFile) raw(*Record) []byte {
	g.rawText = g.enc.Encoding.AppendSource(g.rawText[:0], bytes.TrimRight(g.text, "\r\n"))
	return g.rawText
}

// readLine reads the next line, of one that is too long its beginning.
func (g *drawnFile) readLine() (l drawnLine, err error) {
	l = drawnLine{line: g.line, offset: g.offset}
	for {
		var piece []byte
		piece, err = g.lines.ReadSlice('\n')
		g.offset += g.enc.Encoding.Width(piece)
		if room := g.limit - len(l.raw); len(piece) > room {
			l.long = true
			piece = piece[:max(0, room)]
		}
		l.raw = append(l.raw, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			break
		}
	}
	if errors.Is(err, io.EOF) && len(l.raw) > 0 && !g.config.Cut {
		err = nil
	}
	if err != nil {
		return l, err
	}
	g.line++
	l.kind = g.table.Kind(bytes.TrimRight(l.raw, "\r\n"))
	return l, nil
}

// peek returns the next line without going on.
func (g *drawnFile) peek() (*drawnLine, error) {
	if !g.ready {
		if err := g.ctx.Err(); err != nil {
			return nil, fmt.Errorf("read the file: %w", err)
		}
		var err error
		if g.next, err = g.readLine(); err != nil {
			return nil, err
		}
		g.ready = true
	}
	return &g.next, nil
}

func (g *drawnFile) nextRecord(rec *Record) (shape, error) {
	l, err := g.peek()
	if err != nil {
		return shape{}, err
	}
	g.ready = false
	g.no++
	rec.No, rec.Line, rec.Offset = g.no, l.line, l.offset
	g.text = l.raw
	if skip := g.skip(l); skip != "" {
		rec.Cells = append(rec.Cells, bytes.TrimSpace(l.raw))
		return shape{skip: skip, width: 1}, nil
	}
	if l.long {
		rec.fail(longRecord, 0, g.limit)
		return shape{broken: true, size: len(l.raw)}, nil
	}
	if g.ended {
		rec.fail(otherTable, 0)
	}
	g.begun = true
	g.split(rec, l)
	for g.table.Grid() && len(rec.Errors) == 0 && g.goesOn() {
		g.ready = false
		g.text = append(g.text, g.next.raw...)
		g.join(rec, &g.next)
	}
	if skip := g.sum(rec); skip != "" {
		return shape{skip: skip, width: len(rec.Cells)}, nil
	}
	refuseNUL(rec)
	return shape{broken: g.ended, size: len(g.text) * 2, width: len(rec.Cells), values: len(rec.Cells)}, nil
}

// goesOn reports whether the next line belongs to the row of a grid. An error of reading it comes again.
func (g *drawnFile) goesOn() bool {
	more, err := g.peek()
	return err == nil && more.kind == drawn.Row && len(g.text)+len(more.raw) <= g.limit
}

// skip returns why a line is no record, "" if it is one.
func (g *drawnFile) skip(l *drawnLine) SkipReason {
	switch {
	case len(bytes.TrimSpace(l.raw)) == 0:
		g.ended = g.ended || g.begun && g.table.Bars()
		return SkipBlank
	case g.no <= int64(g.table.Preamble) || g.isUnits():
		return SkipAbove
	case l.kind == drawn.Rule:
		return SkipRule
	case l.kind == drawn.Comment && g.no > int64(g.table.Preamble+g.header):
		return SkipAmong
	case l.kind == drawn.Heading && g.begun:
		return SkipAmong
	case (l.kind == drawn.Outside || l.kind == drawn.Heading) && !g.begun:
		return SkipAbove
	case l.kind == drawn.Outside, g.table.Below > 0 && g.no >= int64(g.table.Below):
		g.ended = true
		return SkipBelow
	}
	return ""
}

// isUnits reports whether the current line stands below the header and names units.
func (g *drawnFile) isUnits() bool {
	names := int64(g.table.Preamble + g.header)
	return g.header == 1 && g.no > names && g.no <= names+int64(g.table.Units)
}

// split adds the cells of a line to the record.
func (g *drawnFile) split(rec *Record, l *drawnLine) {
	text := bytes.TrimRight(l.raw, "\r\n")
	if !g.enc.Encoding.Direct(text) && !charset.IsASCII(text) {
		decoded, bad := g.enc.Encoding.AppendText(nil, text)
		if bad >= 0 {
			rec.fail(noText, 0, g.enc.Encoding.Name(), l.offset+g.enc.Encoding.Width(text[:bad]))
			return
		}
		text = decoded
	}
	var crossed int
	if rec.Cells, crossed = g.table.Split(rec.Cells, text); crossed > 0 {
		rec.fail(runsOn, crossed)
	}
}

// join adds a further line of a row to the record.
func (g *drawnFile) join(rec *Record, l *drawnLine) {
	more := Record{Cells: g.cells[:0]}
	g.split(&more, l)
	g.cells = more.Cells
	rec.Errors = append(rec.Errors, more.Errors...)
	for i, cell := range more.Cells {
		if i < len(rec.Cells) && len(cell) > 0 {
			rec.Cells[i] = bytes.TrimPrefix(bytes.Join([][]byte{rec.Cells[i], cell}, []byte("\n")), []byte("\n"))
		}
	}
}
