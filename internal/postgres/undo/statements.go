package undo

import (
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// template writes the names of one target into a statement. They come from its definition and stand there quoted; all values are
// parameters.
// {t=u} compares the keys of the tables with these aliases, and {t.all}, {t.values} and {t.key} are lists of columns of the one named t.
type template struct {
	key    []string // by which a row is known
	values []string // the definition's columns that are not in it
	all    []string // every column of the table
	names  *strings.Replacer
	hasKey bool
}

func newTemplate(t Table) *template {
	s := &template{key: t.Key, values: t.Columns, hasKey: len(t.Key) > 0}
	s.all = slices.Concat(t.Key, t.Columns, []string{"_load", "_row", "_edited"})
	if !s.hasKey {
		s.key = []string{"_load", "_row"}
	}
	pairs := []string{
		"{table}", pgx.Identifier{t.Schema, t.Name}.Sanitize(),
		"{was}", pgx.Identifier{t.Schema, t.Name + "__was"}.Sanitize(),
		"{seen}", pgx.Identifier{t.Schema, t.Name + "__seen"}.Sanitize(),
		"{meta}", `'{_load,_row,_edited,_by,_deleted}'::text[]`,
		"{key}", columns("", s.key), "{all}", columns("", s.all), "{version}", columns("", s.version()),
		"{v.data}", columns("v.", slices.Concat(t.Key, t.Columns)),
	}
	for _, alias := range []string{"t", "u", "w", "v", "s", "n", "k", "e", "r"} {
		pairs = append(pairs,
			"{"+alias+".key}", columns(alias+".", s.key),
			"{"+alias+".all}", columns(alias+".", s.all),
			"{"+alias+".version}", columns(alias+".", s.version()),
			"{"+alias+"=u}", equal(alias, "u", s.key), "{"+alias+"=n}", equal(alias, "n", s.key),
			"{"+alias+"=s}", equal(alias, "s", s.key), "{"+alias+"=k}", equal(alias, "k", s.key))
	}
	s.names = strings.NewReplacer(pairs...)
	return s
}

// version are the columns in which versions of a row differ.
func (s *template) version() []string {
	return slices.Concat(s.values, []string{"_load", "_row", "_edited"})
}

func (s *template) sql(text string) string { return s.names.Replace(text) }

// columns returns a list of quoted names behind an alias.
func columns(alias string, names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = alias + pgx.Identifier{n}.Sanitize()
	}
	return strings.Join(quoted, ", ")
}

// equal compares key columns, none of which is NULL.
func equal(a, b string, names []string) string {
	return "(" + columns(a+".", names) + ") = (" + columns(b+".", names) + ")"
}

