package targetload

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/target"
)

// refusedByKey takes the rows out of the stage whose key another row of the file has, or, for an insert, one of the target; and corrected
// rejects among rows that others have replaced since.
func (l *Load) refusedByKey(ctx context.Context, limit int64) ([]Refusal, error) {
	all, err := l.refusedByReplacement(ctx, limit)
	if err != nil || len(l.names.key) == 0 {
		return all, err
	}
	if !l.deduped {
		duplicates, err := l.takeOut(ctx, target.DuplicateKey, l.duplicatesSQL(), limit-int64(len(all)))
		if err != nil {
			return nil, err
		}
		all, l.deduped = append(all, duplicates...), true
		if l.keyConstraint, err = l.findKey(ctx); err != nil {
			return nil, err
		}
	}
	if l.Mode != target.Insert {
		return all, nil
	}
	existing, err := l.existing(ctx, limit-int64(len(all)))
	return append(all, existing...), err
}

// existing takes the rows out of the stage whose key a row of the target has, once the loads are taken back whose place this one takes.
func (l *Load) existing(ctx context.Context, limit int64) (list []Refusal, err error) {
	same := fmt.Sprintf(`(%s) = (%s)`, prefixed("s", l.names.key), prefixed("t", l.names.key))
	if l.TakeBack == nil {
		return l.takeOut(ctx, target.KeyExists, fmt.Sprintf(`delete from %s s using %s t where %s returning s._row, 0::bigint`, stage, l.names.table, same), limit)
	}
	if err := l.savepoint(ctx, `existing`); err != nil {
		return nil, err
	}
	if err := l.takeBack(ctx); err != nil {
		return nil, err
	}
	sql := fmt.Sprintf(`select s._row, 0::bigint from %s s join %s t on %s`, stage, l.names.table, same)
	if list, err = l.takeOut(ctx, target.KeyExists, sql, limit); err != nil {
		return nil, err
	}
	if err := l.exec(ctx, `rollback to savepoint existing`); err != nil || len(list) == 0 {
		return nil, err
	}
	return list, l.unstage(ctx, list)
}

// unstage takes rows out of the stage.
func (l *Load) unstage(ctx context.Context, list []Refusal) error {
	rows := make([]int64, len(list))
	for i, r := range list {
		rows[i] = r.Row
	}
	return l.exec(ctx, `delete from `+stage+` where _row = any($1)`, rows)
}

// duplicatesSQL deletes the rows of which another one with the same key is loaded, the first or the last.
func (l *Load) duplicatesSQL() string {
	order := ""
	if l.Target.Definition.Duplicates == target.LastOfDuplicates {
		order = ` desc`
	}
	key := strings.Join(l.names.key, ", ")
	return fmt.Sprintf(`delete from %[1]s s using (
  select _row, first_value(_row) over (partition by %[2]s order by _row%[3]s) as kept from %[1]s
  where (%[2]s) in (select %[2]s from %[1]s group by %[2]s having count(*) > 1)
) d where s._row = d._row and d.kept <> s._row returning s._row, d.kept`, stage, key, order)
}

// takeOut runs a statement that finds rows and returns their numbers with those of others.
func (l *Load) takeOut(
	ctx context.Context, why target.Code, sql string, limit int64, args ...any,
) (list []Refusal, err error) {
	rows, err := l.load.SQL().Query(ctx, sql, append([]any{pgx.QueryExecModeExec}, args...)...)
	if err != nil {
		return nil, l.load.Explain(err)
	}
	var row, other int64
	_, err = pgx.ForEachRow(rows, []any{&row, &other}, func() error {
		if int64(len(list)) >= limit {
			return ErrTooMany
		}
		list = append(list, Refusal{Row: row, Code: why, Other: other})
		return nil
	})
	if errors.Is(err, ErrTooMany) {
		return nil, err
	}
	return list, l.load.Explain(err)
}

