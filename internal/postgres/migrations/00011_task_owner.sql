-- +goose NO TRANSACTION
-- +goose Up

-- The owner of a task's file, so that a worker finds the owners who have work waiting by an index. It is NULL in tasks from before, and in
-- those that an older program adds: they are run by their own message alone. In the "C" collation names are compared byte by byte, as fast as can be.
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '1s';
  for try in 1..300 loop
    begin
      alter table sheetdrop.task add column if not exists owner text collate "C";
      return;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
-- The tasks that wait and that any worker may take, by owner and then by age. Built beside what runs, as in the migrations before.
drop index concurrently if exists sheetdrop.task_waiting;
create index concurrently task_waiting on sheetdrop.task (owner, enqueued_at) where status = 'PENDING' and crashes = 0 and faults <= 3;
