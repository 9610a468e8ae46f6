package parse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"sheetdrop/internal/fault"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/target"
	"sheetdrop/internal/task"
)

// load reads the file once and makes its rows visible; if it returns an error, none of them is. found is filled in
// either way.
func (w *Worker) load(ctx context.Context, r *run, found *result) error {
	options, request, err := readOptions(r.task.Options)
	if err != nil {
		return err
	}
	if request != nil && request.Undo > 0 {
		return w.undo(ctx, r, *request, found)
	}
	blob, err := w.blobs.Open(ctx, r.task.BlobName, r.task.ETag)
	if err != nil {
		return &storageError{err}
	}
	defer blob.Close()
	content, err := newSource(blob, r)
	if err != nil {
		return err
	}
	r.dry = options.DryRun
	if request == nil {
		return w.loadSheets(ctx, r, content, options, found)
	}
	return w.loadTarget(ctx, &targetRun{run: r, worker: w, content: content, options: options, request: *request}, found)
}

// loadSheets makes the rows of all sheets visible, or those of corrected rejects in the sheet that had them.
func (w *Worker) loadSheets(ctx context.Context, r *run, content *source, options sheet.Options, found *result) error {
	c, err := w.correctionOf(ctx, r, &options)
	if err != nil {
		return err
	}
	book, err := sheet.Open(ctx, content, options, w.limits)
	if err != nil {
		return content.blame(err)
	}
	defer book.Close()
	r.textSize = book.TextSize()
	r.reached(0)

	load, err := w.db.BeginLoad(ctx, r.task.Claim)
	if err != nil {
		return err
	}
	defer load.Rollback(ctx)
	if c != nil {
		book.CheckRows(c.check)
		if r.dry {
			c = nil // it is checked like any, and changes nothing
		}
	}
	if r.corrects = c; c != nil {
		load.Correct(c.target)
	}
	if err := r.sheets(ctx, book, load, found); err != nil {
		found.kept = load.KeptRejects()
		return content.blame(err)
	}
	if err := content.verify(); err != nil {
		return err
	}
	if c != nil {
		load.Retype(c.columns)
	}
	return r.complete(ctx, load, found)
}

// loadTarget brings the rows of the file's table into a target.
func (w *Worker) loadTarget(ctx context.Context, r *targetRun, found *result) error {
	if err := r.decide(ctx, found); err != nil {
		return err
	}
	r.plan.DryRun = r.dry
	err := w.tryTarget(ctx, r, found)
	if !errors.Is(err, errProfileNeeded) {
		return err
	}
	if err := r.eachTable(ctx, r.profile); err != nil {
		return err
	}
	if err := r.freeze(ctx); err != nil {
		return err
	}
	r.rowsRead.Store(0)
	r.rowsRejected.Store(0)
	r.rejects = nil
	return w.tryTarget(ctx, r, found)
}

// tryTarget is one reading of the file, or errProfileNeeded where nothing has come of it yet.
func (w *Worker) tryTarget(ctx context.Context, r *targetRun, found *result) error {
	load, err := w.db.BeginLoad(ctx, r.task.Claim)
	if err != nil {
		return err
	}
	defer load.Rollback(ctx)
	if r.correction != nil && !r.dry { // otherwise it is checked like any, and changes nothing
		r.corrects = r.correction
		load.Correct(r.correction.target)
	}
	if err := r.intoTarget(ctx, load, found); err != nil {
		found.kept = load.KeptRejects()
		return err
	}
	return r.complete(ctx, load, found)
}

// complete ends the load, and the task with it.
func (r *run) complete(ctx context.Context, load *postgres.Load, found *result) error {
	r.parsedAfter = r.elapsed()
	defer func() { r.committed = r.elapsed() - r.parsedAfter }()
	held, err := load.Complete(ctx, found.sheets.all(), found.summary, r.progress(), r.firstHash)
	if err == nil && !held {
		err = errLeaseLost
	}
	return err
}

// errNewer is returned for what a newer version has written and this one does not know: during a deployment, or after
// it was rolled back.
var errNewer = errors.New("of a newer program")

// readOptions decodes a task's options, and the target that its rows go into. They were checked before they were written, so an unknown
// option or value means errNewer.
func readOptions(text json.RawMessage) (options sheet.Options, request *target.Request, err error) {
	text, request, err = target.SplitOptions(text)
	if err == nil {
		err = json.Unmarshal(text, &options)
	}
	if err == nil {
		return options, request, nil
	}
	err = fmt.Errorf("options of the task: %w", err)
	if errors.As(err, new(*json.SyntaxError)) || errors.As(err, new(*json.UnmarshalTypeError)) {
		return options, nil, fault.Mark(fault.Ours, err)
	}
	return options, nil, errors.Join(errNewer, err)
}

func (r *run) sheets(ctx context.Context, book *sheet.Book, load *postgres.Load, found *result) error {
	for {
		s, err := book.Next()
		if errors.Is(err, io.EOF) {
			r.reached(r.textSize)
			r.reading.Store("")
			return nil
		}
		if err != nil {
			return err
		}
		r.reads(s)
		id, err := load.NewSheetID(ctx)
		if err != nil {
			return err
		}
		counts, readErr := r.records(ctx, s, id, load)
		if readErr == nil && r.corrects != nil {
			readErr = r.corrects.learn(s)
		}
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
		r.reached(rec.Offset)
		if err := r.record(s, rec, id, load, &counts); err != nil {
			return counts, err
		}
	}
	return counts, ctx.Err()
}

// record loads any record other than a header. A row of a dry run is counted and skipped.
func (r *run) record(s *sheet.Sheet, rec *sheet.Record, id int64, load *postgres.Load, counts *task.Counts) error {
	switch {
	case rec.Kind == sheet.Reject:
		counts.Rejected++
		r.rowsRejected.Add(1)
		return r.reject(load, id, rec, r.corrects.from(s, rec))
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
		if c := r.corrects.from(s, rec); c != nil {
			return load.CorrectedRow(id, rec.No, rec.Line, rec.Cells, *c)
		}
		return load.Row(id, rec.No, rec.Line, rec.Cells)
	}
}

func (r *run) reject(load *postgres.Load, id int64, rec *sheet.Record, corrects *postgres.Correction) error {
	if r.rejects == nil {
		r.rejects = map[string]int64{}
	}
	r.rejects[string(rec.Errors[0].Code)]++
	errors := make([]postgres.RejectError, len(rec.Errors))
	for i, e := range rec.Errors {
		errors[i] = reasonOf(e)
	}
	return load.Reject(postgres.LoadReject{
		SheetID: id, RowNo: rec.No, Line: rec.Line, ByteOffset: rec.Offset, CellRef: rec.Ref, Errors: errors,
		Raw: rec.Raw, Cells: rec.Cells, Corrects: corrects,
	})
}

func reasonOf(e sheet.Error) postgres.RejectError {
	return postgres.RejectError{
		ColumnNo: e.ColumnNo, LastColumnNo: e.LastColumn, ColumnName: e.ColumnName, Code: string(e.Code),
		Message: e.Message, MessageJA: e.MessageJA,
	}
}
