package xlsb

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf8"

	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/xlsx/xmlscan"
)

// The records that are read ([MS-XLSB] 2.3.2).
const (
	idRow          = 0 // BrtRowHdr
	idBlank        = 1 // BrtCellBlank
	idRK           = 2 // BrtCellRk
	idError        = 3 // BrtCellError
	idBoolean      = 4 // BrtCellBool
	idReal         = 5 // BrtCellReal
	idText         = 6 // BrtCellSt
	idShared       = 7 // BrtCellIsst
	idTextResult   = 8 // BrtFmlaString
	idNumberResult = 9 // BrtFmlaNum
	idBoolResult   = 10
	idErrorResult  = 11
	idShortBlank   = 12 // the first of those without a column, in the order of those above
	idShortShared  = 18
	idString       = 19 // BrtSSTItem
	idFutureBegin  = 35 // BrtFRTBegin
	idFutureEnd    = 36 // BrtFRTEnd
	idName         = 39
	idFont         = 43
	idFormat       = 44
	idFill         = 45
	idStyle        = 47 // BrtXF
	idRichText     = 62 // BrtCellRString
	idBeginBook    = 131
	idBeginView    = 137 // BrtBeginWsView
	idBeginData    = 145
	idEndData      = 146
	idPane         = 151
	idBookProps    = 153 // BrtWbProp
	idSheet        = 156 // BrtBundleSh
	idMerged       = 176
	idTable        = 343 // BrtBeginList
	idBeginStyles  = 617 // BrtBeginCellXFs
	idEndStyles    = 618
)

const (
	blockBytes = 64 << 10
	headBytes  = 6 // of a record: its id in one or two bytes, its size in one to four
)

// records reads the records of a part.
type records struct {
	r     *bufio.Reader
	name  string // of the part
	most  int    // bytes of a record that are read; the rest of it is skipped
	id    int
	size  int
	data  grid.Fields // at most size bytes, valid until the next record is read
	rest  int         // bytes up to the next record
	large []byte      // memory for a record that is larger than the buffer
}

// records starts reading a part: once more later, if it is a preview.
func (b *Book) records(part string, preview bool) (*records, error) {
	open := b.parts.Part
	if preview {
		open = b.parts.PreviewPart
	}
	r, err := open(part)
	if err != nil {
		return nil, err
	}
	// a cell whose text is longer than allowed is one that is too long, however much longer it is
	const besides = 64
	return &records{r: bufio.NewReaderSize(r, blockBytes), name: part, most: 2*b.options.Limits.CellBytes + besides}, nil
}

// each calls read at each record of a part, up to its end.
func (b *Book) each(part string, preview bool, read func(r *records) error) error {
	r, err := b.records(part, preview)
	if err != nil {
		return err
	}
	for {
		if err = r.next(); err == nil {
			err = read(r)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// next goes to the next record, past those of later versions of the format. The error is io.EOF at the end of the part.
func (r *records) next() error {
	for depth := 0; ; {
		if err := r.advance(); err != nil {
			return err
		}
		switch {
		case r.id == idFutureBegin:
			depth++
		case r.id == idFutureEnd:
			depth--
		case depth <= 0:
			return nil
		}
	}
}

// advance goes to the next record.
func (r *records) advance() error {
	if _, err := r.r.Discard(r.rest); err != nil {
		return r.truncated(err)
	}
	r.rest = 0
	head, err := r.r.Peek(headBytes)
	if len(head) == 0 {
		return err
	}
	n := r.parseHead(head)
	if n == 0 {
		return r.truncated(err)
	}
	keep := min(r.size, r.most)
	if n+keep <= blockBytes {
		whole, err := r.r.Peek(n + keep)
		if err != nil {
			return r.truncated(err)
		}
		r.data, r.rest = whole[n:], n+r.size
		return nil
	}
	if cap(r.large) < keep {
		r.large = make([]byte, keep)
	}
	r.data, r.rest = r.large[:keep], r.size-keep
	if _, err := r.r.Discard(n); err != nil {
		return r.truncated(err)
	}
	if _, err := io.ReadFull(r.r, r.data); err != nil {
		return r.truncated(err)
	}
	return nil
}

// parseHead reads id and size, of each byte seven bits, and returns how many bytes they take; 0 if they are not whole.
func (r *records) parseHead(head []byte) (n int) {
	r.id, r.size = int(head[0]), 0
	if n = 1; r.id&0x80 != 0 {
		if len(head) == 1 || head[1]&0x80 != 0 {
			return 0
		}
		r.id, n = r.id&0x7F|int(head[1])<<7, 2
	}
	for shift := 0; n < len(head) && shift < 4*7; shift += 7 {
		c := head[n]
		n++
		r.size |= int(c&0x7F) << shift
		if c&0x80 == 0 {
			return n
		}
	}
	return 0
}

// truncated returns the file's fault where a record ends too early, or the error with which reading it ended.
func (r *records) truncated(err error) error {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return r.damaged()
	}
	return err
}

// damaged is the file's fault where its records are not what they should be.
func (r *records) damaged() error {
	return grid.Damaged("its part %s is truncated, or its records are damaged", r.name)
}

// area returns the range of cells at a place of the record; ok is false if it is outside any worksheet.
func (r *records) area(at int) (area grid.Range, ok bool) {
	top, bottom, left, right := r.data.Long(at), r.data.Long(at+4), r.data.Long(at+8), r.data.Long(at+12)
	ok = at+16 <= len(r.data) && top <= bottom && left <= right && bottom < grid.LastRow && right < grid.LastColumn
	return grid.Range{Top: int64(top) + 1, Bottom: int64(bottom) + 1, Left: int(left) + 1, Right: int(right) + 1}, ok
}

const (
	noText      = 0xFFFFFFFF // the length of a text that is not there
	lengthBytes = 4
)

// appendText appends the text at a place of the record, of which it says the number of UTF-16 units first, up to a few bytes more than the
// limit. end is where it ends; ok is false if that is beyond the record.
func (r *records) appendText(dst []byte, at, limit int) (text []byte, end int, ok bool) {
	count := r.data.Long(at)
	if at += lengthBytes; at > r.size {
		return dst, at, false
	}
	if count == noText {
		return dst, at, true
	}
	if int64(count) > int64(r.size-at)/2 {
		return dst, at, false
	}
	units := r.data[min(at, len(r.data)):min(at+2*int(count), len(r.data))]
	for limit += len(dst); len(units) > 1 && len(dst) <= limit; units = units[2:] {
		if unit := binary.LittleEndian.Uint16(units); unit < utf8.RuneSelf {
			dst = append(dst, byte(unit))
		} else {
			dst = xmlscan.AppendUnit(dst, rune(unit))
		}
	}
	return dst, at + 2*int(count), true
}
