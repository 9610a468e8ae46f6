package sheet

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// craftedParquet is a Parquet file that no program would write: pages and a footer, which says of them what a test likes.
type craftedParquet struct {
	body   bytes.Buffer
	footer format.FileMetaData
}

func marshal(t testing.TB, v any) []byte {
	t.Helper()
	b, err := thrift.Marshal(new(thrift.CompactProtocol), v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func some[T any](v T) thrift.Null[T] { return thrift.Null[T]{V: v, Valid: true} }

// newCrafted returns a file with fields of a type below its root.
func newCrafted(fields ...format.SchemaElement) *craftedParquet {
	c := &craftedParquet{footer: format.FileMetaData{Version: 1}}
	c.body.WriteString("PAR1")
	c.footer.Schema = append(c.footer.Schema, format.SchemaElement{Name: "root", NumChildren: some(int32(len(fields)))})
	c.footer.Schema = append(c.footer.Schema, fields...)
	return c
}

func field(name string, kind format.Type, repetition format.FieldRepetitionType) format.SchemaElement {
	return format.SchemaElement{Name: name, Type: some(kind), RepetitionType: some(repetition)}
}

// page writes a page of values; size is what it says that it unpacks to.
func (c *craftedParquet) page(t testing.TB, values int32, encoding format.Encoding, stored []byte, size int) {
	t.Helper()
	c.write(t, format.PageHeader{Type: format.DataPage, DataPageHeader: some(format.DataPageHeader{
		NumValues: values, Encoding: encoding, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE,
	})}, stored, size)
}

func (c *craftedParquet) dictionary(t testing.TB, values int32, stored []byte, size int) {
	t.Helper()
	c.write(t, format.PageHeader{Type: format.DictionaryPage, DictionaryPageHeader: some(format.DictionaryPageHeader{NumValues: values})}, stored, size)
}

func (c *craftedParquet) write(t testing.TB, h format.PageHeader, stored []byte, size int) {
	t.Helper()
	h.CompressedPageSize, h.UncompressedPageSize = int32(len(stored)), int32(size)
	c.body.Write(marshal(t, &h))
	c.body.Write(stored)
}

// group adds a row group, whose columns all have the bytes from an offset on.
func (c *craftedParquet) group(rows int64, columns int, kind format.Type, codec format.CompressionCodec, from int) {
	chunk := format.ColumnChunk{MetaData: format.ColumnMetaData{
		Type: kind, Codec: codec, NumValues: rows, DataPageOffset: int64(from), TotalCompressedSize: int64(c.body.Len() - from),
		Encoding: []format.Encoding{format.Plain}, PathInSchema: []string{"x"},
	}}
	c.footer.RowGroups = append(c.footer.RowGroups, format.RowGroup{NumRows: rows, Columns: slices.Repeat([]format.ColumnChunk{chunk}, columns)})
	c.footer.NumRows += rows
}

// file returns the file.
func (c *craftedParquet) file(t testing.TB) []byte {
	t.Helper()
	return c.with(marshal(t, &c.footer))
}

func (c *craftedParquet) with(footer []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(slices.Concat(c.body.Bytes(), footer), uint32(len(footer))), "PAR1"...)
}

// one returns a file of one column with one page.
func oneColumn(t testing.TB, f format.SchemaElement, rows int64, codec format.CompressionCodec, values int32, encoding format.Encoding, stored []byte, size int) []byte {
	t.Helper()
	c := newCrafted(f)
	c.page(t, values, encoding, stored, size)
	c.group(rows, 1, f.Type.V, codec, 4)
	return c.file(t)
}

func gzipped(t testing.TB, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func brotlied(t testing.TB, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := brotli.NewWriterLevel(&out, 2)
	if _, err := w.Write(b); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zstdOf(t testing.TB, b []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(b, nil)
}

// runOf returns a run of equal numbers that each take a byte, with its length before it if it is one of levels.
func runOf(n uint64, value byte) []byte { return append(binary.AppendUvarint(nil, n<<1), value) }

func sized(b []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

// P9: Parquet files that say they are larger than they are, or are smaller than what they stand for.
func TestHostileParquet(t *testing.T) {
	integer, text := field("n", format.Int32, format.Required), field("s", format.ByteArray, format.Required)
	optional, repeated := field("n", format.Int32, format.Optional), field("n", format.Int32, format.Repeated)
	zeros := make([]byte, 63<<20)
	many := func(n int) *craftedParquet {
		return newCrafted(slices.Repeat([]format.SchemaElement{optional}, n)...)
	}
	deep := func(n int) []byte {
		group := format.SchemaElement{Name: "g", NumChildren: some(int32(1)), RepetitionType: some(format.Repeated)}
		c := newCrafted(append(slices.Repeat([]format.SchemaElement{group}, n), integer)...)
		c.footer.Schema[0].NumChildren = some(int32(1))
		return c.file(t)
	}
	footer := func(b string) []byte { return newCrafted().with([]byte(b)) }
	huge := string(binary.AppendUvarint(nil, math.MaxInt32))
	bombs := func(codec format.CompressionCodec, packed []byte) []byte {
		return oneColumn(t, integer, 1, codec, 1, format.Plain, packed, 4)
	}
	for name, c := range map[string]struct {
		content []byte
		codes   string
		memory  uint64 // bytes
	}{
		"no footer":                   {[]byte("PAR1\x15\x04PAR1"), "refused damaged_file", 0},
		"a footer of 4 GiB":           {append([]byte("PAR1\x15"), "\xff\xff\xff\xffPAR1"...), "refused damaged_file", 0},
		"a footer of 32 MiB":          {append(append([]byte("PAR1\x15"), zeros[:33<<20]...), "\x00\x00\x00\x02PAR1"...), "refused damaged_file", 48 << 20},
		"a list of two billion":       {footer("\x15\x02\x19\xfc" + huge), "refused damaged_file", 0},
		"a row group of two billion":  {footer("\x15\x02\x39\x1c\x19\xfc" + huge), "refused damaged_file", 0},
		"a million empty structures":  {footer("\x15\x02\x39\x1c\x19\xfc" + string(binary.AppendUvarint(nil, 1<<20)) + strings.Repeat("\x00", 1<<20)), "refused damaged_file", 0},
		"encrypted":                   {[]byte("PARE\x15\x00\x00\x00\x00\x00PARE"), "refused encrypted", 0},
		"no columns":                  {newCrafted().file(t), "refused empty_file", 0},
		"nested deeply":               {deep(1000), "refused damaged_file", 0},
		"nested less deeply":          {deep(31), "", 0},
		"20,000 columns":              {many(20_000).file(t), "refused too_many_columns", 64 << 20},
		"fewer columns than it says":  {newCrafted(slices.Repeat([]format.SchemaElement{integer}, 3)...).with(marshal(t, &format.FileMetaData{Schema: []format.SchemaElement{{Name: "r", NumChildren: some(int32(9))}, integer}})), "refused damaged_file", 0},
		"a page that says 2 GiB":      {oneColumn(t, integer, 1, format.Zstd, 1, format.Plain, zstdOf(t, zeros[:4]), math.MaxInt32), "refused unzipped_too_large", 0},
		"a page of zeros, gzip":       {bombs(format.Gzip, gzipped(t, zeros)), "refused damaged_file", 0},
		"a page of zeros, zstd":       {bombs(format.Zstd, zstdOf(t, zeros)), "refused damaged_file", 0},
		"a page of zeros, brotli":     {bombs(format.Brotli, brotlied(t, zeros)), "refused damaged_file", 0},
		"a page of zeros, snappy":     {bombs(format.Snappy, snappy.Encode(nil, zeros[:16<<20])), "refused damaged_file", 48 << 20},
		"a page of zeros, lz4":        {bombs(format.Lz4Raw, append([]byte{0x1f, 0, 1, 0}, slices.Repeat([]byte{255}, 1<<20)...)), "refused damaged_file", 0},
		"a page of 63 MiB":            {oneColumn(t, integer, 1, format.Zstd, 1, format.Plain, zstdOf(t, zeros), len(zeros)), "refused unzip_ratio", 96 << 20},
		"an unknown codec":            {bombs(format.LZO, zeros[:4]), "refused unsupported_format", 0},
		"two billion values":          {oneColumn(t, integer, math.MaxInt32, format.Uncompressed, math.MaxInt32, format.Plain, zeros[:4000], 4000), "refused damaged_file", 0},
		"two billion nulls":           {oneColumn(t, optional, math.MaxInt32, format.Uncompressed, math.MaxInt32, format.Plain, sized(runOf(math.MaxInt32, 0)), 10), "refused unzipped_too_large", 0},
		"two billion values of a row": {oneColumn(t, repeated, 1, format.Uncompressed, math.MaxInt32, format.Plain, slices.Concat(sized(slices.Concat(runOf(1, 0), runOf(math.MaxInt32, 1))), sized(runOf(math.MaxInt32, 0))), 22), "refused unzipped_too_large", 0},
		"more rows than values":       {oneColumn(t, integer, math.MaxInt32, format.Uncompressed, 1, format.Plain, zeros[:4], 4), "refused damaged_file", 0},
		"minus one row":               {oneColumn(t, integer, -1, format.Uncompressed, 1, format.Plain, zeros[:4], 4), "refused damaged_file", 0},
		"a text that ends elsewhere":  {oneColumn(t, text, 1, format.Uncompressed, 1, format.Plain, []byte("\xff\xff\xff\x7fx"), 5), "refused damaged_file", 0},
		"a run of two billion":        {oneColumn(t, field("b", format.Boolean, format.Required), 1<<20, format.Uncompressed, 1<<20, format.RLE, sized(runOf(1<<31, 1)), 10), "", 0},
		"differences without end":     {oneColumn(t, integer, 1, format.Uncompressed, 1, format.DeltaBinaryPacked, []byte("\x80\x80\x40\x04\xff\xff\xff\xff\x7f\x00"), 10), "refused damaged_file", 0},
		"texts without end":           {oneColumn(t, text, 1, format.Uncompressed, 1, format.DeltaByteArray, []byte("\x80\x80\x40\x04\xff\xff\xff\xff\x7f\x00"), 10), "refused damaged_file", 0},
	} {
		t.Run(name, func(t *testing.T) {
			got := tallyOf(t, c.content, Options{}, DefaultLimits())
			if got.codes != c.codes {
				t.Errorf("%+v, want %q", got, c.codes)
			}
			if most := max(c.memory, 24<<20); got.allocated > most {
				t.Errorf("took %d KiB of memory", got.allocated>>10)
			}
		})
	}
}

// P9: a dictionary's text that each row has, and pages that each column or row group has, stand for more than the file.
func TestHostileParquetRepeats(t *testing.T) {
	text := field("s", format.ByteArray, format.Required)
	long := sized(bytes.Repeat([]byte("x"), 1<<20))
	bomb := newCrafted(text)
	bomb.dictionary(t, 1, long, len(long))
	bomb.page(t, 1<<20, format.RLEDictionary, []byte{0}, 1)
	bomb.group(1<<20, 1, format.ByteArray, format.Uncompressed, 4)

	shared := newCrafted(slices.Repeat([]format.SchemaElement{text}, 1000)...)
	shared.page(t, 2, format.Plain, slices.Repeat(long, 2), 2*len(long))
	shared.group(2, 1000, format.ByteArray, format.Uncompressed, 4)

	groups := newCrafted(text)
	groups.page(t, 2, format.Plain, slices.Repeat(long, 2), 2*len(long))
	for range 1000 {
		groups.group(2, 1, format.ByteArray, format.Uncompressed, 4)
	}

	for name, c := range map[string]struct {
		content []byte
		codes   string
	}{
		"a text in a million rows":   {bomb.file(t), "refused unzipped_too_large"},
		"a page of all columns":      {shared.file(t), "refused damaged_file"},
		"a page of all row groups":   {groups.file(t), "refused damaged_file"},
		"a long name in nested rows": {longNames(t), "cell_too_long refused too_many_rejects"},
	} {
		t.Run(name, func(t *testing.T) {
			got := tallyOf(t, c.content, Options{}, DefaultLimits())
			if got.codes != c.codes {
				t.Errorf("%+v, want %q", got, c.codes)
			}
			if got.allocated > 64<<20 {
				t.Errorf("took %d KiB of memory", got.allocated>>10)
			}
		})
	}
}

// longNames returns a file whose rows have a short value in a structure with a long name.
func longNames(t testing.TB) []byte {
	t.Helper()
	c := &craftedParquet{footer: format.FileMetaData{Schema: []format.SchemaElement{
		{Name: "root", NumChildren: some(int32(1))}, {Name: "s", NumChildren: some(int32(1)), RepetitionType: some(format.Required)},
		field(strings.Repeat("n", 1<<20), format.Int32, format.Optional),
	}}}
	c.body.WriteString("PAR1")
	c.page(t, 1000, format.Plain, sized(runOf(1000, 0)), 7)
	c.group(1000, 1, format.Int32, format.Uncompressed, 4)
	return c.file(t)
}

// P5: a Parquet file that is cut off anywhere, or of which any bytes are wrong, is read or refused, but never panics and never runs on.
func TestDamagedParquet(t *testing.T) {
	for _, name := range []string{"types-v1.parquet", "types-v2.parquet"} {
		whole, err := os.ReadFile(filepath.Join("testdata", "formats", name))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 60 {
			cut := whole[:len(whole)*i/60]
			if len(cut) > 5 {
				if got := refusalOf(t, string(cut), Options{}, DefaultLimits()); got != "refused "+string(DamagedFile) {
					t.Errorf("%s, %d bytes: %q", name, len(cut), got)
				}
			}
		}
		for i := range 500 {
			broken := slices.Clone(whole)
			for k := range 1 + i%4 {
				broken[(i*7919+k*104729)%len(broken)] ^= byte(1 << (i % 8))
			}
			if got := tallyOf(t, broken, Options{}, DefaultLimits()); got.allocated > 64<<20 {
				t.Errorf("%s, %d: took %d KiB", name, i, got.allocated>>10)
			}
		}
	}
}
