package postgres

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"sheetdrop/internal/postgres/binarycopy"
)

var copyRejects = binarycopy.Copy{SQL: `copy sheetdrop.row_reject
  (sheet_id, row_no, error_no, line, byte_offset, cell_ref, column_no, last_column_no, column_name, code, message, message_ja, more_errors, raw, cells)
from stdin (format binary)`}

const (
	rejectColumns  = 15
	maxKeptRejects = 1000 // of a file that fails, these remain
	maxKeptBytes   = 8 << 20
)

// NoByteOffset is for a record that stands at no byte of its file, as a workbook's does.
const NoByteOffset = -1

// LoadReject is a refused record.
type LoadReject struct {
	SheetID    int64
	RowNo      int64
	Line       int64 // 0: none
	ByteOffset int64 // NoByteOffset: none
	CellRef    string
	Errors     []RejectError // at least one
	Raw        []byte        // nil: none
	Cells      [][]byte      // as far as they could be told apart; a nil cell is none
	Corrects   *Correction   // nil: none
}

// RejectError is one reason why a record was refused. The JSON is that of row_reject.more_errors.
type RejectError struct {
	ColumnNo     int    `json:"column_no,omitempty"`      // 0: the whole record
	LastColumnNo int    `json:"last_column_no,omitempty"` // ColumnNo, or the last of several columns
	ColumnName   string `json:"column_name,omitempty"`    // ColumnNo's; "": none
	Code         string `json:"code"`
	Message      string `json:"message"`              // English
	MessageJA    string `json:"message_ja,omitempty"` // "" in rejects of before there was any
}

// Reject adds a reject. What r points to may be used again after the call.
func (l *Load) Reject(r LoadReject) error {
	no, start := l.errors.next(r.SheetID, r.RowNo), l.rejects.Len()
	if err := appendReject(l.rejects, r, no); err != nil {
		return err
	}
	switch size := l.rejects.Len() - start; {
	case l.keptN == maxKeptRejects:
	case l.kept.Len()+size > maxKeptBytes:
		l.keptN = maxKeptRejects // none after this one either: what is kept are the first ones, without a gap
	default:
		if err := appendReject(&l.kept, r, no); err != nil {
			return err
		}
		l.keptN++
	}
	if r.Corrects != nil {
		if err := l.correct(r.SheetID, r.RowNo, no, r.Corrects); err != nil {
			return err
		}
	}
	return l.explain(l.sender.SendIfFull(copyRejects, &l.rejects))
}

// errorNumbers gives each reject of a row number a number of its own. Rows usually come in order, and have one, number 1.
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

func appendReject(b *binarycopy.Buffer, r LoadReject, errorNo int) error {
	first := r.Errors[0]
	b.Row(rejectColumns)
	b.Int64(r.SheetID)
	b.Int64(r.RowNo)
	b.Int32(int32(errorNo))
	b.OptionalInt64(r.Line, r.Line > 0)
	b.OptionalInt64(r.ByteOffset, r.ByteOffset > NoByteOffset)
	b.OptionalText(r.CellRef)
	b.OptionalInt32(first.ColumnNo, first.ColumnNo > 0)
	b.OptionalInt32(first.LastColumnNo, first.LastColumnNo > first.ColumnNo)
	b.OptionalText(first.ColumnName)
	b.Text(first.Code)
	b.Text(first.Message)
	b.OptionalText(first.MessageJA)
	if err := appendMoreErrors(b, r.Errors[1:]); err != nil {
		return err
	}
	if r.Raw == nil {
		b.Null()
	} else {
		b.Bytes(r.Raw)
	}
	cells := withoutNUL(r.Cells)
	for len(cells) > 0 && cells[len(cells)-1] == nil {
		cells = cells[:len(cells)-1]
	}
	b.TextArray(cells)
	return nil
}

// withoutNUL has U+FFFD for U+0000, which PostgreSQL cannot store: what the record has is in its bytes.
func withoutNUL(cells [][]byte) [][]byte {
	for i, cell := range cells {
		if bytes.IndexByte(cell, 0) >= 0 {
			cells[i] = bytes.ReplaceAll(cell, []byte{0}, []byte("\uFFFD"))
		}
	}
	return cells
}

func appendMoreErrors(b *binarycopy.Buffer, list []RejectError) error {
	if len(list) == 0 {
		b.Null()
		return nil
	}
	text, err := json.Marshal(list)
	if err != nil {
		return fmt.Errorf("errors of a reject: %w", err)
	}
	b.JSONB(text)
	return nil
}

// KeptRejects are the first rejects of a load, for InsertRejects after its rollback.
func (l *Load) KeptRejects() KeptRejects { return KeptRejects{l.kept} }

// KeptRejects are rejects on their way into a FAILED task.
type KeptRejects struct{ buffer binarycopy.Buffer }

// InsertRejects writes kept rejects.
func (t Tx) InsertRejects(ctx context.Context, kept KeptRejects) error {
	rejects := kept.buffer.Complete()
	if rejects == nil {
		return nil
	}
	if _, err := t.tx.Conn().PgConn().CopyFrom(ctx, bytes.NewReader(rejects), copyRejects.SQL); err != nil {
		return fmt.Errorf("write rejects: %w", err)
	}
	return nil
}
