package sheet

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"sync"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/csv"
	"sheetdrop/internal/sheet/readahead"
)

// A text is split into segments that are read at once. Each but the first begins behind a line end, where a record may begin or not: the
// line end can be inside a quoted field. So a segment counts only if the one before it ends exactly there; otherwise that one goes on, as
// if there had been no other. The same happens where it would not be the same to read on: a limit would be exceeded, or the Source fails.

// segmentation says when a text is split.
type segmentation struct {
	behind int64 // bytes that are read first; 0: splitBehind
	least  int64 // bytes that a segment has; 0: leastSegment
	most   int   // segments; 0: one for each processor, up to mostSegments
}

// After splitBehind bytes most columns have the types that they keep. A segment reads a block ahead, so that mostSegments bounds the
// memory.
const (
	splitBehind  = 4 << 20
	leastSegment = 8 << 20
	mostSegments = 8
)

// mostSplitColumns bounds what is noted of columns by each of the segments.
const mostSplitColumns = 256

func (s segmentation) head() int64 { return cmp.Or(s.behind, splitBehind) }

// into returns into how many segments so many bytes are split.
func (s segmentation) into(size int64) int64 {
	most := cmp.Or(s.most, min(runtime.GOMAXPROCS(0), mostSegments))
	return min(int64(most), size/cmp.Or(s.least, leastSegment))
}

// errReached is the error at the record where another segment begins.
var errReached = errors.New("the next segment is reached")

// nextSegment is what a reader of a text knows of the segment behind its own.
type nextSegment struct {
	start  int64    // its offset; 0 if there is none
	giveUp func()   // is called if that turns out to be inside of a record
	offset int64    // where the records were read to, if it does not
	line   int64    // likewise
	work   csv.Work // that was done by the scanners of the segments that were joined
}

// reaches reports whether the record is the first one of the next segment. If that began within another record, it is given up.
func (f *csvFile) reaches(r *csv.Record) bool {
	next := &f.next
	met := r.Offset == next.start
	if next.offset, next.line = r.Offset, f.lines+r.Line; !met && next.giveUp != nil {
		next.giveUp()
	}
	next.start = 0
	return met
}

// segment is a part of a text in the reading.
type segment struct {
	sheet  *Sheet
	file   *csvFile
	forked forked
	found  Survey
	err    error // with which its reading ended
	done   chan struct{}
}

// forked is what had been counted when the segments were made, from which each goes on.
type forked struct {
	records, read int64
	tally         tally
}

