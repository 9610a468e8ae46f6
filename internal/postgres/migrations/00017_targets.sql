-- +goose NO TRANSACTION
-- +goose Up

-- Named targets: tables of their owner's into which files are loaded. A target is a name, a table, and a definition with versions. A task that
-- loads into one says so in its options too, which a worker of the version before does not know: it returns such a task.
create table if not exists sheetdrop.target (
  id          uuid        primary key,
  owner       text        not null check (owner <> ''),
  name        text        not null check (octet_length(name) between 1 and 57), -- its other tables' names are six bytes longer
  version     int         not null default 1 check (version > 0),
  kind        text        not null check (kind in ('MANAGED', 'ADOPTED')),      -- made by sheetdrop, or there before
  schema_name name        not null,
  table_name  name        not null,
  ordered     bool        not null,                                             -- its loads run one after the other, by turn
  created_at  timestamptz not null default now(),
  dropped_at  timestamptz,
  constraint target_is_no_system_table check (schema_name !~ '^pg_' and schema_name not in ('sheetdrop', 'information_schema'))
);
create unique index if not exists target_by_name on sheetdrop.target (owner, name) where dropped_at is null;
create unique index if not exists target_by_table on sheetdrop.target (schema_name, table_name) where dropped_at is null;

create table if not exists sheetdrop.target_version (
  target_id  uuid        not null references sheetdrop.target on delete cascade,
  version    int         not null check (version > 0),
  definition jsonb       not null,
  made_by    text        not null,
  made_at    timestamptz not null default now(),
  primary key (target_id, version)
);

create table if not exists sheetdrop.target_share (
  target_id uuid not null references sheetdrop.target on delete cascade,
  grantee   text not null check (grantee <> ''),                    -- an owner, or role:NAME of the sign-in
  may       text not null check (may in ('load', 'read', 'define')),
  primary key (target_id, grantee, may)
);

create table if not exists sheetdrop.header_choice (
  owner       text        not null,
  target_id   uuid        not null references sheetdrop.target on delete cascade,
  header      text        not null,                                 -- folded
  column_name text,                                                 -- NULL: left out on purpose
  format      text,
  used_at     timestamptz not null default now(),
  primary key (owner, target_id, header)
);

-- A load of a target, in the order of their COMMITs where the target is ordered. It outlives its file and its task.
create sequence if not exists sheetdrop.load_id;
create table if not exists sheetdrop.target_load (
  id           bigint      primary key,
  target_id    uuid        not null references sheetdrop.target on delete cascade,
  task_id      uuid        not null,
  file_id      uuid        not null,
  file_name    text        not null,
  sheet_number int         not null,
  series       text,
  version      int         not null,                                -- of the definition
  mode         text        not null check (mode in ('insert', 'upsert', 'replace')),
  columns      text[]      not null,                                -- that the file had
  scope        jsonb,                                               -- what a load replaced; NULL where nothing
  mapping      jsonb       not null,
  inserted     bigint      not null default 0,
  updated      bigint      not null default 0,
  unchanged    bigint      not null default 0,
  deleted      bigint      not null default 0,
  rejected     bigint      not null default 0,
  applied_at   timestamptz not null default now(),
  undone_at    timestamptz
);
create index if not exists target_load_by_target on sheetdrop.target_load (target_id, id);
create index if not exists target_load_by_task on sheetdrop.target_load (task_id);
create index if not exists target_load_by_file on sheetdrop.target_load (file_id);

-- turn is the order in which the tasks of an ordered target are loaded: that in which they were sent. mapping is what the first attempt has
-- found, so that a second one finds the same.
create sequence if not exists sheetdrop.turn;
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '1s';
  for try in 1..300 loop
    begin
      alter table sheetdrop.task
        add column if not exists target_id uuid,
        add column if not exists ordered bool not null default false,
        add column if not exists turn bigint,
        add column if not exists mapping jsonb,
        add column if not exists kind text not null default 'LOAD';
      return;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
drop index concurrently if exists sheetdrop.task_target_open;
create index concurrently task_target_open on sheetdrop.task (target_id, turn) where ordered and status in ('PENDING', 'PROCESSING');

create or replace function sheetdrop.mark_edited() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as 'begin new._edited := true; return new; end';
comment on function sheetdrop.mark_edited() is 'Marks a row of a target that somebody other than a load has changed.';

create or replace function sheetdrop.target_type(definition jsonb) returns text language sql immutable
return case definition->>'type'
  when 'text' then coalesce('varchar(' || (definition->>'max_length')::int || ')', 'text')
  when 'integer' then 'bigint'
  when 'decimal' then coalesce('numeric(' || (definition->>'digits')::int || ', ' || coalesce((definition->>'scale')::int, 0) || ')', 'numeric')
  when 'boolean' then 'boolean'
  when 'date' then 'date'
  when 'time' then 'time'
  when 'timestamp' then 'timestamp'
  when 'instant' then 'timestamptz'
  when 'duration' then 'interval'
end;
comment on function sheetdrop.target_type(jsonb) is 'The type in PostgreSQL of a target''s column; NULL for an unknown one.';

-- The three tables of a managed target: what it holds, the versions of rows that loads have displaced (__was), and, where it has a key, which
-- rows a load found as they were (__seen). The first is what people use; undo needs the others.
-- +goose StatementBegin
create or replace function sheetdrop.target_create(new_id uuid) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
declare
  wanted  record;
  items   text[];
  key     text[];
  c       jsonb;
  member  text;
