-- +goose Up

-- Typed views of sheets: a row of sheet_view says which, and view_create makes it, in a schema that is the owner's alone. Whoever runs the app
-- may not create anything: the two functions do it with their owner's rights, from what is stored, and take no SQL from anybody. Once
-- application-role.sql was run their owner is sheetdrop_tables, which may read what views show and own schemas, and nothing else.
-- Analysts get the role that reader_of names, which reads one owner's schema. Only new tables and functions: nobody waits.

create table sheetdrop.sheet_view (
  id         uuid        primary key,
  owner      text        not null,
  name       text        not null check (octet_length(name) between 1 and 63),
  sheet_id   bigint      not null,
  created_at timestamptz not null default now(),
  unique (owner, name)
);
comment on table sheetdrop.sheet_view is 'Typed views of sheets. Nothing here refers to the sheet itself, whose rows a view stops showing when its file is deleted.';

-- A schema is one owner's: two whose names are alike differ by a hash.
create table sheetdrop.owner_schema (
  owner       text primary key,
  schema_name name not null unique check (schema_name ~ '^data(_[a-z0-9_]+)?$')
);
comment on table sheetdrop.owner_schema is 'The schema in which an owner''s views are.';

create or replace function sheetdrop.schema_of(owner text) returns name language sql immutable parallel safe
return case
  when owner = 'local' then 'data'
  else 'data_' || left(trim(both '_' from regexp_replace(lower(owner collate "C"), '[^a-z0-9]+', '_', 'g')), 30) || '_'
    || left(encode(sha256(convert_to(owner, 'UTF8')), 'hex'), 16)
end::name;
comment on function sheetdrop.schema_of(text) is 'The name of an owner''s schema: data for the only one of a laptop, else data_ with the owner''s name and a hash of it.';

create or replace function sheetdrop.reader_of(owner text) returns name language sql immutable parallel safe
return regexp_replace(sheetdrop.schema_of(owner), '^data', 'sd_read')::name;
comment on function sheetdrop.reader_of(text) is 'The name of the role that reads an owner''s views.';

create or replace function sheetdrop.cut(name text, bytes int) returns text language sql immutable parallel safe
return case
  when octet_length(name) <= bytes then name
  else left(name, (select count(*)::int from generate_series(1, bytes) n where octet_length(left(name, n)) <= bytes))
end;
comment on function sheetdrop.cut(text, int) is 'The beginning of a text, of at most so many bytes.';

-- A name has at most 63 bytes in PostgreSQL, and is cut between characters. One that was there before, or is _row, has the column's number behind it.
-- +goose StatementBegin
create or replace function sheetdrop.column_names(names text[]) returns text[]
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
declare
  found text[] := array['_row'];
  name  text;
  short text;
  no    int;
begin
  foreach name in array names loop
    short := sheetdrop.cut(name, 63);
    no := cardinality(found);
    while short = any (found) loop
      short := sheetdrop.cut(name, 62 - length(no::text)) || '_' || no;
      no := no + 1;
    end loop;
    found := found || short;
  end loop;
  return found[2:];
end $$;
-- +goose StatementEnd
comment on function sheetdrop.column_names(text[]) is 'Names for a view''s columns from those of a sheet''s: different ones, none longer than PostgreSQL allows, none _row.';

-- +goose StatementBegin
create or replace function sheetdrop.view_create(view_id uuid) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
declare
  wanted record;
  space  name;
  reader name;
  items  text[];
