package targetload

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/fault"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/target"
)

// Result is what a load has done with a target; what it would do, for a dry run.
type Result struct {
	Inserted, Updated, Unchanged, Deleted int64
	scope                                 *scope
}

// maxTries is how often a load begins anew because somebody has changed the rows that it looked at.
const maxTries = 5

// errRaced says that rows were inserted or deleted by others between looking and writing.
var errRaced = fault.New(fault.Service, "others change the same rows of the target")

// Apply brings the rows into the target, once all of them were added. Where it refuses some, it returns them and has changed nothing: they
// are no longer among the rows of the load, and it is to be called again. limit is the most that it returns; ErrTooMany says that there are
// more.
func (l *Load) Apply(ctx context.Context, limit int64) (result Result, refused []Refusal, err error) {
	if err := l.load.Flush(l.to, &l.buffer); err != nil {
		return result, nil, err
	}
	if !l.staged {
		return Result{Inserted: l.count}, nil, as(ctx, l.load, l.role, func() error { return l.takeBackUnstaged(ctx) })
	}
	err = as(ctx, l.load, l.role, func() (err error) {
		if err := l.begin(ctx); err != nil {
			return err
		}
		for {
			refused, err = l.refusedByKey(ctx, limit)
			if err != nil || len(refused) > 0 {
				return err
			}
			result, refused, err = l.try(ctx)
			if !errors.Is(err, errRaced) || l.raced == maxTries {
				return err
			}
			l.raced++
		}
	})
	l.count -= int64(len(refused))
	return result, refused, err
}

// analyzedFrom is from how many rows on the planner is told what the stage holds.
const analyzedFrom = 10_000

// begin is done once, when all rows are there.
func (l *Load) begin(ctx context.Context) error {
	if l.begun {
		return nil
	}
	l.begun = true
	if err := l.exec(ctx, `set constraints all immediate`); err != nil || l.count < analyzedFrom {
		return err
	}
	return l.exec(ctx, `analyze `+stage)
}

// savepoint begins what can be taken back, with the rows that it locks. While it lasts, a worker that is frozen keeps them for half a
// minute at most.
func (l *Load) savepoint(ctx context.Context, name string) error {
	if err := l.exec(ctx, `savepoint `+name); err != nil {
		return err
	}
	return l.exec(ctx, database.LimitIdle)
}

// try writes everything, or nothing where rows are refused or others were quicker.
func (l *Load) try(ctx context.Context) (result Result, refused []Refusal, err error) {
	if err := l.savepoint(ctx, `apply`); err != nil {
		return result, nil, err
	}
	result, err = l.write(ctx)
	what, ofData := isOfData(err)
	if err == nil && !l.DryRun || err != nil && !ofData && !errors.Is(err, errRaced) {
		return result, nil, err
	}
	if ended := l.exec(ctx, `rollback to savepoint apply`); ended != nil || err == nil {
		return result, nil, ended
	}
	if !ofData || l.isKey(what) {
		return result, nil, errRaced
	}
	refused, err = l.findRefused(ctx, what)
	return result, refused, err
}

// isKey reports whether a constraint is the target's key: a row was inserted after this load has looked.
func (l *Load) isKey(constraint string) bool { return constraint == l.keyConstraint }

// write is one try, in the savepoint.
func (l *Load) write(ctx context.Context) (result Result, err error) {
	if err := l.takeBack(ctx); err != nil {
		return result, err
	}
	if err := l.compare(ctx); err != nil {
		return result, err
	}
	if l.DryRun {
		return l.foresee(ctx)
	}
	if err := l.noteSeen(ctx); err != nil { // before rows of the target are locked: it takes longer than to change a few
		return result, err
	}
	if l.Mode == target.Replace {
		if result.scope, err = l.readScope(ctx); err != nil {
			return result, err
		}
		if result.Deleted, err = l.deleteOthers(ctx); err != nil {
			return result, err
		}
	}
	if err := l.writeRows(ctx, &result, everything); err != nil {
		return result, err
	}
	result.Unchanged = l.count - result.Inserted - result.Updated
	return result, nil
}

// span is a part of the rows, by their numbers, both included.
type span struct{ first, last int64 }

var everything = span{0, 1<<63 - 1}

// sql is the condition on a stage's row s; "" for everything.
func (s span) sql() string {
	if s == everything {
		return ""
	}
	return fmt.Sprintf(` and s._row between %d and %d`, s.first, s.last)
}

// allNew reports whether no row of the target has the key of one that is loaded: there is nothing to compare.
func (l *Load) allNew() bool { return len(l.names.key) == 0 || l.Mode == target.Insert }

// compare finds which rows are new and which ones change something.
func (l *Load) compare(ctx context.Context) error {
	if l.allNew() {
		return nil
	}
	if err := l.exec(ctx, `create temp table change on commit drop as `+l.changeSQL()); err != nil {
		return err
	}
	if l.count < analyzedFrom {
		return nil
	}
	return l.exec(ctx, `analyze pg_temp.change`)
}

