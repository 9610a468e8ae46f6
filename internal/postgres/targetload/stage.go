package targetload

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/binarycopy"
	"sheetdrop/internal/postgres/typedcopy"
	"sheetdrop/internal/target"
)

const loader = "sheetdrop_loader"

// Plan is what a load does.
type Plan struct {
	Target  *Target
	Mode    target.Mode
	Mapping target.Mapping
	LoadID  int64 // of the sequence
	DryRun  bool
	// TakeBack takes the loads back whose place this one takes; nil where there are none. Apply calls it as the role that writes targets, and
	// again after it has rolled back what the call before has done. Its error about values is a *RefusedError.
	TakeBack func(context.Context) error
	Corrects *Correction // of a load of corrected rejects; nil for others
}

// Load writes rows into a target. It is not safe for concurrent use.
type Load struct {
	Plan
	load    *postgres.Load
	role    string
	names   names
	rows    *typedcopy.Writer
	buffer  *binarycopy.Buffer
	scratch binarycopy.Buffer
	to      binarycopy.Copy
	staged  bool
	count   int64 // of the rows that were not refused, so far
	raced   int   // tries that others have disturbed
	begun   bool  // Apply has been called
	deduped bool  // no two staged rows have one key
	// keyConstraint is the name of the constraint that is the key.
	keyConstraint string
}

// names are those of a target's tables and columns, quoted.
type names struct {
	table, was, seen string
	key              []string
	mapped           []string // the columns that the file has
	own              []string // all columns of the definition
	partition        []string
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }

func (p Plan) names() names {
	t := p.Target
	n := names{
		table: pgx.Identifier{t.SchemaName, t.TableName}.Sanitize(),
		was:   pgx.Identifier{t.SchemaName, t.TableName + "__was"}.Sanitize(),
		seen:  pgx.Identifier{t.SchemaName, t.TableName + "__seen"}.Sanitize(),
	}
	for _, s := range p.Sources() {
		n.mapped = append(n.mapped, quote(s.Name))
	}
	for _, c := range t.Definition.Columns {
		n.own = append(n.own, quote(c.Name))
	}
	for _, k := range t.Definition.Key {
		n.key = append(n.key, quote(k))
	}
	for _, c := range t.Definition.Partition {
		n.partition = append(n.partition, quote(c))
	}
	return n
}

// Sources returns the columns that the file has, with the rules and formats of their cells.
func (p Plan) Sources() (list []typedcopy.Source) {
	for _, m := range p.Mapping.Columns {
		if c, ok := p.Target.Definition.Column(m.Column); ok {
			list = append(list, typedcopy.Source{
				Column: c, ColumnNo: m.ColumnNo, Format: m.Format, Key: slices.Contains(p.Target.Definition.Key, c.Name),
				NullWords: m.NullWords,
			})
		}
	}
	return list
}

// Begin prepares for the rows of a file. From here on nobody can change the target's columns until the load ends. ErrChanged says that
// somebody has.
func Begin(ctx context.Context, load *postgres.Load, p Plan) (*Load, error) {
	l := &Load{Plan: p, load: load, names: p.names(), buffer: new(binarycopy.Buffer)}
	var err error
	if l.rows, err = typedcopy.New(p.Sources()); err != nil {
		return nil, fmt.Errorf("target %s: %w", p.Target.Name, err)
	}
	if l.role, err = LoaderRole(ctx, load.SQL()); err != nil {
		return nil, load.Explain(err)
	}
	if err := HoldTable(ctx, load, l.role, l.names.table); err != nil {
		return nil, ExplainGone(p.Target.Kind, err)
	}
	if err := CheckAdopted(ctx, load, l.role, p.Target.Kind, l.names.table, p.Target.Definition); err != nil {
		return nil, err
	}
	return l, as(ctx, load, l.role, func() error { return l.prepare(ctx) })
}

// HoldTable locks a target's table, as a role that may write it, against changes of its columns until the transaction ends. From here on
// the transaction waits for no lock longer than ten seconds, so that one that meets somebody's edit is returned instead.
func HoldTable(ctx context.Context, load *postgres.Load, role, table string) error {
	sql := `set local lock_timeout = '10s'; `
	if lock := `lock table ` + table + ` in row exclusive mode`; role == "" {
		sql += lock
	} else {
		sql += `set local role ` + role + `; ` + lock + `; set local role none`
	}
	_, err := load.SQL().Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol)
	return load.Explain(err)
}

