package parquet

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/parquet-go/parquet-go/format"

	"sheetdrop/internal/sheet/grid"
)

// The limits of a page's header, which may have the least and the greatest value.
const (
	usualHeader = 1 << 10
	maxHeader   = 1 << 20
)

// chunk reads the pages of a column in a row group.
type chunk struct {
	file  *File
	leaf  *leaf
	meta  *columnData
	in    *bufio.Reader
	left  int64 // bytes of the chunk
	head  int   // bytes of the current page's header
	known int64 // rows that were read before: their pages do not count against the limits again
	rows  int64 // that begin in the pages so far
	dict  *dictionary

	levels     int // of the current page, that follow
	repetition hybrid
	definition hybrid
	values     decoder
}

// chunk returns the chunk of a column.
func (f *File) chunk(l *leaf, c *columnChunk, known int64) (*chunk, error) {
	m := &c.MetaData
	start := m.DataPageOffset
	if m.DictionaryPageOffset > 0 && m.DictionaryPageOffset < start {
		start = m.DictionaryPageOffset
	}
	if c.FilePath != "" || m.Type != l.kind || start < int64(len(Signature)) || m.TotalCompressedSize < 0 || start > f.footer.start-m.TotalCompressedSize {
		return nil, damaged("column %d: its pages are not in the file", l.index+1)
	}
	f.in.Reset(io.NewSectionReader(f.src, start, m.TotalCompressedSize))
	return &chunk{file: f, leaf: l, meta: m, in: f.in, left: m.TotalCompressedSize, known: known}, nil
}

// fail returns the error of a page that violates the format; one of the source or the disk stays.
func (c *chunk) fail(err error) error {
	if fault, ok := errors.AsType[*grid.Error](err); ok {
		return fault
	}
	return damaged("a page of column %d: %v", c.leaf.index+1, err)
}

// level is what the file says of a value: whether it begins a row or goes on with a list, and how much of it there is.
type level struct{ repetition, definition int }

// next returns the next value's levels, and the value itself if it is there. It returns io.EOF behind the last one.
func (c *chunk) next() (at level, v value, err error) {
	for c.levels == 0 {
		if err := c.page(); err != nil {
			return at, v, err
		}
	}
	c.levels--
	n := c.leaf.node
	if n.rep > 0 {
		at.repetition, err = levelOf(&c.repetition, n.rep)
	}
	if n.def > 0 && err == nil {
		at.definition, err = levelOf(&c.definition, n.def)
	}
	if at.definition == n.def && err == nil {
		v, err = c.values.next()
	}
	if err != nil {
		return at, v, c.fail(err)
	}
	if at.repetition == 0 {
		c.rows++
	}
	return at, v, nil
}

func levelOf(h *hybrid, most int) (int, error) {
	v, err := h.next()
	if err == nil && int64(v) > int64(most) {
		err = errValues
	}
	return int(v), err
}

// page reads the next page, a dictionary's or one of values.
func (c *chunk) page() error {
	if c.left == 0 {
		return io.EOF
	}
	h, err := c.header()
	if err != nil {
		return c.fail(err)
	}
	stored, size := int(h.CompressedPageSize), int(h.UncompressedPageSize)
	if stored < 0 || size < 0 || stored > maxPage || size > maxPage {
		return c.fail(&grid.Error{
			Code:      grid.UnzippedTooLarge,
			Message:   fmt.Sprintf("A page of the Parquet file has %d bytes; the limit is %d.", max(stored, size), maxPage),
			MessageJA: "Parquetファイルのページのサイズが上限を超えています。",
		})
	}
	if int64(stored) > c.left {
		return c.fail(io.ErrUnexpectedEOF)
	}
	if c.left -= int64(stored); c.rows >= c.known {
		if err := c.file.account(int64(c.head+stored), int64(size)); err != nil {
			return err
		}
	}
	in := newSummed(c.in, stored, h.CRC)
	switch {
	case h.Type == format.DictionaryPage && h.DictionaryPageHeader.Valid:
		err = c.readDictionary(in, &h.DictionaryPageHeader.V, stored, size)
	case h.Type == format.DataPage && h.DataPageHeader.Valid:
		err = c.readV1(in, &h.DataPageHeader.V, stored, size)
	case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
		err = c.readV2(in, &h.DataPageHeaderV2.V, stored, size)
	}
	if err == nil {
		err = in.check()
	}
	if err != nil {
		return c.fail(err)
	}
	return nil
}

