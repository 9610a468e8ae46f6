package targetload

import (
	"context"
	"maps"
	"slices"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/target"
)

// Record writes down what the load has done, and what its owner has chosen for the file's headers. It is for after Apply, before the end of
// the transaction; nothing is written of a dry run.
func (l *Load) Record(ctx context.Context, owner string, request target.Request, sheetNumber int, result Result, rejected int64) error {
	if l.DryRun {
		return nil
	}
	columns := make([]string, 0, len(l.names.own))
	for _, c := range l.Target.Definition.Columns {
		isMapped := slices.ContainsFunc(l.Mapping.Columns, func(m target.Match) bool { return m.Column == c.Name })
		if isMapped || l.Target.Definition.Missing == target.DefaultMissing {
			columns = append(columns, c.Name)
		}
	}
	if err := l.holdCorrected(ctx); err != nil {
		return err
	}
	_, err := l.load.SQL().Exec(ctx, `insert into sheetdrop.target_load (id, target_id, task_id, file_id, file_name, sheet_number, version, mode, columns,
  scope, mapping, inserted, updated, unchanged, deleted, rejected, applied_at, series, replaces_sheet, corrects)
select $1, $2, t.id, f.id, f.name, $4, $5, $6, $7, $8::jsonb, $9::jsonb, $10, $11, $12, $13, $14, clock_timestamp(), nullif($15, ''), $16, nullif($17, 0)
from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id where t.id = $3`,
		l.LoadID, l.Target.ID, l.load.TaskID(), sheetNumber, l.Target.Version, string(l.Mode), columns,
		result.scope, l.Mapping, result.Inserted, result.Updated, result.Unchanged, result.Deleted, rejected,
		request.Series, !request.KeepEarlier && request.Corrects == 0, request.Corrects)
	if err != nil {
		return l.load.Explain(err)
	}
	return l.load.Explain(l.remember(ctx, owner, request))
}

// remember keeps the choices that the request has made, for the owner's next files. They are in the order of their headers, so that two
// loads do not wait for each other.
func (l *Load) remember(ctx context.Context, owner string, request target.Request) error {
	labels := make([]string, len(l.Mapping.Columns))
	for i, m := range l.Mapping.Columns {
		labels[i] = m.Header
	}
	chosen := map[string]target.Choice{}
	for i, name := range sheet.ColumnNames(labels) {
		choice, ok := request.Mapping[name]
		if !ok {
			choice, ok = request.Mapping[labels[i]]
		}
		if ok && l.Mapping.Columns[i].Rule == target.ByRequest {
			chosen[target.Fold(name)] = choice
		}
	}
	for _, header := range slices.Sorted(maps.Keys(chosen)) {
		choice := chosen[header]
		_, err := l.load.SQL().Exec(ctx, `insert into sheetdrop.header_choice (owner, target_id, header, column_name, format)
values ($1, $2, $3, nullif($4, ''), nullif($5, ''))
on conflict (owner, target_id, header) do update set column_name = excluded.column_name, format = excluded.format, used_at = now()`,
			owner, l.Target.ID, header, choice.Column, choice.Format)
		if err != nil {
			return err
		}
	}
	return nil
}
