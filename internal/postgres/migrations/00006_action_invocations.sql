-- +goose NO TRANSACTION
-- +goose Up

-- The host sends a request without a body again, under the same invocation id, when the handler dies before it has answered. The record of
-- what the first delivery did keeps that id, so that the second one finds it. It is NULL where no host is in front. Built beside what runs,
-- as in the migrations before.
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '1s';
  for try in 1..300 loop
    begin
      alter table sheetdrop.operator_action add column if not exists invocation_id uuid;
      return;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
drop index concurrently if exists sheetdrop.operator_action_by_invocation;
create unique index concurrently operator_action_by_invocation on sheetdrop.operator_action (invocation_id) where invocation_id is not null;
