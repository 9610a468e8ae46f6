-- +goose NO TRANSACTION
-- +goose Up

-- Corrected rejects of a load into a target are a load of their own that belongs to it: what takes the place of the one takes that of the
-- other, and an undo of the one is one of both. A reject is kept while a correction has its place, so that it is open again when that is
-- undone. Nobody waits for long behind one that waits for a table.
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '50ms';
  for try in 1..300 loop
    begin
      alter table sheetdrop.target_load add column if not exists corrects bigint;
      return;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '50ms';
  for try in 1..300 loop
    begin
      alter table sheetdrop.corrected_reject add column if not exists reject jsonb;
      return;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
drop index concurrently if exists sheetdrop.target_load_corrections;
create index concurrently target_load_corrections on sheetdrop.target_load (target_id, corrects) where corrects is not null;
comment on column sheetdrop.target_load.corrects is 'The load whose rejects it has corrected, and with which it counts; NULL: none.';
comment on column sheetdrop.corrected_reject.reject is 'Of a reject of a load into a target: its row, without the bytes, by which an undo opens it again.';
comment on column sheetdrop.corrected_reject.loaded_row_no is 'The row that the reject has become; in a target, the number under which the correcting load has it.';

-- Corrections run one after the other, and none beside an undo, also those of a target that has no order otherwise.
-- +goose StatementBegin
create or replace function sheetdrop.take_turn() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.target_id := (new.options->'target'->>'id')::uuid;
  new.ordered := coalesce(new.options->'target'->>'mode', 'insert') <> 'insert' or new.options->'target' ?| array['series', 'undo', 'corrects']
    or coalesce((select t.ordered from sheetdrop.target t where t.id = new.target_id), false);
  new.kind := case when new.options->'target' ? 'undo' then 'UNDO' else 'LOAD' end;
  new.turn := nextval('sheetdrop.turn');
  return new;
end $$;
-- +goose StatementEnd
