-- +goose NO TRANSACTION
-- +goose Up

-- The payload of nearly all messages repeats the ids that stand beside it. The history keeps it only where it says something else.
-- A program from before goes on writing it.
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '50ms';
  for try in 1..600 loop
    begin
      alter table sheetdrop.outbox_history alter column payload drop not null;
      return;
    exception when lock_not_available then
      perform pg_sleep(0.5);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
comment on column sheetdrop.outbox_history.payload is 'What was sent; NULL: nothing but the version 1 and the ids of message and task.';