// surveySegments reads the rest of the sheet, in several places at once if that is worth it.
func (s *Sheet) surveySegments(v *Survey) error {
	f, starts := s.segmentStarts()
	if len(starts) == 0 {
		return s.surveyRest(v)
	}
	ctx, cancel := context.WithCancel(s.ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	segments := make([]*segment, len(starts))
	until := int64(0)
	for i, start := range slices.Backward(starts) {
		segments[i] = s.segment(f.segment(ctx, start, until), v.keep)
		until = start
	}
	for _, g := range segments {
		running.Go(g.run)
	}
	f.next.start, f.next.giveUp = until, cancel
	err := s.surveyRest(v)
	for _, next := range segments {
		if !errors.Is(err, errReached) {
			break
		}
		if <-next.done; !s.join(next, v) {
			cancel()
			f.resume()
			return s.surveyRest(v)
		}
		err = next.err
	}
	return err
}

// segmentStarts returns where the segments after the first one begin; none if the rest is not split.
func (s *Sheet) segmentStarts() (*csvFile, []int64) {
	f, ok := s.records.(*csvFile)
	if !ok || !s.splits(f) {
		return nil, nil
	}
	at := f.rec.Offset
	rest := f.src.Size() - at
	n := s.segments.into(rest)
	var starts []int64
	for i := int64(1); i < n; i++ {
		start, found := f.lineAfter(at + rest*i/n)
		if found && (len(starts) == 0 || start > starts[len(starts)-1]) {
			starts = append(starts, start)
		}
	}
	return f, starts
}

// splits reports whether the text can be read from a line on without what stands before it, and what is found there can be joined.
func (s *Sheet) splits(f *csvFile) bool {
	return f.inner == nil && !f.config.Cut && !f.apart && !f.asideApart && !isWide(f.enc.Encoding) &&
		s.tally.policy == (policy{}) && len(s.declared) == 0 && s.check == nil && len(s.columns) <= mostSplitColumns
}

func isWide(e charset.Encoding) bool { return e == charset.UTF16LE || e == charset.UTF16BE }

// lookForLine is how far a line end is looked for: a record may be that long, but few are.
const lookForLine = 64 << 10

// lineAfter returns the offset behind the first line end from off.
func (f *csvFile) lineAfter(off int64) (at int64, found bool) {
	b := make([]byte, min(lookForLine, f.src.Size()-off))
	if readahead.Full(f.src, b, off) != nil { // who reads on meets the error
		return 0, false
	}
	end := byte('\n')
	if f.dialect.Newline == "\r" {
		end = '\r'
	}
	i := bytes.IndexByte(b, end)
	return off + int64(i) + 1, i >= 0 && off+int64(i)+1 < f.src.Size()
}

// segment makes a segment of the sheet's records in f.
func (s *Sheet) segment(f *csvFile, keep int) *segment {
	other, tally := *s, *s.tally
	other.records, other.tally, other.table, other.rec, other.short = f, &tally, s.table.Fork(), Record{}, nil
	other.columns = slices.Clone(s.columns) // what ends a segment is written there
	return &segment{
		sheet: &other, file: f, forked: forked{f.no, s.read, *s.tally}, found: Survey{keep: keep}, done: make(chan struct{}),
	}
}

func (g *segment) run() {
	defer close(g.done)
	defer g.file.in.Close()
	g.err = g.sheet.surveyRest(&g.found)
}

// segment returns a reader of the text from start, whose lines are counted from 1.
func (f *csvFile) segment(ctx context.Context, start, until int64) *csvFile {
	enc := *f.enc
	g := &csvFile{
		ctx: ctx, src: f.src, start: start, enc: &enc, dialect: f.dialect, config: f.config, layout: f.layout, blanks: f.blanks,
		repairs: f.repairs, no: f.no, from: f.from, next: nextSegment{start: until},
	}
	if g.config.Measure != nil {
		g.config.Measure = enc.Encoding.Width
	}
	g.blockSize, g.config.Offset = f.blockSize, start
	g.in = readahead.New(ctx, f.src, f.src.Size(), start, f.blockSize)
	var text io.Reader = asciiReader{g.in}
	if enc.settled {
		text = enc.Encoding.Reader(g.in)
	}
	g.scanner = csv.NewScanner(text, g.config)
	g.split = g.scanner
	return g
}

// asciiReader is for a text whose encoding is not known yet: whoever meets the first character beyond ASCII decides it, and that may be in
// the text before this one.
type asciiReader struct{ in *readahead.Reader }

var errNotASCII = errors.New("the encoding is not known")

func (r asciiReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	if charset.PlainLen(p[:n]) < n {
		return 0, errNotASCII
	}
	return n, err
}

// join adds a segment that begins where the sheet was read to. It reports whether the result is that of reading on, and otherwise changes
// nothing.
func (s *Sheet) join(g *segment, v *Survey) bool {
	f := s.records.(*csvFile)
	ended := errors.Is(g.err, io.EOF) || errors.Is(g.err, errReached)
	work := f.next.work.Plus(g.file.scanner.Work())
	read, tally := s.read+g.sheet.read-g.forked.read, *s.tally
	recordsBefore, linesBefore := f.no-g.forked.records, f.next.line-1
	if !ended || read > s.limits.Rows || !f.scanner.Work().Plus(work).IsUsual(f.config) || !tally.join(g.sheet.tally, &g.forked.tally) ||
		!s.table.Join(g.sheet.table, recordsBefore) {
		return false
	}
	s.read, *s.tally, f.next.work = read, tally, work
	f.no += g.file.no - g.forked.records
	f.next.offset, f.next.line = g.file.next.offset, linesBefore+g.file.next.line
	f.warned.join(g.file.warned, recordsBefore)
	s.short.join(g.sheet.short, recordsBefore)
	v.join(g.found, recordsBefore, linesBefore)
	return true
}

// resume makes the text be read on from where it was read to.
func (f *csvFile) resume() {
	work := f.scanner.Work().Plus(f.next.work)
	f.in.Close()
	f.beginAt(f.next.offset)
	f.scanner.Resume(f.next.line-f.lines, work)
}
