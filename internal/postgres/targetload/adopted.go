package targetload

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/target"
)

// misfitSQL says what keeps a table from being what a definition says it is; "" where nothing does.
const misfitSQL = `select concat_ws('; ',
  case when c.relrowsecurity then 'it has row security' end,
  (select 'no longer there, or of another type: ' || string_agg(d.name, ', ') from jsonb_to_recordset($2::jsonb) as d (name text, type text)
   left join pg_attribute a on a.attrelid = c.oid and a.attname = d.name and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
   where sheetdrop.adopted_type(a.atttypid, a.atttypmod)->>'type' is distinct from d.type))
from pg_class c where c.oid = $1::text::regclass`

// CheckAdopted returns a *RefusedError where the table of an adopted target, which is locked, does not fit its definition. It looks as the
// role that may write it.
func CheckAdopted(ctx context.Context, load *postgres.Load, role, kind, table string, d target.Definition) error {
	if kind != target.Adopted {
		return nil
	}
	type column struct {
		Name string      `json:"name"`
		Type target.Type `json:"type"`
	}
	columns := []column{{"_load", target.Integer}, {"_row", target.Integer}, {"_edited", target.Boolean}}
	for _, c := range d.Columns {
		columns = append(columns, column{c.Name, c.Type})
	}
	list, err := json.Marshal(columns)
	if err != nil {
		return fmt.Errorf("list the columns of a target: %w", err)
	}
	var misfit string
	err = as(ctx, load, role, func() error {
		return load.Explain(load.SQL().QueryRow(ctx, misfitSQL, pgx.QueryExecModeExec, table, string(list)).Scan(&misfit))
	})
	if err == nil && misfit != "" {
		err = &RefusedError{What: "the table was changed: " + misfit}
	}
	return err
}

// ExplainGone returns a *RefusedError where an adopted table is gone; other errors are returned unchanged.
func ExplainGone(kind string, err error) error {
	if kind == target.Adopted && (database.HasState(err, database.UndefinedTable) || database.HasState(err, undefinedSchema)) {
		return &RefusedError{What: "the table is gone"}
	}
	return err
}

const undefinedSchema = "3F000"

// checkReplace refuses to replace rows of an adopted table with columns that loads do not know: what is deleted would come back by an undo
// without them.
func (l *Load) checkReplace(ctx context.Context) error {
	if l.Target.Kind != target.Adopted || l.Mode != target.Replace {
		return nil
	}
	known := []string{"_load", "_row", "_edited"}
	for _, c := range l.Target.Definition.Columns {
		known = append(known, c.Name)
	}
	var others string
	err := l.load.SQL().QueryRow(ctx, `select coalesce(string_agg(attname, ', ' order by attnum), '') from pg_attribute
where attrelid = $1::text::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> all ($2::text[])`,
		pgx.QueryExecModeExec, l.names.table, known).Scan(&others)
	if err == nil && others != "" {
		return &RefusedError{What: "replace would lose the values of columns that loads do not write: " + others}
	}
	return l.load.Explain(err)
}

// makeStage makes the temporary table where rows wait. It has the types of the target's table or, where that was there before, those of the
// definition, whose values may be too large for it.
func (l *Load) makeStage(ctx context.Context) error {
	if l.Target.Kind != target.Adopted {
		return l.exec(ctx, `create temp table stage (like `+l.names.table+` including defaults) on commit drop`)
	}
	list, err := json.Marshal(l.Target.Definition.Columns)
	if err != nil {
		return fmt.Errorf("list the columns of a target: %w", err)
	}
	var columns string
	err = l.load.SQL().QueryRow(ctx, `select string_agg(sheetdrop.target_column(e), ', ' order by no)
from jsonb_array_elements($1::jsonb) with ordinality as d (e, no)`,
		pgx.QueryExecModeExec, string(list)).Scan(&columns)
	if err != nil {
		return l.load.Explain(err)
	}
	return l.exec(ctx, `create temp table stage (`+columns+`, _load bigint not null, _row bigint not null) on commit drop`)
}