// LoaderRole is the role that writes targets, and may write nothing else; "" on a machine that has none, where the connection's own does.
func LoaderRole(ctx context.Context, tx pgx.Tx) (role string, err error) {
	err = tx.QueryRow(ctx, `select case when pg_has_role(rolname, 'MEMBER') then rolname else '' end from pg_roles where rolname = $1
union all select '' limit 1`, loader).Scan(&role)
	return role, err
}

// as runs statements as a role; "" is the connection's own. An error ends the transaction, and the role with it.
func as(ctx context.Context, load *postgres.Load, role string, statements func() error) error {
	if role == "" {
		return statements()
	}
	if _, err := load.SQL().Exec(ctx, "set local role "+role); err != nil {
		return load.Explain(err)
	}
	if err := statements(); err != nil {
		return err
	}
	_, err := load.SQL().Exec(ctx, "set local role none")
	return load.Explain(err)
}

// exec runs a statement that is not kept prepared: the temporary tables are others each time.
func (l *Load) exec(ctx context.Context, sql string, args ...any) error {
	_, err := l.affect(ctx, sql, args...)
	return err
}

// affect is exec, and returns how many rows the statement has changed.
func (l *Load) affect(ctx context.Context, sql string, args ...any) (int64, error) {
	tag, err := l.load.SQL().Exec(ctx, sql, append([]any{pgx.QueryExecModeExec}, args...)...)
	return tag.RowsAffected(), l.load.Explain(err)
}

// refusesRowsSQL is that something of a table may refuse a row that is inserted.
const refusesRowsSQL = `select exists (select from pg_constraint where conrelid = $1::text::regclass and contype <> 'n')
  or exists (select from pg_index where indrelid = $1::text::regclass and indisunique)
  or exists (select from pg_trigger where tgrelid = $1::text::regclass and not tgisinternal and tgname <> 'edited')`

func (l *Load) prepare(ctx context.Context) error {
	var refuses bool
	var version *int
	err := l.load.SQL().QueryRow(ctx, refusesRowsSQL, l.names.table).Scan(&refuses)
	if err == nil {
		err = l.load.SQL().QueryRow(ctx, `select (select version from sheetdrop.target where id = $1 and dropped_at is null)`, l.Target.ID).Scan(&version)
	}
	switch {
	case err != nil:
		return l.load.Explain(err)
	case version == nil || *version != l.Target.Version:
		return ErrChanged
	}
	if err := l.checkReplace(ctx); err != nil {
		return err
	}
	columns := append(slices.Clone(l.names.mapped), "_load", "_row")
	table := l.names.table
	if l.staged = refuses || l.Mode == target.Replace || len(l.Target.Definition.Key) > 0 || l.replacedLater(); l.staged {
		table = stage
		if err := l.makeStage(ctx); err != nil {
			return err
		}
	}
	l.to = binarycopy.Copy{SQL: `copy ` + table + ` (` + strings.Join(columns, ", ") + `) from stdin (format binary)`, Role: l.role}
	return nil
}

// stage is where rows wait that the database may refuse. It has the target's columns.
const stage = "pg_temp.stage"

// Row adds a row, or returns the faults of its cells, and adds none.
func (l *Load) Row(no int64, cells [][]byte) ([]typedcopy.Fault, error) {
	start := l.buffer.Len()
	l.buffer.Row(uint16(l.rows.Fields() + 2))
	if faults := l.rows.Append(l.buffer, cells); len(faults) > 0 {
		l.buffer.Cut(start)
		return faults, nil
	}
	l.buffer.Int64(l.LoadID)
	l.buffer.Int64(no)
	l.count++
	if l.DryRun && !l.staged {
		l.buffer.Cut(start)
		return nil, nil
	}
	return nil, l.load.CopyIfFull(l.to, &l.buffer)
}

// Check returns the faults of a row's cells, as Row does.
func (l *Load) Check(cells [][]byte) []typedcopy.Fault {
	l.scratch.Cut(0)
	return l.rows.Append(&l.scratch, cells)
}

// Rows is how many rows the target gets.
func (l *Load) Rows() int64 { return l.count }
