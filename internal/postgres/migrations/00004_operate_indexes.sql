-- +goose NO TRANSACTION
-- +goose Up

-- Built beside what runs. A build that was broken off leaves an index without use behind, which is dropped first.
-- For the reconciler: what is still to be purged, what was, and what grows old; each index holds what is left to do, not what was done.
drop index concurrently if exists sheetdrop.source_file_to_purge;
create index concurrently source_file_to_purge on sheetdrop.source_file (deleted_at) where deleted_at is not null and purged_at is null;
drop index concurrently if exists sheetdrop.source_file_purged;
create index concurrently source_file_purged on sheetdrop.source_file (deleted_at) where purged_at is not null;
drop index concurrently if exists sheetdrop.source_file_by_age;
create index concurrently source_file_by_age on sheetdrop.source_file (created_at) where deleted_at is null;
-- For operators: a FAILED message is found by its due time, infinity; a FAILED task here.
drop index concurrently if exists sheetdrop.task_failed;
create index concurrently task_failed on sheetdrop.task (id) where status = 'FAILED';
