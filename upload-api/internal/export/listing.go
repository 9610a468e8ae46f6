package export

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"

	"github.com/danielgtaylor/huma/v2"
)

// PageRows is how many items of a long list are read from the database at once; two such pages are held.
const PageRows = 5000

// PageInput requests a part of a list that may be long.
type PageInput struct {
	ListInput
	Format     string `query:"format" enum:"json,ndjson,csv,xlsx,parquet" doc:"The format of the response. It takes precedence over Accept."`
	Formulas   string `query:"formulas" enum:"keep" doc:"CSV text that a spreadsheet program would take for a formula is prefixed with ', unless this is keep."`
	Encoding   string `query:"encoding" enum:"utf-8,cp932,shift_jis" doc:"The encoding of CSV; shift_jis is another name of cp932."`
	BOM        bool   `query:"bom" doc:"Begin CSV in UTF-8 with a byte order mark, by which Excel knows it."`
	Unmappable string `query:"unmappable" enum:"geta" doc:"With encoding=cp932: write 〓 for a character that CP932 does not have. Without it such a list is refused."`
	Accept     string `header:"Accept" hidden:"true"`
}

// total returns how many items a response may have: one page as JSON, otherwise all of them unless the caller sets a
// limit.
func (in PageInput) total() int {
	if in.format() != formatJSON && in.Limit == 0 {
		return math.MaxInt
	}
	return in.PageSize()
}

// listing is a long list of items T, each at a position P.
type listing[T, P any] struct {
	name  string                                                                          // identifies the list in its cursors
	head  string                                                                          // JSON before the first item
	read  func(ctx context.Context, after P, limit int) (items []T, more bool, err error) // valid until two more pages have been read
	place func(T) P
	json  func(dst []byte, item T) []byte // appends the item as JSON
	table table[T]
}

// asJSON returns how items are appended that are marshalled as a value.
func asJSON[T, V any](value func(T) V) func(dst []byte, item T) []byte {
	var b bytes.Buffer
	encoder := newEncoder(&b)
	return func(dst []byte, item T) []byte {
		b.Reset()
		if err := encoder.Encode(value(item)); err != nil {
			panic(err) // types that do not marshal
		}
		return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
	}
}

// writeBuffer is how much of an answer is collected before it is sent, in bytes.
const writeBuffer = 64 << 10

// answerList responds with a part of a list: as one JSON object with the cursor of the next part, as NDJSON, or as a table.
// No connection to the database is held for longer than it takes to read a page, and there is memory for two of them, so the client may be
// slow. An error on the first page, or of an inspection, becomes a problem, a later one aborts the
// connection.
func answerList[T, P any](
	ctx context.Context, e *Exporter, owner string, list listing[T, P], in PageInput, start P,
) (*huma.StreamResponse, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	place, err := DecodeCursor(in.Cursor, list.name, start)
	if err != nil {
		return nil, err
	}
	w := newListWriter(list, in, place)
	to, err := w.prepare(ctx, in)
	if err != nil {
		return nil, err
	}
	header, err := listHeader(ctx, e, owner, in, &list.table)
	if err != nil {
		return nil, err
	}
	if in.format() == formatJSON && w.more && w.left == 0 {
		header.Set("Link", linkNext(ctx, EncodeCursor(w.name, w.last)))
	}
	write := func(ctx context.Context, out io.Writer) error {
		to.to(out)
		return w.write(ctx, to)
	}
	return e.stream(header, write, func() error { return nil }), nil
}

type listWriter[T, P any] struct {
	listing[T, P]
	left int // how many more items may be sent
	page []T
	more bool // there are items after the page
	last P    // position of the last item read
}

func newListWriter[T, P any](list listing[T, P], in PageInput, start P) *listWriter[T, P] {
	return &listWriter[T, P]{listing: list, left: in.total(), last: start}
}

// prepare reads the first page, and returns a writer that has looked at all that it has to see before it begins.
func (w *listWriter[T, P]) prepare(ctx context.Context, in PageInput) (itemWriter[T], error) {
	begun := *w
	if err := w.readPage(ctx); err != nil {
		return nil, err
	}
	to := w.writer(in)
	further, err := w.inspect(ctx, to)
	if err != nil || !further {
		return to, err
	}
	*w = begun
	return to, w.readPage(ctx)
}

func (w *listWriter[T, P]) readPage(ctx context.Context) (err error) {
	w.page, w.more, err = w.read(ctx, w.last, min(w.left, PageRows))
	w.left -= len(w.page)
	if len(w.page) > 0 {
		w.last = w.place(w.page[len(w.page)-1])
	}
	return err
}

// inspect lets a writer look at the items that it asks for. It reports whether it has read further pages, and the first one is gone.
func (w *listWriter[T, P]) inspect(ctx context.Context, to itemWriter[T]) (further bool, err error) {
	s, ok := to.(inspector[T])
	if !ok {
		return false, nil
	}
	for {
		for _, item := range w.page {
			s.inspect(item)
		}
		if !s.inspectsAll() || !w.more || w.left == 0 {
			return further, s.settle()
		}
		further = true
		if err := w.readPage(ctx); err != nil {
			return further, err
		}
	}
}

// write writes all pages. While it writes one, the next one is read.
func (w *listWriter[T, P]) write(ctx context.Context, to itemWriter[T]) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	to.begin()
	for w.more && w.left > 0 {
		page, ahead := w.page, make(chan error, 1)
		go func() { ahead <- w.readPage(ctx) }()
		err := errors.Join(writePage(to, page), to.Flush())
		if err != nil {
			stop()
		}
		if err := errors.Join(err, <-ahead); err != nil {
			return err
		}
	}
	if err := writePage(to, w.page); err != nil {
		return err
	}
	to.end(w.next())
	return to.finish()
}

func writePage[T any](to itemWriter[T], page []T) error {
	for _, item := range page {
		if err := to.item(item); err != nil {
			return err
		}
	}
	return nil
}

func (w *listWriter[T, P]) next() string {
	if !w.more {
		return "null"
	}
	return mustJSON(EncodeCursor(w.name, w.last))
}
