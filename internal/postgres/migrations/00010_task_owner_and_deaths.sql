-- +goose Up

-- owner is the owner of the task's file, so that an owner's tasks are found by an index. It is NULL in tasks from before, and in those that an
-- older program adds: these are not counted, and are run by their own message alone. In the "C" collation names are compared byte by byte.
--
-- A worker process that dies takes all of its runs along, which is no evidence against any one of their files. shared_deaths counts, since the
-- last retry, the runs that ended so while the process had room for others; alone_attempt is the last attempt that had the process to itself.
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '1s';
  for try in 1..300 loop
    begin
      alter table sheetdrop.task
        add column owner text collate "C",
        add column shared_deaths int not null default 0 check (shared_deaths >= 0),
        add column alone_attempt int;
      return;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
