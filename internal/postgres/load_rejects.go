package postgres

import (
	"bytes"
	"context"
	"fmt"
	"slices"
)

const (
	copyRejects = `copy sheetdrop.row_reject
  (sheet_id, row_no, error_no, line, byte_offset, cell_ref, column_no, column_name, code, message, message_ja, raw)
from stdin (format binary)`
	rejectColumns = 12
	keptRejects   = 1000 // of a file that fails, these remain
	keptBytes     = 8 << 20
)

// LoadReject is one reason of a refused record; the record's raw bytes go with its first.
type LoadReject struct {
	SheetID    int64
	RowNo      int64
	Line       int64 // 0: none
	ByteOffset int64 // below 0: none
	CellRef    string
	ColumnNo   int // 0: the whole record
	ColumnName string
	Code       string
	Message    string // English
	MessageJA  string
	Raw        []byte // nil: none
}

// Reject adds a reject. r's bytes may be used again after the call.
func (l *Load) Reject(r LoadReject) error {
	no := l.errors.next(r.SheetID, r.RowNo)
	l.rejects.reject(r, no)
	switch {
	case l.keptN == keptRejects:
	case len(l.kept.data)+len(r.Raw) > keptBytes:
		l.keptN = keptRejects // none after this one either: what is kept are the first ones, without a gap
	default:
		l.kept.reject(r, no)
		l.keptN++
	}
	return l.sendIfFull(copyRejects, &l.rejects)
}

// errorNumbers gives each reject of a row a number of its own. Rows usually come in order, and their rejects are then numbered from 1.
// But a workbook can have several rows under one number, and anywhere: one that comes too late goes on above all numbers of its sheet,
// which no reject of its row can have.
type errorNumbers struct {
	sheetID, row int64 // of the last reject
	last         int   // its number
	lowest       int64 // row that has no reject yet, and none after it
	greatest     int   // number in the sheet
}

func (n *errorNumbers) next(sheetID, row int64) int {
	if sheetID != n.sheetID {
		*n = errorNumbers{sheetID: sheetID}
	}
	switch {
	case row == n.row:
		n.last++
	case row >= n.lowest:
		n.last = 1
	default:
		n.last = n.greatest + 1
	}
	n.row, n.lowest, n.greatest = row, max(n.lowest, row+1), max(n.greatest, n.last)
	return n.last
}

func (b *copyBuffer) reject(r LoadReject, errorNo int) {
	b.row(rejectColumns)
	b.int64(r.SheetID)
	b.int64(r.RowNo)
	b.int32(int32(errorNo))
	b.optional(r.Line, r.Line > 0)
	b.optional(r.ByteOffset, r.ByteOffset >= 0)
	b.optionalText(r.CellRef)
	if r.ColumnNo > 0 {
		b.int32(int32(r.ColumnNo))
	} else {
		b.null()
	}
	b.optionalText(r.ColumnName)
	b.text(r.Code)
	b.text(r.Message)
	b.optionalText(r.MessageJA)
	if r.Raw == nil {
		b.null()
	} else {
		b.bytes(r.Raw)
	}
}

// KeptRejects are the first rejects of a load, for InsertRejects after its rollback.
func (l *Load) KeptRejects() KeptRejects { return KeptRejects{l.kept} }

// KeptRejects are rejects on their way into a FAILED task.
type KeptRejects struct{ buffer copyBuffer }

// InsertRejects writes kept rejects.
func (t Tx) InsertRejects(ctx context.Context, kept KeptRejects) error {
	if len(kept.buffer.data) == 0 {
		return nil
	}
	// The trailer goes behind a copy of the slice's header: a second try of the transaction must not find two.
	stream := bytes.NewReader(append(slices.Clip(kept.buffer.data), 0xff, 0xff))
	if _, err := t.tx.Conn().PgConn().CopyFrom(ctx, stream, copyRejects); err != nil {
		return fmt.Errorf("write rejects: %w", err)
	}
	return nil
}
