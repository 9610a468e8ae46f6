package sheet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"sheetdrop/samples"
)

var (
	errDisk    = errors.New("disk broken")
	errNetwork = fmt.Errorf("get the blob: %w", io.EOF) // as net/http has it for a connection that is closed
)

// brokenSource is a Source that fails from an offset on, but for samples of the size given.
type brokenSource struct {
	io.ReaderAt
	size, from int64
	calls      atomic.Int64
	sparing    int64 // this many calls
	err        error
}

func (s *brokenSource) Size() int64 { return s.size }

func (s *brokenSource) ReadAt(p []byte, off int64) (int, error) {
	if s.calls.Add(1) > s.sparing && off+int64(len(p)) > s.from {
		return 0, s.err
	}
	return s.ReaderAt.ReadAt(p, off)
}

func source(content string) *brokenSource {
	return &brokenSource{ReaderAt: strings.NewReader(content), size: int64(len(content)), from: int64(len(content)) + 1, err: errDisk}
}

// A broken network is no broken file: the error is the Source's, so that the caller tries again.
func TestErrorsOfTheSourceAreNoRefusals(t *testing.T) {
	t.Parallel()
	workbook, err := samples.Files.ReadFile("stock.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"small": "a,b\n1,2\n", "large": strings.Repeat("a,b\n", 2<<20), "workbook": string(workbook),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := source(content)
			src.from = 0
			if _, err := Open(t.Context(), src, Options{}, DefaultLimits()); !errors.Is(err, errDisk) {
				t.Errorf("at once: %v", err)
			}
			short := source(content)
			short.size, short.from = short.size+10, short.from+100
			if _, err := readToEnd(t.Context(), t, short); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("ends too early: %v", err)
			}
		})
	}
}

// The samples can be read, the middle cannot: the rows before it come, then the error, and it stays.
func TestErrorInTheMiddle(t *testing.T) {
	t.Parallel()
	for _, cause := range []error{errDisk, errNetwork} {
		src := source("a,b\n" + strings.Repeat("1,2\n", 1<<20))
		src.sparing, src.from, src.err = windows+1, 3<<20, cause
		rows, err := readToEnd(t.Context(), t, src)
		if err == nil || errors.Is(err, io.EOF) || rows != (3<<20)/4-1 {
			t.Errorf("%v: %d rows, %v", cause, rows, err)
		}
	}
}

func TestCancelledContextEndsTheReading(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, source("a,b\n"), Options{}, DefaultLimits()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	book, err := Open(ctx, source("a,b\n"+strings.Repeat("1,2\n", 1<<20)), Options{}, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	s, err := book.Next()
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = s.Read()
		cancel()
	}
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A small file is read once; of a larger one the samples are read twice and nothing else.
func TestSourceIsReadSparingly(t *testing.T) {
	t.Parallel()
	for rows, want := range map[int]int64{100: 1, 1 << 20: windows + 1 + 5} {
		src := source("a,b\n" + strings.Repeat("1,2\n", rows))
		if _, err := readToEnd(t.Context(), t, src); err != nil {
			t.Fatal(err)
		}
		if n := src.calls.Load(); n != want {
			t.Errorf("%d rows took %d reads, want %d", rows, n, want)
		}
	}
}

// P6: samples lie where the size says, in order, at even offsets, from the first byte to the last.
func TestPlacesOfSamples(t *testing.T) {
	t.Parallel()
	for _, size := range []int64{1, wholeBytes, wholeBytes + 1, 3_000_001, 20 << 20} {
		src, head, err := takeHead(t.Context(), source(strings.Repeat("x", int(size))))
		if err != nil {
			t.Fatal(err)
		}
		list, err := takeSamples(t.Context(), src, head)
		if err != nil {
			t.Fatal(err)
		}
		end := int64(0)
		for _, s := range list {
			if s.off%2 != 0 || s.off < end || s.Head != (s.off == 0) {
				t.Errorf("of %d bytes a sample at %d", size, s.off)
			}
			end = s.off + int64(len(s.Bytes))
		}
		if end != size || !list[len(list)-1].Tail {
			t.Errorf("of %d bytes the samples end at %d", size, end)
		}
	}
}

func readToEnd(ctx context.Context, t *testing.T, src Source) (rows int, err error) {
	t.Helper()
	book, err := Open(ctx, src, Options{}, DefaultLimits())
	if err != nil {
		return 0, err
	}
	defer book.Close()
	s, err := book.Next()
	if err != nil {
		return 0, err
	}
	for {
		rec, err := s.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			if _, again := s.Read(); !errors.Is(again, err) {
				t.Errorf("the error does not stay: %v", again)
			}
			return rows, err
		}
		if rec.Kind == Row {
			rows++
		}
	}
}

// Each read of a blob is a request over the network: a workbook takes few of them, whatever the sizes of its parts.
func TestWorkbookIsReadInBlocks(t *testing.T) {
	t.Parallel()
	rows := text(1, "name", "kind", "price") + tableRows(2, 60_000)
	content := storedParts(t, parts(rows, nil))
	src := source(content)
	if n, err := readToEnd(t.Context(), t, src); err != nil || n != 60_000 {
		t.Fatal(n, err)
	}
	calls, most := src.calls.Load(), 2*src.size/blockBytes+4
	if src.size < 5<<20 || calls > most {
		t.Errorf("%d bytes took %d reads, want at most %d", src.size, calls, most)
	}
}

// A network that breaks while the rows are read is no broken workbook, and the rows before have come.
func TestErrorInTheMiddleOfAWorkbook(t *testing.T) {
	t.Parallel()
	content := storedParts(t, parts(text(1, "name", "kind", "price")+tableRows(2, 60_000), nil))
	for _, cause := range []error{errDisk, errNetwork} {
		src := source(content)
		src.sparing, src.from, src.err = 4, 3<<20, cause
		rows, err := readToEnd(t.Context(), t, src)
		if _, ok := errors.AsType[*Refusal](err); err == nil || ok || rows == 0 {
			t.Errorf("%v: %d rows, %v", cause, rows, err)
		}
	}
}

func TestCancelledContextEndsAWorkbook(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	content := storedParts(t, parts(text(1, "name", "kind", "price")+tableRows(2, 60_000), nil))
	err := eachRecord(ctx, []byte(content), Options{}, DefaultLimits(), func(*Sheet, *Record) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
