package export

import (
	"bufio"
	"context"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2/negotiation"

	"sheetdrop/upload-api/internal/problem"
)

// The formats of a long list, and media types of answers.
const (
	formatJSON    = "json"
	formatNDJSON  = "ndjson"
	formatCSV     = "csv"
	formatXLSX    = "xlsx"
	formatParquet = "parquet"

	TypeBytes   = "application/octet-stream"
	TypeJSON    = "application/json"
	TypeNDJSON  = "application/x-ndjson"
	TypeCSV     = "text/csv"
	TypeXLSX    = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	TypeParquet = "application/vnd.apache.parquet"
)

// formats maps the media types that Accept may name, besides JSON.
var formats = map[string]string{TypeNDJSON: formatNDJSON, TypeCSV: formatCSV, TypeXLSX: formatXLSX, TypeParquet: formatParquet}

func (in PageInput) format() string {
	if in.Format != "" {
		return in.Format
	}
	chosen := negotiation.SelectQValueFast(in.Accept, []string{TypeJSON, TypeNDJSON, TypeCSV, TypeXLSX, TypeParquet})
	if format, known := formats[chosen]; known {
		return format
	}
	return formatJSON
}

// isTable reports whether the format has columns, and so no objects.
func (in PageInput) isTable() bool {
	format := in.format()
	return format == formatCSV || format == formatXLSX || format == formatParquet
}

// check returns the problem of parameters that the format does not have.
func (in PageInput) check() error {
	format := in.format()
	switch {
	case format != formatCSV && in.Encoding != "":
		return problem.Parameter("query.encoding", "Only CSV can have another encoding.")
	case format != formatCSV && in.BOM:
		return problem.Parameter("query.bom", "Only CSV can have a byte order mark.")
	case in.BOM && in.japanese():
		return problem.Parameter("query.bom", "CP932 has no byte order mark.")
	case in.Unmappable != "" && !in.japanese():
		return problem.Parameter("query.unmappable", "UTF-8 has all characters; this is for encoding=cp932.")
	}
	return nil
}

// itemWriter writes a list in one format. Write errors are reported by Flush and finish.
type itemWriter[T any] interface {
	to(io.Writer) // where to write, once the response has begun
	begin()
	item(T) error
	end(next string) // next is the cursor to go on with, as JSON
	Flush() error    // between two pages
	finish() error   // after the end
}

// inspector is an itemWriter that has to look at items before it begins.
type inspector[T any] interface {
	inspectsAll() bool // and not only the first page
	inspect(T)
	settle() error // why the list cannot be written, as a problem
}

// listHeader returns the headers of a list's response. A table gets a file name, because people save and open it.
func listHeader[T any](ctx context.Context, e *Exporter, owner string, in PageInput, t *table[T]) (http.Header, error) {
	header := http.Header{"Content-Type": {TypeJSON}, "Vary": {"Accept", "Accept-Language"}}
	switch in.format() {
	case formatNDJSON:
		header.Set("Content-Type", TypeNDJSON)
	case formatCSV:
		charset := "utf-8"
		if in.japanese() {
			charset = "windows-31j"
		}
		return header, t.download(ctx, e, owner, header, TypeCSV+"; charset="+charset+"; header=present", ".csv")
	case formatXLSX:
		return header, t.download(ctx, e, owner, header, TypeXLSX, ".xlsx")
	case formatParquet:
		return header, t.download(ctx, e, owner, header, TypeParquet, ".parquet")
	}
	return header, nil
}

func (l listing[T, P]) writer(in PageInput) itemWriter[T] {
	switch in.format() {
	case formatCSV:
		return newCSVWriter(in, l.table)
	case formatXLSX:
		if l.table.book != nil {
			return l.table.book()
		}
		return newSheetWriter(l.table)
	case formatParquet:
		return newParquetWriter(l.table)
	case formatNDJSON:
		return &ndjsonWriter[T]{json: l.json}
	}
	return &jsonWriter[T]{ndjsonWriter: ndjsonWriter[T]{json: l.json}, head: l.head}
}

// ndjsonWriter writes one item per line.
type ndjsonWriter[T any] struct {
	*bufio.Writer
	json func(dst []byte, item T) []byte
	line []byte
}

func (w *ndjsonWriter[T]) to(out io.Writer) { w.Writer = bufio.NewWriterSize(out, writeBuffer) }

func (w *ndjsonWriter[T]) begin() {}

func (w *ndjsonWriter[T]) item(item T) error {
	w.line = append(w.json(w.line[:0], item), '\n')
	_, err := w.Write(w.line)
	return err
}

func (w *ndjsonWriter[T]) end(string)    {}
func (w *ndjsonWriter[T]) finish() error { return w.Flush() }

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