// findKey returns the name of the index, and so of the constraint, that is the target's key.
func (l *Load) findKey(ctx context.Context) (name string, err error) {
	err = l.load.SQL().QueryRow(ctx, `select coalesce((select c.relname::text from pg_index i join pg_class c on c.oid = i.indexrelid
  cross join lateral (select array_agg(a.attname::text) as columns from pg_attribute a
    where a.attrelid = i.indrelid and a.attnum = any ((i.indkey::int2[])[0:i.indnkeyatts - 1])) k
  where i.indrelid = $1::text::regclass and i.indisunique and i.indpred is null and i.indexprs is null and k.columns @> $2::text[] and k.columns <@ $2
  order by i.indexrelid limit 1), '')`, l.names.table, l.Target.Definition.Key).Scan(&name)
	return name, l.load.Explain(err)
}

const (
	pieceRows      = 10_000 // that are tried at once when something in the whole was refused
	maxConstraints = 1000   // rows that are looked for
)

// findRefused takes the rows out of the stage that a constraint or a trigger refuses: it tries piece by piece, and halves those that fail.
// Nothing of what it tries remains. what is why the whole was refused.
func (l *Load) findRefused(ctx context.Context, what string) ([]Refusal, error) {
	if err := l.savepoint(ctx, `search`); err != nil {
		return nil, err
	}
	s := search{Load: l}
	err := s.pieces(ctx)
	if err != nil && !errors.Is(err, errRaced) {
		return nil, err
	}
	if ended := l.exec(ctx, `rollback to savepoint search`); ended != nil || err != nil {
		return nil, cmp.Or(ended, err)
	}
	if len(s.found) == 0 {
		return nil, &RefusedError{what} // only together
	}
	return s.found, l.unstage(ctx, s.found)
}

// search looks for rows that are refused.
type search struct {
	*Load
	found []Refusal
}

func (s *search) pieces(ctx context.Context) error {
	if err := s.takeBack(ctx); err != nil {
		return err
	}
	if s.Mode == target.Replace {
		if _, err := s.deleteOthers(ctx); err != nil {
			return err
		}
	}
	if err := s.exec(ctx, `create index on `+stage+` (_row)`); err != nil {
		return err
	}
	if err := s.compare(ctx); err != nil {
		return err
	}
	from := `pg_temp.change`
	if s.allNew() {
		from = stage
	}
	rows, err := s.load.SQL().Query(ctx, fmt.Sprintf(`select min(_row), max(_row) from (
  select _row, (row_number() over (order by _row) - 1) / %d as piece from %s) p group by piece order by piece`, pieceRows, from), pgx.QueryExecModeExec)
	if err != nil {
		return s.load.Explain(err)
	}
	parts, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (part span, err error) {
		return part, row.Scan(&part.first, &part.last)
	})
	if err != nil {
		return s.load.Explain(err)
	}
	for _, part := range parts {
		if err := s.halve(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// halve tries a part and, if it is refused, its halves; a single row that is refused is noted.
func (s *search) halve(ctx context.Context, part span) error {
	if err := s.exec(ctx, `savepoint part`); err != nil {
		return err
	}
	var ignored Result
	err := s.writeRows(ctx, &ignored, part)
	what, ofData := isOfData(err)
	switch {
	case err == nil:
		return s.exec(ctx, `release savepoint part`)
	case ofData && s.isKey(what):
		return errRaced
	case !ofData:
		return err
	}
	for _, sql := range []string{`rollback to savepoint part`, `release savepoint part`} {
		if err := s.exec(ctx, sql); err != nil {
			return err
		}
	}
	if part.first == part.last {
		if len(s.found) == maxConstraints {
			return ErrTooMany
		}
		s.found = append(s.found, Refusal{Row: part.first, Code: target.Constraint, What: what})
		return nil
	}
	middle := part.first + (part.last-part.first)/2
	if err := s.halve(ctx, span{part.first, middle}); err != nil {
		return err
	}
	return s.halve(ctx, span{middle + 1, part.last})
}
