package parse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
)

// result is what a run found, as far as it came.
type result struct {
	sheets  []postgres.Sheet
	summary task.Summary
	kept    postgres.KeptRejects
}

// load reads the file once and makes its rows visible; nothing of it is there if it ends with an error.
func (w *Worker) load(ctx context.Context, r *run) (found result, err error) {
	options, err := readOptions(r.task.Options)
	if err != nil {
		return found, err
	}
	ctx, cancel := context.WithCancel(ctx) // ends reads ahead, too
	blob, err := w.blobs.Open(ctx, r.task.BlobName)
	if err != nil {
		cancel()
		return found, err
	}
	defer blob.Close()
	defer cancel()
	book, err := sheet.Open(ctx, source{blob, r.read}, options, w.limits)
	if err != nil {
		return found, err
	}
	defer book.Close()

	load, err := w.db.BeginLoad(ctx, r.task.Claim)
	if err != nil {
		return found, err
	}
	defer load.Rollback(ctx)
	r.dry = options.DryRun
	if err := r.sheets(ctx, book, load, &found); err != nil {
		found.kept = load.KeptRejects()
		return found, err
	}
	held, err := load.Complete(ctx, found.sheets, found.summary, r.progress())
	if err == nil && !held {
		err = errLeaseLost
	}
	return found, err
}

// errNewer says that a newer program has written what this one does not know: while a deployment goes on, or after it was rolled back.
var errNewer = errors.New("of a newer program")

// readOptions reads a task's options. They were checked before they were written, so an option or a value that is unknown is errNewer's.
func readOptions(text json.RawMessage) (options sheet.Options, err error) {
	err = json.Unmarshal(text, &options)
	if err == nil {
		return options, nil
	}
	err = fmt.Errorf("options of the task: %w", err)
	if errors.As(err, new(*json.SyntaxError)) || errors.As(err, new(*json.UnmarshalTypeError)) {
		return options, err
	}
	return options, errors.Join(errNewer, err)
}

func (r *run) sheets(ctx context.Context, book *sheet.Book, load *postgres.Load, found *result) error {
	for {
		s, err := book.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		id, err := load.NewSheetID(ctx)
		if err != nil {
			return err
		}
		counts, readErr := r.records(ctx, s, id, load)
		if err := found.add(id, s, counts); err != nil {
			return err
		}
		if readErr != nil {
			return readErr
		}
	}
}

// records loads one sheet.
func (r *run) records(ctx context.Context, s *sheet.Sheet, id int64, load *postgres.Load) (counts task.Counts, err error) {
	for ctx.Err() == nil {
		rec, err := s.Read()
		if errors.Is(err, io.EOF) {
			return counts, nil
		}
		if err != nil {
			return counts, err
		}
		if rec.Kind == sheet.Header {
			continue
		}
		counts.Read++
		r.rowsRead.Add(1)
		if err := r.record(rec, id, load, &counts); err != nil {
			return counts, err
		}
	}
	return counts, ctx.Err()
}

// record loads what is no header. A row of a dry run is counted, and skipped.
func (r *run) record(rec *sheet.Record, id int64, load *postgres.Load, counts *task.Counts) error {
	switch {
	case rec.Kind == sheet.Reject:
		counts.Rejected++
		r.rowsRejected.Add(1)
		return reject(load, id, rec)
	case rec.Kind == sheet.Skip:
		counts.Skipped++
		return nil
	case r.dry:
		counts.Skipped++
		counts.Valid++
		return nil
	default:
		counts.Loaded++
		r.rowsLoaded.Add(1)
		return load.Row(id, rec.No, rec.Line, rec.Cells)
	}
}

func reject(load *postgres.Load, id int64, rec *sheet.Record) error {
	raw := rec.Raw
	for _, e := range rec.Errors {
		err := load.Reject(postgres.LoadReject{
			SheetID: id, RowNo: rec.No, Line: rec.Line, ByteOffset: rec.Offset, CellRef: rec.Ref,
			ColumnNo: e.ColumnNo, ColumnName: e.ColumnName, Code: string(e.Code), Message: e.Message, MessageJA: e.MessageJA, Raw: raw,
		})
		if err != nil {
			return err
		}
		raw = nil // once is enough
	}
	return nil
}

// add notes a sheet that was read, or as much of it as could be.
func (found *result) add(id int64, s *sheet.Sheet, counts task.Counts) error {
	dialect, err := json.Marshal(s.Dialect())
	if err != nil {
		return fmt.Errorf("dialect of sheet %d: %w", s.Number(), err)
	}
	columns, err := json.Marshal(append([]sheet.Column{}, s.Columns()...)) // [] rather than null where there are none
	if err != nil {
		return fmt.Errorf("columns of sheet %d: %w", s.Number(), err)
	}
	warnings, err := json.Marshal(append([]sheet.Warning{}, s.Warnings()...))
	if err != nil {
		return fmt.Errorf("warnings of sheet %d: %w", s.Number(), err)
	}
	found.sheets = append(found.sheets, postgres.Sheet{
		ID: id, Number: s.Number(), Name: s.Name(), Visible: s.Visible(), Dialect: dialect, Columns: columns, Warnings: warnings, Counts: counts,
	})
	found.summary.Add(counts)
	found.summary.Sheets = append(found.summary.Sheets, task.SheetSummary{
		Number: s.Number(), Name: s.Name(), RowsLoaded: counts.Loaded, RowsRejected: counts.Rejected, RowsValid: counts.Valid,
	})
	return nil
}
