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
  constraint target_is_no_system_table check (schema_name !~ '^pg_' and schema_name not in ('sheetdrop', 'information_schema')),
  constraint target_has_its_own_tables check (kind = 'ADOPTED' or name !~ '^_' and name !~ '__(was|seen)$')
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
  version      int         not null,                                -- of the definition
  mode         text        not null check (mode in ('insert', 'upsert', 'replace')),
  columns      text[]      not null,                                -- that the load has written
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

-- turn is the order in which the tasks of an ordered target are loaded: that in which they were sent. A trigger sets target_id, ordered and
-- turn from the options when a task is added, whichever way and version adds it. mapping is what the first attempt has found, so that a
-- second one finds the same.
create sequence if not exists sheetdrop.turn;
-- +goose StatementBegin
create or replace function sheetdrop.take_turn() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.target_id := (new.options->'target'->>'id')::uuid;
  new.ordered := coalesce(new.options->'target'->>'mode', 'insert') <> 'insert'
    or coalesce((select t.ordered from sheetdrop.target t where t.id = new.target_id), false);
  new.kind := case when new.options->'target' ? 'undo' then 'UNDO' else 'LOAD' end;
  new.turn := nextval('sheetdrop.turn');
  return new;
end $$;

do $$
begin
  set local lock_timeout = '50ms';
  for try in 1..600 loop
    begin
      alter table sheetdrop.task
        add column if not exists target_id uuid,
        add column if not exists ordered bool not null default false,
        add column if not exists turn bigint,
        add column if not exists mapping jsonb,
        add column if not exists kind text not null default 'LOAD';
      create or replace trigger take_turn before insert on sheetdrop.task for each row
        when (new.options ? 'target') execute function sheetdrop.take_turn();
      return;
    exception when lock_not_available then
      perform pg_sleep(0.5);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
drop index concurrently if exists sheetdrop.task_target_open;
create index concurrently task_target_open on sheetdrop.task (target_id, turn) where ordered and status in ('PENDING', 'PROCESSING');
comment on function sheetdrop.take_turn() is 'Sets what a task with a target in its options needs to be loaded in turn.';

comment on table sheetdrop.target is 'Named targets: tables into which files are loaded.';
comment on column sheetdrop.target.id is 'Of the target; a new one with the same name has another.';
comment on column sheetdrop.target.owner is 'Whose it is.';
comment on column sheetdrop.target.name is 'Unique among an owner''s targets that are not dropped.';
comment on column sheetdrop.target.version is 'Of its definition: the newest in target_version.';
comment on column sheetdrop.target.kind is 'MANAGED: sheetdrop has made the table; ADOPTED: it was there before.';
comment on column sheetdrop.target.schema_name is 'Of its table; a managed one is in its owner''s schema.';
comment on column sheetdrop.target.table_name is 'Of its table; a managed one has the target''s name.';
comment on column sheetdrop.target.ordered is 'Whether its loads run one after the other: it has a key, or its mode is not insert.';
comment on column sheetdrop.target.created_at is 'When it was created.';
comment on column sheetdrop.target.dropped_at is 'When it was dropped; NULL while it is in use.';
comment on table sheetdrop.target_version is 'All definitions that a target has had.';
comment on column sheetdrop.target_version.target_id is 'Whose definition it is.';
comment on column sheetdrop.target_version.version is 'From 1.';
comment on column sheetdrop.target_version.definition is 'Columns, key and rules, as in the API.';
comment on column sheetdrop.target_version.made_by is 'The owner, or another one who may define it.';
comment on column sheetdrop.target_version.made_at is 'When it was written.';
comment on table sheetdrop.target_share is 'What others may do with a target.';
comment on column sheetdrop.target_share.target_id is 'What is shared.';
comment on column sheetdrop.target_share.grantee is 'An owner, or role:NAME for all whose sign-in has the role.';
comment on column sheetdrop.target_share.may is 'load: upload into it; read: see it and its rows; define: change it.';
comment on table sheetdrop.header_choice is 'What somebody has chosen for a header of a target''s files.';
comment on column sheetdrop.header_choice.owner is 'Who has chosen.';
comment on column sheetdrop.header_choice.target_id is 'Of whose files.';
comment on column sheetdrop.header_choice.header is 'Without case, white space, full-width forms and punctuation.';
comment on column sheetdrop.header_choice.column_name is 'Of the target; NULL: left out on purpose.';
comment on column sheetdrop.header_choice.format is 'As which its cells are read; NULL: as found in the file.';
comment on column sheetdrop.header_choice.used_at is 'When it was chosen, or last used.';
comment on table sheetdrop.target_load is 'Loads into targets. They outlive their files and tasks.';
comment on column sheetdrop.target_load.id is 'In the order of their COMMITs where the target is ordered; _load of its rows.';
comment on column sheetdrop.target_load.target_id is 'Into which target.';
comment on column sheetdrop.target_load.task_id is 'The task that has loaded it.';
comment on column sheetdrop.target_load.file_id is 'The file that was loaded.';
comment on column sheetdrop.target_load.file_name is 'Its name.';
comment on column sheetdrop.target_load.sheet_number is 'The sheet of the file, from 1.';
comment on column sheetdrop.target_load.version is 'Of the target''s definition.';
comment on column sheetdrop.target_load.mode is 'insert, upsert or replace.';
comment on column sheetdrop.target_load.columns is 'Of the target, that the file had.';
comment on column sheetdrop.target_load.scope is 'What it replaced; NULL where nothing.';
comment on column sheetdrop.target_load.mapping is 'Which column of the file went into which of the target.';
comment on column sheetdrop.target_load.inserted is 'Rows whose key was new.';
comment on column sheetdrop.target_load.updated is 'Rows that were there, and have changed.';
comment on column sheetdrop.target_load.unchanged is 'Rows that were there as they are.';
comment on column sheetdrop.target_load.deleted is 'Rows that it replaced, and the file does not have.';
comment on column sheetdrop.target_load.rejected is 'Records that were not loaded.';
comment on column sheetdrop.target_load.applied_at is 'When it was committed.';
comment on column sheetdrop.target_load.undone_at is 'When it was undone; NULL while it counts.';
comment on column sheetdrop.task.target_id is 'The target that its options name; NULL: none.';
comment on column sheetdrop.task.ordered is 'Whether it waits for its turn among the tasks of its target.';
comment on column sheetdrop.task.turn is 'The order in which the tasks of an ordered target are loaded; NULL without a target.';
comment on column sheetdrop.task.mapping is 'Which column of the file goes into which of the target, as the first attempt has found.';
comment on column sheetdrop.task.kind is 'LOAD, or UNDO of an earlier load.';

