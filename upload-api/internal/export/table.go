package export

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"strings"

	"github.com/google/uuid"

	"sheetdrop/internal/sheet/types"
)

// table describes how a list is written as a table: as CSV, as a workbook, or as Parquet.
type table[T any] struct {
	name    string    // of what it comes from, unless that is a file
	fileID  uuid.UUID // the file it comes from: its name becomes part of the download's name
	ending  string    // what follows it, such as .sheet1
	title   string    // of the worksheet
	columns []tableColumn
	split   func(T) []T // splits an item into several records; nil for one record per item
	rowNo   func(T) int64
	csv     func(T) [][]byte     // cells as CSV text; nil cells are null; valid until the next call
	values  func(T) []value      // valid until the next call
	book    func() itemWriter[T] // writes a workbook of its own kind; nil: the values
}

// records calls yield for each record of an item.
func (t *table[T]) records(item T, yield func(T) error) error {
	if t.split == nil {
		return yield(item)
	}
	for _, part := range t.split(item) {
		if err := yield(part); err != nil {
			return err
		}
	}
	return nil
}

// tableColumn is a column of a table, with what is known about its values.
type tableColumn struct {
	name string
	types.Report
}

// value is a cell of a table.
type value struct {
	null  bool
	kind  types.Type // the column's, or text if the cell does not have that
	text  string     // as Converter.Value has it
	truth bool       // a boolean's
}

// typedValue returns a cell as a value of its column's type, as the converter of the column has it.
func typedValue(column types.Type, converter types.Converter, cell []byte) value {
	found, fits := converter.Value(cell)
	kind := column
	if !fits {
		kind = types.Text
	}
	switch found := found.(type) {
	case bool:
		return value{kind: kind, truth: found}
	case json.Number:
		return value{kind: kind, text: string(found)}
	case string:
		return value{kind: kind, text: found}
	}
	return value{null: true}
}

// rawText returns a cell as the text that stands in the file.
func rawText(cell []byte) value {
	return value{null: cell == nil, kind: types.Text, text: string(cell)}
}

// download sets the headers of a file that people save and open: its media type, and its name after that of the uploaded file, or of the
// target.
func (t *table[T]) download(ctx context.Context, e *Exporter, owner string, header http.Header, mediaType, extension string) error {
	name := t.name
	if name == "" {
		found, err := e.DB.File(ctx, owner, t.fileID)
		if err != nil {
			return fmt.Errorf("read the file's name: %w", err)
		}
		name = strings.TrimSuffix(found.File.Name, path.Ext(found.File.Name))
	}
	header.Set("Content-Type", mediaType)
	header.Set("Content-Disposition", attachment(name+t.ending+extension))
	return nil
}