func (l *Load) changeSQL() string {
	key := l.names.key[0]
	changed := `false`
	if set := l.set(); len(set) > 0 {
		changed = fmt.Sprintf(`row(%s) is distinct from row(%s)`, prefixed("t", set), prefixed("s", set))
	}
	return fmt.Sprintf(`select s._row, t.%s is null as _fresh, t.ctid as _at from %s s left join %s t using (%s) where t.%s is null or %s`,
		key, stage, l.names.table, strings.Join(l.names.key, ", "), key, changed)
}

// set are the columns that an update sets, without the key: those of the file, or all.
func (l *Load) set() (list []string) {
	from := l.names.mapped
	if l.Target.Definition.Missing == target.DefaultMissing {
		from = l.names.own
	}
	for _, c := range from {
		if !slices.Contains(l.names.key, c) {
			list = append(list, c)
		}
	}
	return list
}

// writeRows inserts and updates the rows of a span.
func (l *Load) writeRows(ctx context.Context, result *Result, part span) error {
	inserted, err := l.affect(ctx, l.insertSQL(part))
	if err != nil {
		return err
	}
	result.Inserted += inserted
	if l.allNew() {
		return nil
	}
	expected := int64(0)
	counting := `select count(*) from pg_temp.change s where not _fresh` + part.sql()
	err = l.load.SQL().QueryRow(ctx, counting, pgx.QueryExecModeExec).Scan(&expected)
	if err != nil || expected == 0 {
		return l.load.Explain(err)
	}
	updated, err := l.update(ctx, part)
	if err == nil && updated != expected {
		err = errRaced // a row was deleted: it is a new one now
	}
	result.Updated += updated
	return err
}

func (l *Load) insertSQL(part span) string {
	columns := strings.Join(append(slices.Clone(l.names.own), "_load", "_row"), ", ")
	order := `_row`
	if len(l.names.key) > 0 {
		order = strings.Join(l.names.key, ", ")
	}
	from := stage + ` s join pg_temp.change using (_row) where _fresh`
	if l.allNew() {
		from = stage + ` s where true`
	}
	return fmt.Sprintf(`insert into %s (%s) select %s from %s%s order by %s`, l.names.table, columns, columns, from, part.sql(), order)
}

// update sets the columns of rows that are there, and keeps what they were. Rows that others have changed since compare are left alone at
// the first try, which therefore updates fewer; further tries lock the rows before they look at what is to be kept.
func (l *Load) update(ctx context.Context, part span) (int64, error) {
	set := append(l.set(), "_load", "_row")
	kept := append(slices.Clone(l.names.own), "_load", "_row", "_edited")
	columns := strings.Join(kept, ", ")
	matches := fmt.Sprintf(`not c._fresh%s and (%s) = (%s)`, part.sql(), prefixed("t", l.names.key), prefixed("s", l.names.key))
	from := stage + ` s join pg_temp.change c using (_row)`
	update := fmt.Sprintf(`update %s t set (%s, _edited) = row(%s, false) from %s where %s`,
		l.names.table, strings.Join(set, ", "), prefixed("s", set), from, matches)
	keep := fmt.Sprintf(`insert into %s (%s, _by) select %s, %d from `, l.names.was, columns, columns, l.LoadID)
	if l.raced == 0 && l.hasReturningOld() {
		return l.affect(ctx, fmt.Sprintf(`with u as (%s and t.ctid = c._at returning %s) %s u`, update, prefixed("old", kept), keep))
	}
	lock := fmt.Sprintf(`select %s from %s t, %s where %s order by %s for no key update of t`, prefixed("t", kept), l.names.table, from, matches,
		prefixed("t", l.names.key))
	if err := l.exec(ctx, fmt.Sprintf(`with o as (%s) %s o`, lock, keep)); err != nil {
		return 0, err
	}
	return l.affect(ctx, update)
}

// hasReturningOld is true from PostgreSQL 18 on.
func (l *Load) hasReturningOld() bool {
	version := l.load.SQL().Conn().PgConn().ParameterStatus("server_version")
	major := 0
	_, _ = fmt.Sscanf(version, "%d", &major)
	return major >= 18
}

// noteSeen keeps which rows the file has repeated as they were.
func (l *Load) noteSeen(ctx context.Context) error {
	if l.allNew() {
		return nil
	}
	key := strings.Join(l.names.key, ", ")
	return l.exec(ctx, fmt.Sprintf(`insert into %s (%s, _load, _row) select %s, %d, s._row from %s s where not exists (select from pg_temp.change c where c._row = s._row)`,
		l.names.seen, key, key, l.LoadID, stage))
}

// foresee counts what would be done.
func (l *Load) foresee(ctx context.Context) (result Result, err error) {
	if l.allNew() {
		result.Inserted = l.count
	} else {
		err = l.load.SQL().QueryRow(ctx, `select count(*) filter (where _fresh), count(*) filter (where not _fresh) from pg_temp.change`,
			pgx.QueryExecModeExec).Scan(&result.Inserted, &result.Updated)
	}
	if err != nil {
		return result, l.load.Explain(err)
	}
	result.Unchanged = l.count - result.Inserted - result.Updated
	if l.Mode == target.Replace {
		err = l.load.SQL().QueryRow(ctx, `select count(*) from `+l.othersSQL(), pgx.QueryExecModeExec).Scan(&result.Deleted)
	}
	return result, l.load.Explain(err)
}

func prefixed(alias string, columns []string) string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = alias + "." + c
	}
	return strings.Join(list, ", ")
}
