package parse

import (
	"context"
	"errors"
	"io"
	"slices"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/targetload"
	"sheetdrop/internal/postgres/typedcopy"
	"sheetdrop/internal/postgres/undo"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
	"sheetdrop/internal/target"
	"sheetdrop/internal/task"
)

// targetRun is a run whose rows go into a named target.
type targetRun struct {
	*run
	worker  *Worker
	content *source
	options sheet.Options
	request target.Request

	plan    targetload.Plan
	load    *targetload.Load
	refused targetload.Refusals // by the database, so far
	earlier *undo.Earlier       // loads whose place this one takes; nil where there are none

	correction *correction    // of a file of corrected rejects; nil for others
	corrected  target.Mapping // that of the load whose rejects they are
}

// intoTarget reads the file and brings its rows into the target. Which column goes where, and how its cells are written, is decided first:
// that takes the header, or a reading of the whole file where a format can only be told from all cells.
func (r *targetRun) intoTarget(ctx context.Context, load *postgres.Load, found *result) error {
	id, err := load.NewSheetID(ctx)
	if err != nil {
		return err
	}
	if r.plan.LoadID, err = load.NewLoadID(ctx); err != nil {
		return err
	}
	if r.load, err = targetload.Begin(ctx, load, r.plan); err != nil {
		return refusalOf(err)
	}
	var counts task.Counts
	s, err := r.read(ctx, func(s *sheet.Sheet, rec *sheet.Record) error { return r.record(s, rec, id, load, &counts) }, r.stage)
	if errors.Is(err, errProfileNeeded) {
		return errProfileNeeded // and not one of the engine's
	}
	if err == nil {
		err = r.content.verify()
	}
	var done targetload.Result
	if err == nil && s != nil {
		err = r.findEarlier(ctx, load, s.Number())
	}
	if err == nil {
		done, err = r.apply(ctx, id, load, &counts)
	}
	r.count(&counts)
	if s != nil {
		err = errors.Join(found.add(id, s, counts), err)
	}
	if err != nil {
		return err
	}
	found.summary.Target = &task.TargetSummary{
		Name: r.plan.Target.Name, Load: r.plan.LoadID,
		Inserted: done.Inserted, Updated: done.Updated, Unchanged: done.Unchanged, Deleted: done.Deleted, Series: r.request.Series,
		Corrects: r.request.Corrects,
	}
	return r.recordLoad(ctx, load, found, s.Number(), done, counts.Rejected)
}

// read reads the file's table, from its beginning, by the plan. A row that is refused is made a reject first. The sheet is nil where there
// is none.
func (r *targetRun) read(
	ctx context.Context, each func(*sheet.Sheet, *sheet.Record) error, check sheet.RowCheck,
) (table *sheet.Sheet, err error) {
	options := r.options
	options.Columns = slices.Concat(options.Columns, r.rules())
	book, err := sheet.Open(ctx, r.content, options, r.worker.limits)
	if err != nil {
		return nil, r.content.blame(err)
	}
	defer book.Close()
	book.CheckRows(r.rowCheck(check))
	if r.textSize = book.TextSize(); r.refused == nil {
		r.reached(0)
	}
	for ctx.Err() == nil {
		s, err := book.Next()
		switch {
		case errors.Is(err, io.EOF):
			r.reached(r.textSize)
			return table, nil
		case err != nil:
			return table, r.content.blame(err)
		case s.LeftOut():
			continue
		}
		err = readRecords(ctx, s, each)
		if len(s.Columns()) > 0 { // others are empty
			table = s
		}
		if err != nil {
			return table, r.content.blame(err)
		}
	}
	return table, ctx.Err()
}

func readRecords(ctx context.Context, s *sheet.Sheet, each func(*sheet.Sheet, *sheet.Record) error) error {
	for ctx.Err() == nil {
		rec, err := s.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := each(s, rec); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// rules are what the engine checks of the cells.
func (r *targetRun) rules() (rules []types.Rule) {
	names := columnNames(r.plan.Mapping)
	for _, s := range r.plan.Sources() {
		rules = append(rules, s.Rule(names[s.ColumnNo-1]))
	}
	return rules
}

func columnNames(m target.Mapping) []string {
	labels := make([]string, len(m.Columns))
	for i, c := range m.Columns {
		labels[i] = c.Header
	}
	return sheet.ColumnNames(labels)
}

// stage adds a row to those of the load.
func (r *targetRun) stage(_ []sheet.Column, rec *sheet.Record) ([]sheet.Error, error) {
	faults, err := r.load.Row(rec.No, rec.Cells)
	return asErrors(faults), err
}

func asErrors(faults []typedcopy.Fault) []sheet.Error {
	if len(faults) == 0 {
		return nil
	}
	list := make([]sheet.Error, len(faults))
	for i, f := range faults {
		list[i] = sheet.Error{Code: sheet.Code(f.Code), ColumnNo: f.ColumnNo, Message: f.Message, MessageJA: f.MessageJA}
	}
	return list
}

// record counts a record, and keeps it if it is a reject.
func (r *targetRun) record(s *sheet.Sheet, rec *sheet.Record, id int64, load *postgres.Load, counts *task.Counts) error {
	if rec.Kind == sheet.Header {
		return nil
	}
	counts.Read++
	r.rowsRead.Add(1)
	r.reached(rec.Offset)
	switch rec.Kind {
	case sheet.Reject:
		if r.needsProfile(rec) {
			return errProfileNeeded
		}
		counts.Rejected++
		r.rowsRejected.Add(1)
		return r.reject(load, id, rec, r.corrects.from(s, rec))
	case sheet.Skip:
		counts.Skipped++
	default:
		return r.correctRow(s, rec, id, load, counts)
	}
	return nil
}

// count adds the rows that the target gets, or would get.
func (r *targetRun) count(counts *task.Counts) {
	rows := r.load.Rows()
	if r.dry {
		counts.Skipped += rows
		counts.Valid = rows
		return
	}
	counts.Loaded = rows
	r.rowsLoaded.Store(rows)
}
