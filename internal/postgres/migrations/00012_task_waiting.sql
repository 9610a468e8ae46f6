-- +goose NO TRANSACTION
-- +goose Up

-- The tasks that wait and that any worker may take, by owner and then by age. Built beside what runs, as in the migrations before.
drop index concurrently if exists sheetdrop.task_waiting;
create index concurrently task_waiting on sheetdrop.task (owner, enqueued_at) where status = 'PENDING' and crashes = 0 and shared_deaths = 0 and faults <= 3;