// header reads a page's header.
func (c *chunk) header() (*format.PageHeader, error) {
	for most := usualHeader; ; most *= 32 {
		b, err := c.in.Peek(int(min(int64(most), c.left)))
		if err != nil {
			return nil, err
		}
		h := &format.PageHeader{}
		n, err := decodeStruct(b, h)
		if errors.Is(err, errShort) && len(b) == most && most < maxHeader {
			continue
		}
		if err == nil {
			_, err = c.in.Discard(n)
			c.left -= int64(n)
			c.head = n
		}
		return h, err
	}
}

// maxDictionary limits a dictionary, in bytes. Programs end theirs at a MiB, or a few.
const maxDictionary = 16 << 20

func (c *chunk) readDictionary(in io.Reader, h *format.DictionaryPageHeader, stored, size int) error {
	if size > maxDictionary || h.NumValues < 0 || c.dict != nil || h.Encoding != format.Plain && h.Encoding != oldDictionary {
		return fmt.Errorf("a dictionary of %d values, %d bytes", h.NumValues, size)
	}
	c.file.dict = resized(c.file.dict, size)
	err := c.file.unpacker.unpack(c.meta.Codec, c.file.dict, in, stored)
	if err == nil {
		c.dict, err = newDictionary(c.leaf, c.file.dict, int(h.NumValues))
	}
	return err
}

func (c *chunk) readV1(in io.Reader, h *format.DataPageHeader, stored, size int) error {
	c.file.page = resized(c.file.page, size)
	if err := c.file.unpacker.unpack(c.meta.Codec, c.file.page, in, stored); err != nil {
		return err
	}
	b, n := c.file.page, c.leaf.node
	var err error
	if n.rep > 0 {
		b, err = levelsOf(&c.repetition, b, h.RepetitionLevelEncoding, n.rep)
	}
	if n.def > 0 && err == nil {
		b, err = levelsOf(&c.definition, b, h.DefinitionLevelEncoding, n.def)
	}
	if err != nil || h.NumValues < 0 {
		return errValues
	}
	c.levels = int(h.NumValues)
	c.values, err = decoderOf(c.leaf, h.Encoding, b, c.dict)
	return err
}

// levelsOf begins to read levels that follow their length, and returns what is behind them.
func levelsOf(h *hybrid, b []byte, encoding format.Encoding, most int) (rest []byte, err error) {
	if encoding != format.RLE || len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
		return nil, errValues
	}
	end := 4 + int(binary.LittleEndian.Uint32(b))
	*h = hybrid{b: b[4:end], width: widthOf(most)}
	return b[end:], nil
}

// widthOf returns how many bits levels have.
func widthOf(most int) uint { return uint(bits.Len(uint(most))) }

func (c *chunk) readV2(in io.Reader, h *format.DataPageHeaderV2, stored, size int) error {
	rep, def := int(h.RepetitionLevelsByteLength), int(h.DefinitionLevelsByteLength)
	if rep < 0 || def < 0 || rep+def > stored || rep+def > size || h.NumValues < 0 {
		return errValues
	}
	c.file.page = resized(c.file.page, size)
	b := c.file.page
	if _, err := io.ReadFull(in, b[:rep+def]); err != nil {
		return err
	}
	codec := c.meta.Codec
	if h.IsCompressed.Valid && !h.IsCompressed.V || stored == rep+def {
		codec = format.Uncompressed
	}
	if err := c.file.unpacker.unpack(codec, b[rep+def:], in, stored-rep-def); err != nil {
		return err
	}
	n := c.leaf.node
	c.repetition = hybrid{b: b[:rep], width: widthOf(n.rep)}
	c.definition = hybrid{b: b[rep : rep+def], width: widthOf(n.def)}
	c.levels = int(h.NumValues)
	var err error
	c.values, err = decoderOf(c.leaf, h.Encoding, b[rep+def:], c.dict)
	return err
}