begin
  select t.id, t.owner, t.name, t.schema_name, t.table_name, v.definition into wanted
  from sheetdrop.target t join sheetdrop.target_version v on v.target_id = t.id and v.version = t.version
  where t.id = new_id and t.kind = 'MANAGED' and t.dropped_at is null and t.schema_name = sheetdrop.schema_of(t.owner) and t.table_name = t.name;
  if not found then
    raise no_data_found using message = format('%s is no managed target', new_id);
  end if;
  select array_agg(format('%I %s', e->>'name', sheetdrop.target_type(e))
      || coalesce(format(' default %L::', e->>'default') || sheetdrop.target_type(e), '')
      || case when coalesce((e->>'required')::bool, false) then ' not null' else '' end order by no)
    into items from jsonb_array_elements(wanted.definition->'columns') with ordinality as d (e, no);
  if items is null or array_position(items, null) is not null then
    raise feature_not_supported using message = 'a column has a type that has no SQL';
  end if;
  select array_agg(format('%I', k) order by no) into key
    from jsonb_array_elements_text(coalesce(nullif(wanted.definition->'key', 'null'), '[]')) with ordinality as d (k, no);

  insert into sheetdrop.owner_schema (owner, schema_name) values (wanted.owner, wanted.schema_name) on conflict (owner) do nothing;
  execute format('create schema if not exists %I', wanted.schema_name);
  execute format('create table %I.%I (%s, _load bigint not null default 0, _row bigint not null default 0, _edited bool not null default false%s)',
    wanted.schema_name, wanted.table_name, array_to_string(items, ', '), ', primary key (' || array_to_string(key, ', ') || ')');
  execute format('create index on %I.%I using brin (_load)', wanted.schema_name, wanted.table_name);
  execute format('create table %I.%I (like %I.%I, _by bigint not null, _deleted bool not null default false)',
    wanted.schema_name, wanted.table_name || '__was', wanted.schema_name, wanted.table_name);
  execute format('create index on %I.%I (_by)', wanted.schema_name, wanted.table_name || '__was');
  if key is not null then
    execute format('create index on %I.%I (%s)', wanted.schema_name, wanted.table_name || '__was', array_to_string(key, ', '));
    execute format('create table %I.%I as select %s, _load, _row from %I.%I with no data',
      wanted.schema_name, wanted.table_name || '__seen', array_to_string(key, ', '), wanted.schema_name, wanted.table_name);
    execute format('create index on %I.%I (_load)', wanted.schema_name, wanted.table_name || '__seen');
    execute format('create index on %I.%I (%s)', wanted.schema_name, wanted.table_name || '__seen', array_to_string(key, ', '));
  end if;
  -- Undo sets columns back without a change of the row's load, and says so.
  execute format('create trigger edited before update on %I.%I for each row when (old._load = new._load and old._row = new._row
    and coalesce(current_setting(''sheetdrop.undoes'', true), '''') = '''') execute function sheetdrop.mark_edited()',
    wanted.schema_name, wanted.table_name);

  execute format('comment on table %I.%I is %L', wanted.schema_name, wanted.table_name, 'Target ' || wanted.name || ' of sheetdrop.');
  for c in select e from jsonb_array_elements(wanted.definition->'columns') e loop
    execute format('comment on column %I.%I.%I is %L', wanted.schema_name, wanted.table_name, c->>'name',
      concat_ws('; ', c->>'label', 'at least ' || (c->>'min'), 'at most ' || (c->>'max')));
  end loop;
  execute format('comment on column %I.%I._load is %L', wanted.schema_name, wanted.table_name, 'The load that has written the row (sheetdrop.target_load); 0 for one that was added by other means.');
  execute format('comment on column %I.%I._row is %L', wanted.schema_name, wanted.table_name, 'The row''s number in its file.');
  execute format('comment on column %I.%I._edited is %L', wanted.schema_name, wanted.table_name, 'Whether somebody other than a load has changed it since.');

  foreach member in array array['', '__was'] || case when key is null then '{}'::text[] else array['__seen'] end loop
    if exists (select from pg_roles where rolname = 'sheetdrop_loader') then
      execute format('grant usage on schema %I to sheetdrop_loader', wanted.schema_name);
      execute format('grant select, insert, update, delete on %I.%I to sheetdrop_loader', wanted.schema_name, wanted.table_name || member);
    end if;
  end loop;
  if exists (select from pg_roles where rolname = sheetdrop.reader_of(wanted.owner)) then
    execute format('grant usage on schema %I to %I', wanted.schema_name, sheetdrop.reader_of(wanted.owner));
    execute format('grant select on %I.%I to %I', wanted.schema_name, wanted.table_name, sheetdrop.reader_of(wanted.owner));
  end if;
  return format('%I.%I', wanted.schema_name, wanted.table_name);
end $$;
-- +goose StatementEnd
comment on function sheetdrop.target_create(uuid) is 'Makes the tables of a managed target from its stored definition, and returns the first one''s name as SQL has it.';

-- +goose StatementBegin
create or replace function sheetdrop.target_drop(old_id uuid) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
declare
  known record;
begin
  select t.schema_name, t.table_name into known from sheetdrop.target t join sheetdrop.owner_schema o on o.owner = t.owner and o.schema_name = t.schema_name
  where t.id = old_id and t.kind = 'MANAGED';
  if found then -- what others built on them is never dropped along
    execute format('drop table if exists %I.%I, %I.%I, %I.%I', known.schema_name, known.table_name,
      known.schema_name, known.table_name || '__was', known.schema_name, known.table_name || '__seen');
  end if;
end $$;
-- +goose StatementEnd
comment on function sheetdrop.target_drop(uuid) is 'Drops the tables of a managed target. What depends on them is an error.';

revoke execute on function sheetdrop.target_create(uuid), sheetdrop.target_drop(uuid) from public;
