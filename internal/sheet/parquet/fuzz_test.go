package parquet

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"sheetdrop/internal/sheet/grid"
)

// FuzzReader reads any bytes. It must not panic, all rows have as many cells as the file has columns, and none is longer than allowed.
func FuzzReader(f *testing.F) {
	for _, name := range []string{"types-v1.parquet", "types-v2.parquet"} {
		content, err := os.ReadFile("../testdata/formats/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		c := Config{Columns: 100, RowBytes: 4096, TextBytes: 1 << 20, UnzippedBytes: 1 << 20, UnzipRatio: 200}
		file, err := Open(bytes.NewReader(content), int64(len(content)), c)
		if err != nil {
			checkFault(t, err)
			return
		}
		defer file.Close()
		for no := int64(1); ; no++ {
			row, err := file.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				checkFault(t, err)
				return
			}
			size := 0
			for _, cell := range row.Cells {
				size += len(cell)
			}
			if row.No != no || len(row.Cells) != len(file.Columns()) || size > c.RowBytes {
				t.Fatalf("row %d is %d with %d cells of %d bytes", no, row.No, len(row.Cells), size)
			}
		}
	})
}

// checkFault checks that the file is at fault for an error.
func checkFault(t *testing.T, err error) {
	t.Helper()
	if _, ok := errors.AsType[*grid.Error](err); !ok && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
}

// FuzzValues reads any bytes as a page's values, of each type in each encoding, and writes them as text.
func FuzzValues(f *testing.F) {
	f.Add([]byte("\x80\x01\x04\x03\x02\x04\x00\x00\x00\x00"), uint8(format.DeltaBinaryPacked), uint8(format.Int32), uint8(0), uint8(0))
	f.Add([]byte("\x80\x01\x04\x02\x02\x00\x00\x00\x00\x00ab"), uint8(format.DeltaLengthByteArray), uint8(format.ByteArray), uint8(0), uint8(0))
	f.Add([]byte("\x80\x01\x04\x01\x00\x80\x01\x04\x01\x04ab"), uint8(format.DeltaByteArray), uint8(format.FixedLenByteArray), uint8(2), uint8(5))
	f.Add([]byte("\x02\x03\x1b\x02\x01"), uint8(format.RLEDictionary), uint8(format.ByteArray), uint8(3), uint8(2))
	f.Add([]byte("\x02\x00\x00\x00\x08\x01"), uint8(format.RLE), uint8(format.Boolean), uint8(0), uint8(0))
	f.Add(make([]byte, 48), uint8(format.ByteStreamSplit), uint8(format.Double), uint8(0), uint8(0))
	f.Fuzz(func(t *testing.T, b []byte, encoding, kind, length, annotation uint8) {
		e := &format.SchemaElement{}
		e.Type.Set(format.Type(kind % 8))
		e.TypeLength.Set(1 + int32(length%20))
		e.Scale.Set(int32(length))
		if annotation < 22 {
			e.ConvertedType.Set(deprecated.ConvertedType(annotation))
		}
		l := &leaf{kind: e.Type.V, length: int(e.TypeLength.V), node: &node{}}
		l.text, l.bare = textOf(e)
		dict, _ := newDictionary(l, b, len(b)/20)
		values, err := decoderOf(l, format.Encoding(encoding%10), b, dict)
		if err != nil {
			return
		}
		for range 1000 {
			v, err := values.next()
			if err != nil {
				return
			}
			if text := l.text(nil, v); len(text) > 4*len(b)+2048 {
				t.Fatalf("%d bytes of text", len(text))
			}
		}
	})
}
