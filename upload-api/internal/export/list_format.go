package export

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"path"
	"strings"

	"github.com/danielgtaylor/huma/v2/negotiation"
)

// The formats of a long list, and media types of answers.
const (
	formatJSON   = "json"
	formatNDJSON = "ndjson"
	formatCSV    = "csv"

	TypeBytes  = "application/octet-stream"
	TypeJSON   = "application/json"
	TypeNDJSON = "application/x-ndjson"
	TypeCSV    = "text/csv"
)

func (in PageInput) format() string {
	if in.Format != "" {
		return in.Format
	}
	switch negotiation.SelectQValueFast(in.Accept, []string{TypeJSON, TypeNDJSON, TypeCSV}) {
	case TypeNDJSON:
		return formatNDJSON
	case TypeCSV:
		return formatCSV
	}
	return formatJSON
}

// itemWriter writes a list in one format. Write errors are reported by Flush.
type itemWriter[T any] interface {
	begin()
	item(T) error
	end(next string) // next is the cursor to go on with, as JSON
	Flush() error
}

// listHeader returns the headers of a list's response. CSV gets a file name, because people save and open it.
func listHeader[T any](ctx context.Context, e *Exporter, owner string, in PageInput, table csvTable[T]) (http.Header, error) {
	header := http.Header{"Content-Type": {TypeJSON}, "Vary": {"Accept"}}
	switch in.format() {
	case formatNDJSON:
		header.Set("Content-Type", TypeNDJSON)
	case formatCSV:
		found, err := e.DB.File(ctx, owner, table.fileID)
		if err != nil {
			return nil, err
		}
		header.Set("Content-Type", TypeCSV+"; charset=utf-8; header=present")
		header.Set("Content-Disposition", attachment(strings.TrimSuffix(found.File.Name, path.Ext(found.File.Name))+table.ending))
	}
	return header, nil
}

func (l listing[T, P]) writer(in PageInput, out *bufio.Writer) itemWriter[T] {
	lines := ndjsonWriter[T]{out, newEncoder(out), l.show}
	switch in.format() {
	case formatCSV:
		return &csvWriter[T]{Writer: out, table: l.table, text: in.csvText()}
	case formatNDJSON:
		return lines
	}
	return &jsonWriter[T]{ndjsonWriter: lines, head: l.head}
}

// ndjsonWriter writes one item per line.
type ndjsonWriter[T any] struct {
	*bufio.Writer
	encoder *json.Encoder
	show    func(T) any
}

func (w ndjsonWriter[T]) begin()            {}
func (w ndjsonWriter[T]) item(item T) error { return w.encoder.Encode(w.show(item)) }
func (w ndjsonWriter[T]) end(string)        {}

// jsonWriter writes one object. Each item ends with a line break, which JSON permits.
type jsonWriter[T any] struct {
	ndjsonWriter[T]
	head  string
	begun bool
}

func (w *jsonWriter[T]) begin() {
	w.WriteString(w.head) //nolint:errcheck // Flush reports it
}

func (w *jsonWriter[T]) item(item T) error {
	if w.begun {
		w.WriteByte(',') //nolint:errcheck // Flush reports it
	}
	w.begun = true
	return w.ndjsonWriter.item(item)
}

func (w *jsonWriter[T]) end(next string) {
	w.WriteString(`],"next":` + next + "}\n") //nolint:errcheck // Flush reports it
}

func newEncoder(w io.Writer) *json.Encoder {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder
}
