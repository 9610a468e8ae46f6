package upload

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/negotiation"
)

const (
	typeJSON   = "application/json"
	typeNDJSON = "application/x-ndjson"
	pageRows   = 5000 // read at once
)

// PageInput asks for a part of a list that may be long.
type PageInput struct {
	ListInput
	Format string `query:"format" enum:"json,ndjson" doc:"It wins over Accept."`
	Accept string `header:"Accept" hidden:"true"`
}

func (in PageInput) ndjson() bool {
	if in.Format != "" {
		return in.Format == "ndjson"
	}
	return negotiation.SelectQValueFast(in.Accept, []string{typeJSON, typeNDJSON}) == typeNDJSON
}

// total is how many items may be answered: as JSON a page, as NDJSON all that there are, if the caller sets no limit.
func (in PageInput) total() int {
	if in.ndjson() && in.Limit == 0 {
		return math.MaxInt
	}
	return in.limit()
}

// listing is a long list of items T, each at a place P.
type listing[T, P any] struct {
	name  string // the list's own, for its cursors
	head  string // JSON up to the first item
	read  func(ctx context.Context, after P, limit int) (items []T, more bool, err error)
	place func(T) P
	show  func(T) any
}

// answerList answers with a part of a list, as one JSON object with the cursor to go on with, or as NDJSON. It reads a page, writes it
// with no connection to the database held, and reads the next; so it needs memory for one page and a client may take its time. An error
// on the first page is a problem, a later one breaks the connection.
func answerList[T, P any](ctx context.Context, h *Handler, list listing[T, P], in PageInput, start P) (*huma.StreamResponse, error) {
	place, err := decodeCursor(in.Cursor, list.name, start)
	if err != nil {
		return nil, err
	}
	w := &listWriter[T, P]{listing: list, ndjson: in.ndjson(), left: in.total(), last: place}
	if err := w.readPage(ctx); err != nil {
		return nil, err
	}
	header := http.Header{"Content-Type": {typeJSON}, "Vary": {"Accept"}}
	if w.ndjson {
		header.Set("Content-Type", typeNDJSON)
	}
	return h.stream(header, w.write, func() error { return nil }), nil
}

type listWriter[T, P any] struct {
	listing[T, P]
	ndjson bool
	left   int // how many items may still be answered
	page   []T
	more   bool // there are items after the page
	last   P    // the place of the last item read
}

func (w *listWriter[T, P]) readPage(ctx context.Context) (err error) {
	w.page, w.more, err = w.read(ctx, w.last, min(w.left, pageRows))
	w.left -= len(w.page)
	if len(w.page) > 0 {
		w.last = w.place(w.page[len(w.page)-1])
	}
	return err
}

func (w *listWriter[T, P]) write(ctx context.Context, to io.Writer) error {
	out := bufio.NewWriterSize(to, 64<<10)
	if !w.ndjson {
		out.WriteString(w.head) //nolint:errcheck // Flush reports it
	}
	encoder := newEncoder(out)
	for first := true; ; first = false {
		if err := w.writePage(out, encoder, first); err != nil {
			return err
		}
		if !w.more || w.left == 0 {
			break
		}
		if err := errors.Join(out.Flush(), w.readPage(ctx)); err != nil {
			return err
		}
	}
	if !w.ndjson {
		out.WriteString(`],"next":` + w.next() + "}\n") //nolint:errcheck // Flush reports it
	}
	return out.Flush()
}

func (w *listWriter[T, P]) writePage(out *bufio.Writer, encoder *json.Encoder, first bool) error {
	for i, item := range w.page {
		if !w.ndjson && (i > 0 || !first) {
			out.WriteByte(',') //nolint:errcheck // Flush reports it
		}
		if err := encoder.Encode(w.show(item)); err != nil { // it ends the line, which JSON does not mind
			return err
		}
	}
	return nil
}

func (w *listWriter[T, P]) next() string {
	if !w.more {
		return "null"
	}
	return mustJSON(encodeCursor(w.name, w.last))
}

func newEncoder(w io.Writer) *json.Encoder {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder
}
