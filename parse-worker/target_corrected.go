package parse

import (
	"context"
	"slices"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/targetload"
	"sheetdrop/internal/postgres/undo"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
	"sheetdrop/internal/target"
	"sheetdrop/internal/task"
)

// findCorrected finds the load whose corrected rejects the file has, and has the file read as that load's was. It does nothing for other
// files.
func (r *targetRun) findCorrected(ctx context.Context) error {
	if r.request.Corrects == 0 {
		return nil
	}
	c, declared, err := r.worker.findSheet(ctx, r.run, r.options)
	if err != nil {
		return err
	}
	of, err := undo.FindCorrected(ctx, r.worker.db.SQL(), r.task.Owner, c.target.TaskID)
	if err != nil {
		return err
	}
	if of == nil || of.ID != r.request.Corrects || of.TargetID != r.request.ID {
		return sheet.RefuseCorrections()
	}
	if en, ja := of.Refusal(); en != "" {
		return &sheet.Refusal{Code: sheet.NothingToCorrect, Message: en, MessageJA: ja}
	}
	if c.open, err = r.worker.db.OpenRejects(ctx, c.target.ID); err != nil {
		return err
	}
	r.correction, r.corrected = c, of.Mapping
	r.plan.Corrects = &targetload.Correction{Load: of.ID, Replaced: of.Partitions}
	r.options = r.options.CorrectionOptions(asText(c.sheet, declared), declared)
	mapped := mappedNames(of.Mapping)
	r.options.Columns = slices.DeleteFunc(r.options.Columns, func(rule types.Rule) bool { return slices.Contains(mapped, rule.Name) })
	return nil
}

// asText returns columns of which only those that were declared keep their type: the others are not loaded.
func asText(columns []sheet.Column, declared []types.Rule) []sheet.Column {
	list := slices.Clone(columns)
	for i := range list {
		if !slices.ContainsFunc(declared, func(rule types.Rule) bool { return rule.Name == list[i].Name }) {
			list[i].Type, list[i].Format = types.Text, ""
		}
	}
	return list
}

// mappedNames returns the names of the columns of a file that go into a target.
func mappedNames(m target.Mapping) (list []string) {
	names := columnNames(m)
	for i, match := range m.Columns {
		if match.Column != "" {
			list = append(list, names[i])
		}
	}
	return list
}

// matchCorrected has the columns go where those of the same names went in the load whose rejects are corrected.
func (r *targetRun) matchCorrected(ctx context.Context, s *sheet.Sheet) error {
	known, names := columnNames(r.corrected), make([]string, len(s.Columns()))
	m := target.Mapping{Missing: r.corrected.Missing, Profiled: r.corrected.Profiled}
	for i, c := range s.Columns() {
		match := target.Match{Header: c.Label, ColumnNo: i + 1}
		if at := slices.Index(known, c.Name); at >= 0 {
			was := r.corrected.Columns[at]
			match.Column, match.Format, match.Rule, match.NullWords = was.Column, was.Format, was.Rule, was.NullWords
		}
		m.Columns, names[i] = append(m.Columns, match), c.Name
	}
	missing := slices.DeleteFunc(mappedNames(r.corrected), func(name string) bool { return slices.Contains(names, name) })
	if len(missing) > 0 {
		return sheet.RefuseMissingColumns(missing, names)
	}
	r.plan.Mapping = m
	if !r.needsFormats() {
		return nil
	}
	return r.profile(ctx, s)
}

// rowCheck is what is asked of a row: in a file of corrections first whose correction it is. One whose reject has been replaced already is
// skipped.
func (r *targetRun) rowCheck(check sheet.RowCheck) sheet.RowCheck {
	c := r.correction
	if c == nil || check == nil {
		return check
	}
	return func(columns []sheet.Column, row *sheet.Record) ([]sheet.Error, error) {
		found, err := c.check(columns, row)
		if err != nil || len(found) > 0 {
			return found, err
		}
		if _, open := c.openReject(columns, row); !open {
			return nil, nil
		}
		return check(columns, row)
	}
}

// correctRow notes whose correction a row is that goes into the target, or counts it as skipped.
func (r *targetRun) correctRow(s *sheet.Sheet, rec *sheet.Record, id int64, load *postgres.Load, counts *task.Counts) error {
	if r.correction == nil {
		return nil
	}
	n, open := r.correction.openReject(s.Columns(), rec)
	if !open {
		counts.Skipped++
		return nil
	}
	if r.dry {
		return nil
	}
	return load.CorrectedInTarget(id, rec.No, n)
}

// refuse writes the reject of a row that the target has refused.
func (r *targetRun) refuse(s *sheet.Sheet, rec *sheet.Record, id int64, load *postgres.Load) error {
	if r.corrects != nil {
		load.Withdraw(rec.No)
	}
	return r.reject(load, id, rec, r.corrects.from(s, rec))
}
