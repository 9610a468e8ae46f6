-- +goose NO TRANSACTION
-- +goose Up

-- A view knows the file and the sheet that it shows, so that it can follow the file's newest reading, and be dropped with the file. Whatever may
-- change what a view is to show marks it by a trigger, in its own transaction; maintenance looks at marked views alone. Every statement may be
-- run again.
alter table sheetdrop.sheet_view
  add column if not exists file_id      uuid,
  add column if not exists sheet_number int,
  add column if not exists pinned       bool not null default false,
  add column if not exists stale_at     timestamptz,
  add column if not exists in_use_by    text[];
update sheetdrop.sheet_view v set file_id = t.source_file_id, sheet_number = s.number
from sheetdrop.sheet s join sheetdrop.task t on t.id = s.task_id where s.id = v.sheet_id and v.file_id is null;
create index if not exists sheet_view_by_file on sheetdrop.sheet_view (file_id);
create index if not exists sheet_view_by_sheet on sheetdrop.sheet_view (sheet_id);
create index if not exists sheet_view_stale on sheetdrop.sheet_view (stale_at) where stale_at is not null;

-- +goose StatementBegin
create or replace function sheetdrop.mark_views() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_table_name = 'task' then
    update sheetdrop.sheet_view set stale_at = now() where file_id = new.source_file_id;
  else
    update sheetdrop.sheet_view set stale_at = now() where file_id = new.id;
  end if;
  return null;
end $$;
-- +goose StatementEnd
comment on function sheetdrop.mark_views() is 'Marks the views of a file for maintenance: a reading was completed or deleted, or the file was.';

-- Both tables have to be free for a moment, and who comes behind a statement that waits for one waits as well: so it never waits for long.
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '50ms';
  for try in 1..600 loop
    begin
      create or replace trigger views_follow after update of status, rows_deleted_at on sheetdrop.task for each row
        when (new.status = 'COMPLETED' and (old.status <> 'COMPLETED' or new.rows_deleted_at is distinct from old.rows_deleted_at))
        execute function sheetdrop.mark_views();
      return;
    exception when lock_not_available then
      perform pg_sleep(0.5);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '50ms';
  for try in 1..600 loop
    begin
      create or replace trigger views_follow after update of deleted_at on sheetdrop.source_file for each row
        when (new.deleted_at is distinct from old.deleted_at) execute function sheetdrop.mark_views();
      return;
    exception when lock_not_available then
      perform pg_sleep(0.5);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd

-- What view_create did, now for view_replace as well. It has the rights of its caller: those two have their owner's.
-- +goose StatementBegin
create or replace function sheetdrop.view_put(view_id uuid, replacing bool) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  wanted record;
  space  name;
  reader name;
  items  text[];
  body   text;
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
  body := format($view$view %I.%I with (security_barrier) as select %s from sheetdrop.sheet_row where sheet_id = %s and exists (
    select from sheetdrop.sheet s join sheetdrop.task t on t.id = s.task_id join sheetdrop.source_file f on f.id = t.source_file_id
    where s.id = %s and f.deleted_at is null) order by row_no$view$,
    space, wanted.name, array_to_string(array_prepend('row_no as _row', items), ', '), wanted.sheet_id, wanted.sheet_id);
  if replacing then
    begin
      execute 'create or replace ' || body; -- what depends on it, and rights that others were given, stay
    exception when invalid_table_definition then -- other columns, or other types
      execute format('drop view %I.%I', space, wanted.name); -- what others built on it is never dropped along
      execute 'create ' || body;
    end;
  else
    execute 'create ' || body;
  end if;
  execute format('comment on view %I.%I is %L', space, wanted.name, 'Sheet ' || wanted.sheet_id || ' of ' || wanted.file_name);
  if exists (select from pg_roles where rolname = reader) then
    execute format('grant usage on schema %I to %I', space, reader);
    execute format('grant select on %I.%I to %I', space, wanted.name, reader);
  end if;
  return format('%I.%I', space, wanted.name);
end $$;
-- +goose StatementEnd
comment on function sheetdrop.view_put(uuid, bool) is 'Makes the view that a row of sheet_view asks for, or puts it in the place of the one of its name; returns its name as SQL has it.';

-- +goose StatementBegin
create or replace function sheetdrop.view_create(view_id uuid) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
begin
  return sheetdrop.view_put(view_id, false);
end $$;
-- +goose StatementEnd

-- +goose StatementBegin
create or replace function sheetdrop.view_replace(view_id uuid) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
begin
  return sheetdrop.view_put(view_id, true);
end $$;
-- +goose StatementEnd
comment on function sheetdrop.view_replace(uuid) is 'Has the view of a row of sheet_view show the sheet that the row names now. What depends on columns that would change is an error.';
revoke execute on function sheetdrop.view_replace(uuid), sheetdrop.view_put(uuid, bool), sheetdrop.mark_views() from public;