create or replace function sheetdrop.mark_edited() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as
'begin new._edited := true; return new; end';
comment on function sheetdrop.mark_edited() is 'Marks a row of a target that somebody other than a load has changed.';

-- What follows makes SQL of a definition that the app has stored: names are quoted, values are literals, and types come from a closed list.

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

create or replace function sheetdrop.target_default(definition jsonb) returns text language sql immutable
return case
  when definition->>'type' = 'duration' and definition->>'default' like '-%' then format('- %L::interval', substr(definition->>'default', 2))
  when definition->>'default' is not null then format('%L::%s', definition->>'default', sheetdrop.target_type(definition))
end;
comment on function sheetdrop.target_default(jsonb) is 'The default of a target''s column as SQL; NULL where it has none.';

create or replace function sheetdrop.target_column(definition jsonb) returns text language sql immutable
return quote_ident(definition->>'name') || ' ' || sheetdrop.target_type(definition) || coalesce(' default ' || sheetdrop.target_default(definition), '')
  || case when (definition->>'required')::bool then ' not null' else '' end;
comment on function sheetdrop.target_column(jsonb) is 'A target''s column as CREATE TABLE has it; NULL for an unknown type.';

-- +goose StatementBegin
create or replace function sheetdrop.target_comment(base text, definition jsonb) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  c jsonb;
begin
  for c in select e from jsonb_array_elements(definition->'columns') e loop
    execute format('comment on column %s.%I is %L', base, c->>'name',
      nullif(concat_ws('; ', c->>'label', 'at least ' || (c->>'min'), 'at most ' || (c->>'max'), 'like ' || (c->>'pattern')), ''));
  end loop;
end $$;
-- +goose StatementEnd
comment on function sheetdrop.target_comment(text, jsonb) is 'Writes labels and rules to the columns of a target''s table.';

-- The three tables of a managed target: what it holds, the versions of rows that loads have displaced (__was), and, where it has a key, which
-- rows a load found as they were (__seen). The first is what people use; undo needs the others.
-- +goose StatementBegin
create or replace function sheetdrop.target_create(new_id uuid) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
declare
  wanted  record;
  items   text[];
  key     text;
  base    text;
  was     text;
  seen    text;