begin
  select v.name, v.owner, v.sheet_id, s.columns, f.name as file_name into wanted
  from sheetdrop.sheet_view v
  join sheetdrop.sheet s on s.id = v.sheet_id
  join sheetdrop.task t on t.id = s.task_id and t.status = 'COMPLETED'
  join sheetdrop.source_file f on f.id = t.source_file_id and f.owner = v.owner and f.deleted_at is null
  where v.id = view_id;
  if not found then
    raise no_data_found using message = format('view %s is of no sheet that its owner has', view_id);
  end if;
  space := sheetdrop.schema_of(wanted.owner);
  reader := sheetdrop.reader_of(wanted.owner);

  -- One column of a view is _row, and it has 1,600 at most.
  with known as (
    select e->>'name' as name, no, sheetdrop.cell_expression(no::int, e->>'type', coalesce(e->>'format', ''), coalesce((e->>'digits')::int, 0)) as expression
    from jsonb_array_elements(wanted.columns) with ordinality as c (e, no) where no < 1600
  ), named as (
    select alias, no from unnest(sheetdrop.column_names(array(select name from known order by no))) with ordinality as a (alias, no)
  )
  select array_agg(expression || format(' as %I', alias) order by no) into items from known join named using (no);
  if exists (select from unnest(items) item where item is null) then
    raise feature_not_supported using message = format('sheet %s has a column of a type that has no SQL', wanted.sheet_id);
  end if;

  insert into sheetdrop.owner_schema (owner, schema_name) values (wanted.owner, space) on conflict (owner) do nothing;
  execute format('create schema if not exists %I', space);
  -- Without security_barrier a reader's function in WHERE would see rows of other sheets before they are left out. With it, only a view that is
  -- ordered has its first rows by the index.
  execute format($view$create view %I.%I with (security_barrier) as select %s from sheetdrop.sheet_row where sheet_id = %s and exists (
    select from sheetdrop.sheet s join sheetdrop.task t on t.id = s.task_id join sheetdrop.source_file f on f.id = t.source_file_id
    where s.id = %s and f.deleted_at is null) order by row_no$view$,
    space, wanted.name, array_to_string(array_prepend('row_no as _row', items), ', '), wanted.sheet_id, wanted.sheet_id);
  execute format('comment on view %I.%I is %L', space, wanted.name, 'Sheet ' || wanted.sheet_id || ' of ' || wanted.file_name);
  if exists (select from pg_roles where rolname = reader) then
    execute format('grant usage on schema %I to %I', space, reader);
    execute format('grant select on %I.%I to %I', space, wanted.name, reader);
  end if;
  return format('%I.%I', space, wanted.name);
end $$;
-- +goose StatementEnd
comment on function sheetdrop.view_create(uuid) is 'Makes the view that a row of sheet_view asks for, and returns its name as SQL has it.';

-- +goose StatementBegin
create or replace function sheetdrop.view_drop(view_id uuid) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
declare
  known record;
begin
  select v.name, o.schema_name into known from sheetdrop.sheet_view v join sheetdrop.owner_schema o using (owner) where v.id = view_id;
  if found then
    execute format('drop view if exists %I.%I', known.schema_name, known.name); -- what others built on it is never dropped along
  end if;
end $$;
-- +goose StatementEnd
comment on function sheetdrop.view_drop(uuid) is 'Drops the view of a row of sheet_view, if it is there. What depends on it is an error.';

-- +goose StatementBegin
create or replace function sheetdrop.reader_create(owner text) returns name
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  reader name := sheetdrop.reader_of(owner);
  space  name := (select o.schema_name from sheetdrop.owner_schema o where o.owner = reader_create.owner);
begin
  if not exists (select from pg_roles where rolname = reader) then
    execute format('create role %I nologin', reader);
  end if;
  if space is not null then
    execute format('grant usage on schema %I to %I', space, reader);
    execute format('grant select on all tables in schema %I to %I', space, reader);
  end if;
  return reader;
end $$;
-- +goose StatementEnd
comment on function sheetdrop.reader_create(text) is
  'For administrators, with their own rights: makes the role that reads all views of an owner, also later ones. Grant it to the logins of analysts.';

revoke execute on function sheetdrop.view_create(uuid), sheetdrop.view_drop(uuid), sheetdrop.reader_create(text) from public;
