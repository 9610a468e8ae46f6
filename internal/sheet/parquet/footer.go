package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"sheetdrop/internal/sheet/grid"
)

// The limits of a footer. Its row groups are decoded one at a time.
const (
	maxFooter   = 32 << 20
	tailBytes   = 8 // its length, and the signature
	maxElements = 4 // of the schema, for each column that may be
	maxGroups   = math.MaxInt16
)

// footer is what the end of a file says.
type footer struct {
	schema, groups [][]byte // structs
	start          int64    // where it begins
}

// damaged returns the error of a file that violates the format; what says where, for fmt.
func damaged(what string, args ...any) error {
	return &grid.Error{
		Code:      grid.DamagedFile,
		Message:   "The Parquet file cannot be read, it is truncated or damaged: " + fmt.Sprintf(what, args...) + ".",
		MessageJA: "Parquetファイルが途中で切れているか壊れているため、読めません。",
	}
}

func encrypted() error {
	return &grid.Error{
		Code: grid.Encrypted, Message: "The Parquet file is encrypted. Export it without encryption.",
		MessageJA: "Parquetファイルが暗号化されています。暗号化せずに書き出してください。",
	}
}

// readFooter reads the end of a file.
func readFooter(src io.ReaderAt, size int64, columns int) (*footer, error) {
	tail := make([]byte, tailBytes)
	if size < tailBytes+int64(len(Signature)) {
		return nil, damaged("it has %d bytes", size)
	}
	if _, err := src.ReadAt(tail, size-tailBytes); err != nil {
		return nil, err
	}
	switch string(tail[4:]) {
	case EncryptedSignature:
		return nil, encrypted()
	case Signature:
	default:
		return nil, damaged("its end is missing")
	}
	n := int64(binary.LittleEndian.Uint32(tail))
	if n > maxFooter || n > size-tailBytes-int64(len(Signature)) {
		return nil, damaged("its footer has %d bytes", n)
	}
	b := make([]byte, n)
	start := size - tailBytes - n
	if _, err := src.ReadAt(b, start); err != nil {
		return nil, err
	}
	f, err := parseFooter(b, columns)
	if err == nil {
		f.start = start
	}
	return f, err
}

// The numbers of the footer's fields.
const (
	fieldSchema     = 2
	fieldGroups     = 4
	fieldEncryption = 8
)

func parseFooter(b []byte, columns int) (*footer, error) {
	f, w := &footer{}, &walker{b: b}
	for {
		id, typ, err := w.field()
		switch {
		case err != nil:
		case typ == 0:
			return f, nil
		case id == fieldSchema && typ == typeList:
			f.schema, err = w.elements(maxElements * columns)
		case id == fieldGroups && typ == typeList:
			f.groups, err = w.elements(maxGroups)
		case id == fieldEncryption:
			return nil, encrypted()
		case typ > 2:
			w.memory = 0
			err = w.skip(typ, 0)
		}
		if err != nil {
			return nil, damaged("its footer: %v", err)
		}
	}
}

// rowGroup is what is needed of a row group, without what programs note besides, which the library wants to be complete.
type rowGroup struct {
	Columns thrift.Slice[columnChunk] `thrift:"1,required"`
	NumRows int64                     `thrift:"3,required"`
}

// columnChunk is where the pages of a column are.
type columnChunk struct {
	FilePath string     `thrift:"1,optional"` // of another file that has them
	MetaData columnData `thrift:"3,optional"`
}

type columnData struct {
	Type                 format.Type             `thrift:"1,required"`
	Codec                format.CompressionCodec `thrift:"4,required"`
	TotalCompressedSize  int64                   `thrift:"7,required"`
	DataPageOffset       int64                   `thrift:"9,required"`
	DictionaryPageOffset int64                   `thrift:"11,optional"`
}

// group decodes a row group.
func (f *footer) group(i int) (*rowGroup, error) {
	g := &rowGroup{}
	if _, err := decodeStruct(f.groups[i], g); err != nil {
		return nil, damaged("row group %d: %v", i+1, err)
	}
	return g, nil
}
