-- +goose NO TRANSACTION
-- +goose Up

-- A load takes the place of the earlier ones of its series, and of those of the same sheet of its file. These no longer count: undone_at is
-- set, and superseded_by says that they return when that load is undone. What they have written stays in __was until then, by rows whose _by
-- is 0. A load that is settled can no longer be undone, and what its target has kept for that goes.
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '50ms';
  for try in 1..300 loop
    begin
      alter table sheetdrop.target_load
        add column if not exists series text,
        add column if not exists replaces_sheet bool not null default false,
        add column if not exists superseded_by bigint,
        add column if not exists settled_at timestamptz,
        add column if not exists history_deleted_at timestamptz;
      return;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
drop index concurrently if exists sheetdrop.target_load_by_series;
create index concurrently target_load_by_series on sheetdrop.target_load (target_id, series, id) where series is not null;
drop index concurrently if exists sheetdrop.target_load_superseded;
create index concurrently target_load_superseded on sheetdrop.target_load (target_id, superseded_by) where superseded_by is not null;
drop index concurrently if exists sheetdrop.target_load_unsettled;
create index concurrently target_load_unsettled on sheetdrop.target_load (applied_at) where settled_at is null;
drop index concurrently if exists sheetdrop.target_load_with_history;
create index concurrently target_load_with_history on sheetdrop.target_load (target_id) where settled_at is not null and history_deleted_at is null;
comment on column sheetdrop.target_load.series is 'Of whose loads the newest counts; NULL: none.';
comment on column sheetdrop.target_load.replaces_sheet is 'Whether it has taken the place of earlier loads of the same sheet of its file.';
comment on column sheetdrop.target_load.superseded_by is 'The load that has taken its place, and with whose undo it returns; NULL: none.';
comment on column sheetdrop.target_load.settled_at is 'From when on it can no longer be undone; NULL while it can.';
comment on column sheetdrop.target_load.history_deleted_at is 'When what only its undo would have needed was deleted.';
comment on column sheetdrop.target_load.undone_at is 'When it was undone, or another load took its place; NULL while it counts.';

-- Loads of a series run one after the other, also those of a target that has no order otherwise; and so do undos.
-- +goose StatementBegin
create or replace function sheetdrop.take_turn() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.target_id := (new.options->'target'->>'id')::uuid;
  new.ordered := coalesce(new.options->'target'->>'mode', 'insert') <> 'insert' or new.options->'target' ?| array['series', 'undo']
    or coalesce((select t.ordered from sheetdrop.target t where t.id = new.target_id), false);
  new.kind := case when new.options->'target' ? 'undo' then 'UNDO' else 'LOAD' end;
  new.turn := nextval('sheetdrop.turn');
  return new;
end $$;
-- +goose StatementEnd
