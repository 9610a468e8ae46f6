package sheet

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"sheetdrop/internal/sheet/readahead"
)

// A cell in quotes that fills the head hides the records below it: its text is left out of the samples.
const (
	mostOfHead    = headBytes / 2 // of which the head has so much at least
	mostLongCells = 16            // in the head
	fewRecords    = 20            // above it: more of them tell enough
)

// gap is a part of the file that no sample has.
type gap struct{ start, end int64 }

// withoutLongCells returns the head of a text, in an encoding with ASCII, with what follows cells that go on behind it in place of their
// texts.
func withoutLongCells(ctx context.Context, src Source, head sample) (sample, error) {
	end := int64(len(head.Bytes))
	if head.Tail || end >= src.Size() || bytes.IndexByte(head.Bytes, 0) >= 0 {
		return head, nil
	}
	for limit := end + lookBytes; len(head.gaps) < mostLongCells; {
		start, records := openCell(head.Bytes)
		if records >= fewRecords || start < 0 || len(head.Bytes)-start < mostOfHead {
			break
		}
		closing, err := endOfCell(ctx, src, end, min(limit, src.Size()))
		if closing < 0 || err != nil {
			return head, err
		}
		hidden := gap{end - int64(len(head.Bytes)-start), closing}
		end = min(closing+headBytes, src.Size())
		rest, err := takeSample(ctx, src, closing, end)
		if err != nil {
			return head, err
		}
		head.Bytes = append(bytes.Clone(head.Bytes[:start]), rest.Bytes...)
		head.gaps = append(head.gaps, hidden)
	}
	return head, nil
}

// openCell returns where the text of the cell in quotes begins in which b ends, -1 if it ends in none, and how many lines end above.
func openCell(b []byte) (start, records int) {
	start = -1
	for i := 0; i < len(b); i++ {
		switch {
		case start < 0 && b[i] == '\n':
			records++
		case b[i] != '"':
		case start < 0 && (i == 0 || isCellEnd(b[i-1])):
			start = i + 1
		case start >= 0 && i+1 < len(b) && b[i+1] == '"':
			i++
		case start >= 0 && (i+1 == len(b) || isCellEnd(b[i+1])):
			start = -1
		}
	}
	return start, records
}

// endOfCell returns where, between two offsets, the quote stands that closes a cell; -1 if none does.
func endOfCell(ctx context.Context, src Source, off, end int64) (int64, error) {
	b := make([]byte, windowBytes)
	for off < end-1 {
		if err := ctx.Err(); err != nil {
			return -1, fmt.Errorf("read the file: %w", err)
		}
		b = b[:min(int64(cap(b)), end-off)]
		if err := readahead.Full(src, b, off); err != nil {
			return -1, err
		}
		i := 0
		for i < len(b)-1 {
			switch {
			case b[i] != '"':
				i++
			case b[i+1] == '"':
				i += 2
			case isCellEnd(b[i+1]):
				return off + int64(i), nil
			default:
				i++
			}
		}
		off += int64(i)
	}
	return -1, nil
}

// isCellEnd reports whether the byte may stand between two cells.
func isCellEnd(c byte) bool { return strings.IndexByte(",;\t|\r\n", c) >= 0 }