begin
  select t.owner, t.name, t.schema_name, t.table_name, v.definition into wanted
  from sheetdrop.target t join sheetdrop.target_version v on v.target_id = t.id and v.version = t.version
  where t.id = new_id and t.kind = 'MANAGED' and t.dropped_at is null and t.schema_name = sheetdrop.schema_of(t.owner) and t.table_name = t.name;
  if not found then
    raise no_data_found using message = format('%s is no managed target', new_id);
  end if;
  select array_agg(sheetdrop.target_column(e) order by no) into items
    from jsonb_array_elements(wanted.definition->'columns') with ordinality as d (e, no);
  if items is null or array_position(items, null) is not null then
    raise feature_not_supported using message = 'a column has a type that has no SQL';
  end if;
  select string_agg(format('%I', k), ', ' order by no) into key
    from jsonb_array_elements_text(wanted.definition->'key') with ordinality as d (k, no);
  base := format('%I.%I', wanted.schema_name, wanted.table_name);
  was := format('%I.%I', wanted.schema_name, wanted.table_name || '__was');
  seen := format('%I.%I', wanted.schema_name, wanted.table_name || '__seen');

  insert into sheetdrop.owner_schema (owner, schema_name) values (wanted.owner, wanted.schema_name) on conflict (owner) do nothing;
  execute format('create schema if not exists %I', wanted.schema_name);
  execute format('create table %s (%s, _load bigint not null default 0, _row bigint not null default 0, _edited bool not null default false%s)',
    base, array_to_string(items, ', '), ', primary key (' || key || ')');
  execute format('create index on %s using brin (_load)', base);
  execute format('create table %s (like %s, _by bigint not null, _deleted bool not null default false)', was, base);
  execute format('create index on %s (_by)', was);
  if key is not null then
    execute format('create index on %s (%s)', was, key);
    execute format('create table %s as select %s, _load, _row from %s with no data', seen, key, base);
    execute format('create index on %s using brin (_load)', seen); -- each repeated row writes to it, and only an undo reads it
  end if;
  -- Undo sets columns back without a change of the row's load, and says so.
  execute format('create trigger edited before update on %s for each row when (old._load = new._load and old._row = new._row
    and coalesce(current_setting(''sheetdrop.undoes'', true), '''') = '''') execute function sheetdrop.mark_edited()', base);

  perform sheetdrop.target_comment(base, wanted.definition);
  execute format('comment on table %s is %L', base, 'Target ' || wanted.name || ' of sheetdrop.');
  execute format('comment on column %s._load is %L', base, 'The load that has written the row (sheetdrop.target_load); 0 where it was added by other means.');
  execute format('comment on column %s._row is %L', base, 'The row''s number in its file.');
  execute format('comment on column %s._edited is %L', base, 'Whether somebody other than a load has changed it since.');

  if exists (select from pg_roles where rolname = 'sheetdrop_loader') then
    execute format('grant usage on schema %I to sheetdrop_loader', wanted.schema_name);
    execute format('grant select, insert, update, delete on %s to sheetdrop_loader', concat_ws(', ', base, was, case when key is not null then seen end));
  end if;
  if exists (select from pg_roles where rolname = sheetdrop.reader_of(wanted.owner)) then
    execute format('grant usage on schema %I to %I', wanted.schema_name, sheetdrop.reader_of(wanted.owner));
    execute format('grant select on %s to %I', base, sheetdrop.reader_of(wanted.owner));
  end if;
  return base;
end $$;
-- +goose StatementEnd
comment on function sheetdrop.target_create(uuid) is
  'Makes the tables of a managed target from its stored definition, and returns the first one''s name as SQL has it.';

create or replace function sheetdrop.target_widens(before jsonb, after jsonb) returns boolean language sql immutable
return before->>'type' = after->>'type' and coalesce(case before->>'type'
  when 'text' then coalesce((after->>'max_length')::int >= (before->>'max_length')::int, after->>'max_length' is null)
  when 'decimal' then after->>'digits' is null
    or (after->>'digits')::int >= (before->>'digits')::int and coalesce((after->>'scale')::int, 0) = coalesce((before->>'scale')::int, 0)
end, false);
comment on function sheetdrop.target_widens(jsonb, jsonb) is 'Whether a column holds all that it held, as it was and without a new table, with another definition.';

-- Only what keeps every value and what others built on the table: new columns, wider types, defaults, and less that is required.
-- +goose StatementBegin
create or replace function sheetdrop.target_change(changed_id uuid) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
declare
  known  record;
  base   text;
  was    text;
  seen   text;
  c      jsonb;
  before jsonb;
begin
  select t.schema_name, t.table_name, o.definition as old, n.definition as new into known
  from sheetdrop.target t join sheetdrop.owner_schema s on s.owner = t.owner and s.schema_name = t.schema_name
  join sheetdrop.target_version n on n.target_id = t.id and n.version = t.version
  join sheetdrop.target_version o on o.target_id = t.id and o.version = t.version - 1
  where t.id = changed_id and t.kind = 'MANAGED' and t.dropped_at is null;
  if not found then
    raise no_data_found using message = format('%s is no managed target with an earlier version', changed_id);
  end if;
  if coalesce(known.old->'key', '[]') <> coalesce(known.new->'key', '[]') or exists (
    select e->>'name' from jsonb_array_elements(known.old->'columns') e except select e->>'name' from jsonb_array_elements(known.new->'columns') e) then
    raise feature_not_supported using message = 'a target keeps its key and its columns';
  end if;
  base := format('%I.%I', known.schema_name, known.table_name);
  was := format('%I.%I', known.schema_name, known.table_name || '__was');
  seen := format('%I.%I', known.schema_name, known.table_name || '__seen');

  for c in select e from jsonb_array_elements(known.new->'columns') e loop
    before := (select e from jsonb_array_elements(known.old->'columns') e where e->>'name' = c->>'name');
    if before is null then
      if sheetdrop.target_column(c) is null or (c->>'required')::bool and c->>'default' is null then
        raise feature_not_supported using message = 'a new column needs a type, and a default where it is required';
      end if;
      execute format('alter table %s add %s', base, sheetdrop.target_column(c));
      execute format('alter table %s add %s', was, sheetdrop.target_column(c)); -- what was before has the default, too
      continue;
    end if;
    if sheetdrop.target_type(before) is distinct from sheetdrop.target_type(c) then
      if not sheetdrop.target_widens(before, c) then
        raise feature_not_supported using message = 'a type can only become wider';
      end if;
      execute format('alter table %s alter %I type %s', base, c->>'name', sheetdrop.target_type(c));
      execute format('alter table %s alter %I type %s', was, c->>'name', sheetdrop.target_type(c));
      if known.new->'key' ? (c->>'name') then
        execute format('alter table %s alter %I type %s', seen, c->>'name', sheetdrop.target_type(c));
      end if;
    end if;
    if sheetdrop.target_default(before) is distinct from sheetdrop.target_default(c) then
      execute format('alter table %s alter %I %s', base, c->>'name', coalesce('set default ' || sheetdrop.target_default(c), 'drop default'));
    end if;
    if coalesce((before->>'required')::bool, false) < coalesce((c->>'required')::bool, false) then
      raise feature_not_supported using message = 'a column that is there cannot become required';
    elsif coalesce((before->>'required')::bool, false) > coalesce((c->>'required')::bool, false) then
      execute format('alter table %s alter %I drop not null', base, c->>'name');
      execute format('alter table %s alter %I drop not null', was, c->>'name');
    end if;
  end loop;
  perform sheetdrop.target_comment(base, known.new);
end $$;
-- +goose StatementEnd
comment on function sheetdrop.target_change(uuid) is 'Brings a managed target''s tables from its last version but one to its last.';

-- +goose StatementBegin
create or replace function sheetdrop.target_drop(old_id uuid) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
declare
  known record;
begin
  select t.schema_name, t.table_name into known from sheetdrop.target t join sheetdrop.owner_schema o on o.owner = t.owner and o.schema_name = t.schema_name
  where t.id = old_id and t.kind = 'MANAGED' and t.dropped_at is null;
  if found then -- what others built on them is never dropped along
    execute format('drop table if exists %I.%I, %I.%I, %I.%I', known.schema_name, known.table_name,
      known.schema_name, known.table_name || '__was', known.schema_name, known.table_name || '__seen');
  end if;
end $$;
-- +goose StatementEnd
comment on function sheetdrop.target_drop(uuid) is 'Drops the tables of a managed target. What depends on them is an error.';

-- +goose StatementBegin
create or replace function sheetdrop.target_leave(old_id uuid) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
declare
  base regclass;
begin
  if not exists (select from pg_roles where rolname = 'sheetdrop_loader') then
    return;
  end if;
  for base in
    select to_regclass(format('%I.%I', t.schema_name, t.table_name || suffix)) from sheetdrop.target t
    join sheetdrop.owner_schema o on o.owner = t.owner and o.schema_name = t.schema_name
    cross join unnest(array['', '__was', '__seen']) suffix where t.id = old_id and t.kind = 'MANAGED'
  loop
    if base is not null then
      execute format('revoke all on %s from sheetdrop_loader', base);
    end if;
  end loop;
end $$;
-- +goose StatementEnd
comment on function sheetdrop.target_leave(uuid) is 'Leaves the tables of a managed target to those who use them: no load may write them any more.';

revoke execute on function sheetdrop.target_create(uuid), sheetdrop.target_change(uuid), sheetdrop.target_drop(uuid), sheetdrop.target_leave(uuid) from public;