const (
	settingsSQL = `select set_config('sheetdrop.undoes', 'on', true), set_config('intervalstyle', 'iso_8601', true),
  set_config('datestyle', 'ISO', true), set_config('timezone', 'UTC', true)`

	// The keys that a load has touched.
	keyTableSQL     = `create temp table undo_key on commit drop as select {key}, false as simple from {was} with no data`
	collectSQL      = `insert into undo_key select {key}, false from {table} where _load = $1 union select {key}, false from {was} where _load = $1 or _by = $1`
	collectSeenSQL  = ` union select {key}, false from {seen} where _load = $1`
	lockSQL         = `with locked as (select from {table} t join undo_key u on {t=u} order by {u.key} for no key update of t) select count(*) from locked`
	dropTablesSQL   = `drop table undo_key, undo_event, undo_result`
	analyzeKeysSQL  = `analyze undo_key`
	analyzeEventSQL = `analyze undo_event`
	// Results are joined with the table by their key: unless it is known how many there are, each of them with each row.
	analyzeResultSQL = `analyze undo_result ({key})`

	// Somebody has changed the row; has deleted it after the load wrote it; or has added it after the load deleted it.
	keepSQL = `with kept as (
  delete from undo_key u
  where exists (select from {table} t where {t=u} and (t._edited or t._load = 0 and exists (select from {was} w where {w=u} and w._by = $1)))
     or exists (select from {was} w where {w=u} and w._load = $1 and w._edited)
     or exists (select from {was} w where {w=u} and w._by = $1 and not w._deleted)
        and not exists (select from {table} t where {t=u} and t._load = $1)
        and not exists (select from {was} w where {w=u} and w._load = $1)
  returning {key}
)
select count(*) as n, (
  select coalesce(array_agg(to_jsonb(named)), '{}') from (select {key} from kept order by {key} limit $2) named
) as named from kept`

	// A key is simple where nothing came after the load.
	simpleSQL = `update undo_key u set simple = true where not exists (select from {table} t where {t=u} and t._load > $1)
  and not exists (select from {was} w where {w=u} and w._by > $1)`
	simpleSeenSQL = ` and not exists (select from {seen} s where {s=u} and s._load > $1)`

	putBackSQL = `update {table} t set ({version}) = row({w.version})
from {was} w join undo_key u on {w=u} where u.simple and w._by = $1 and not w._deleted and {t=u} and t._load = $1`
	putBackDeletedSQL = `insert into {table} ({all}) select {w.all} from {was} w join undo_key u on {w=u} where u.simple and w._by = $1 and w._deleted`
	takeOutSQL        = `delete from {table} t using undo_key u where u.simple and {t=u} and t._load = $1`
	forgetSQL         = `delete from {was} w using undo_key u where u.simple and {w=u} and w._by = $1`
	forgetSeenSQL     = `delete from {seen} s using undo_key u where u.simple and {s=u} and s._load = $1`

	// What a load has written is kept for its return by rows of __was that no load has displaced, whose _by is 0. Only the columns that the
	// load has written count in them.
	setAsideSQL = `insert into {was} ({all}, _by, _deleted)
select {t.all}, 0, false from {table} t join undo_key u on {t=u} where t._load = $1
union all
select {w.all}, 0, false from {was} w join undo_key u on {w=u} where w._load = $1 and w._by > 0`
	setAsideSeenSQL = `
union all
(select distinct on ({s.key}) {v.data}, s._load, s._row, false, 0, false
from {seen} s join undo_key u on {s=u} join (
  select {all} from {table} t where t._load < $1
  union all
  select {all} from {was} w where w._load < $1 and w._by > $1
) v on {v=s} where s._load = $1 order by {s.key}, v._load desc)`
	dropAsideSQL = `delete from {was} where _by = 0 and _load = $1`

	// The keys of a load that returns: those that it has written, and those whose rows it may have replaced.
	collectAsideSQL    = `insert into undo_key select {key}, false from {was} where _by = 0 and _load = $1`
	collectReplacedSQL = ` union select {key}, false from {table} where _load > 0 and _load < $1
union select {key}, false from {was} where _load > 0 and _load < $1 and _by > $1`
	// A key is simple where nothing else has happened to it. Columns that the load has not written have their defaults, $2.
	returnsSimplySQL = `update undo_key u set simple = true
where not exists (select from {table} t where {t=u}) and not exists (select from {was} w where {w=u} and w._by > 0)`
	returnSQL = `insert into {table} ({all}) select %s from {was} w join undo_key u on {w=u}
cross join jsonb_populate_record(null::{was}, $2) d where u.simple and w._by = 0 and w._load = $1`
	// A row that somebody has changed does not change under them.
	keepEditedSQL = `with kept as (
  delete from undo_key u where exists (select from {table} t where {t=u} and t._edited and t._load < $1) returning {key}
)
select count(*) as n, (
  select coalesce(array_agg(to_jsonb(named)), '{}') from (select {key} from kept order by {key} limit $2) named
) as named from kept`

	// What has happened to the other keys from the load $1 on: the version that was there before it, and what the loads $2 have done. $3 are
	// the columns that are not in the key. Who adds a row by hand writes before the load that displaces it. What happened before the load
	// stays as it is in the tables.
	eventTableSQL = `create temp table undo_event on commit drop as
select {key}, '{}'::jsonb as event, 0::numeric as at, 0::bigint as load from {was} with no data`
	eventsSQL = `with load as materialized (
  select id, array(select c from unnest($3::text[]) c where c <> all (columns)) as unwritten from jsonb_to_recordset($2) as l (id bigint, columns text[])
), version as materialized (
  select {t.key}, t._load as load, null::bigint as displaced_by, t._row as number, t._edited as edited, to_jsonb((select r from (select {t.all}) r)) - {meta} as values from {table} t join undo_key u on {t=u} where not u.simple
  union all
  select {w.key}, w._load, w._by, w._row, w._edited, to_jsonb(w) - {meta} from {was} w join undo_key u on {w=u} where not u.simple and w._by >= $1
), happened as (
  select {v.key}, v.load, v.number, v.edited, v.edited or v.load = 0 as whole, v.values,
    case when v.load = 0 then coalesce(v.displaced_by, 'infinity'::numeric) - 0.5 else v.load end as at
  from version v
  union all
  select {w.key}, w._load, w._row, false, false, to_jsonb(w) - {meta}, w._load
  from {was} w join undo_key u on {w=u} where not u.simple and w._by = 0 and w._load = $1`
	eventsSeenSQL = `
  union all
  select {s.key}, s._load, s._row, false, false, v.values, s._load
  from {seen} s join undo_key u on {s=u} join version v on {v=s} and v.load < s._load and (v.displaced_by is null or s._load < v.displaced_by)
  where not u.simple and s._load > $1`
	eventsEndSQL = `
), since as (
  select k.*, k.at < $1 as before, max(k.at) filter (where k.at < $1) over (partition by {k.key}) as last_before from happened k
)
insert into undo_event
select {k.key}, jsonb_build_object('load', k.load, 'row', k.number, 'edited', k.edited, 'full', k.before or k.whole,
  'v', case when k.before or k.whole then k.values else k.values - l.unwritten end), k.at, k.load
from since k left join load l on l.id = k.load where case when k.before then k.at = k.last_before else k.whole or l.id is not null end`

	// The history of each key. $2 are the defaults of columns. A scope has values in the form that the session of its load had for them:
	// by way
	// of the columns' types they get the form of this one.
	replaySQL = `create temp table undo_result on commit drop as select {key}, '{}'::jsonb as result from {was} with no data`
	resultSQL = `with load as materialized (
  select id, case when scope ? 'values' then scope || jsonb_build_object('values', (
    select coalesce(jsonb_agg((select jsonb_object_agg(c, to_jsonb(typed)->c) from jsonb_array_elements_text(scope->'columns') c)), '[]')
    from jsonb_array_elements(scope->'values') value cross join jsonb_populate_record(null::{was}, value) typed
  )) else scope end as scope
  from jsonb_to_recordset($1) as l (id bigint, scope jsonb)
)
insert into undo_result
select {k.key}, sheetdrop.replay(array_agg(k.event order by k.at), (select to_jsonb(jsonb_populate_record(null::{was}, $2)) - {meta}))
from (
  select {e.key}, e.event, e.at from undo_event e
  union all
  select {k.key}, jsonb_build_object('at', l.id, 'scope', l.scope), l.id
  from (select distinct {key} from undo_event) k cross join load l
  where jsonb_typeof(l.scope) = 'object' and not exists (select from undo_event e where {e=k} and e.load = l.id)
) k group by {k.key}`

	clearWasSQL  = `delete from {was} w using undo_key u where not u.simple and {w=u} and w._by >= $1`
	clearSeenSQL = `delete from {seen} s using undo_key u where not u.simple and {s=u} and s._load >= $1`
	removeSQL    = `delete from {table} t using undo_key u where not u.simple and {t=u}
and not exists (select from undo_result r where {r=u} and jsonb_typeof(r.result->'current') = 'object')`
	wantedSQL = `with wanted as (
  select n.* from (select r.result->'current' as c from undo_result r offset 0) r cross join jsonb_populate_record(null::{was},
    c->'v' || jsonb_build_object('_load', c->'load', '_row', c->'row', '_edited', c->'edited')) n where jsonb_typeof(c) = 'object'
) `
	changeSQL = wantedSQL + `update {table} t set ({version}) = row({n.version}) from wanted n
where {t=n} and ({t.version}) is distinct from ({n.version})`
	addSQL      = wantedSQL + `insert into {table} ({all}) select {n.all} from wanted n where not exists (select from {table} t where {t=n})`
	writeWasSQL = `insert into {was} ({all}, _by, _deleted) select {n.all}, n._by, n._deleted
from undo_result r cross join jsonb_array_elements(r.result->'was') c cross join jsonb_populate_record(null::{was}, c->'v' || jsonb_build_object(
  '_load', c->'load', '_row', c->'row', '_edited', c->'edited', '_by', c->'by', '_deleted', c->'deleted')) n`
	writeSeenSQL = `insert into {seen} ({key}, _load, _row) select {r.key}, (c->>'load')::bigint, (c->>'row')::bigint
from undo_result r cross join jsonb_array_elements(r.result->'seen') c`
)
