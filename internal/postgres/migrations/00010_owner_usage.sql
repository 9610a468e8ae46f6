-- +goose NO TRANSACTION
-- +goose Up

-- What an owner has had accepted on a day (UTC): a row for each owner, which begins anew with the first thing of another day. open_left is how
-- many more tasks the owner may open before those that have not ended are counted again. An update changes no indexed column but once a day,
-- so it stays on its page (HOT).
create table if not exists sheetdrop.owner_usage (
  owner     text   primary key,
  day       date   not null,
  files     bigint not null check (files >= 0),
  bytes     bigint not null check (bytes >= 0),
  tasks     bigint not null check (tasks >= 0),
  open_left bigint not null default 0
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index if not exists owner_usage_by_day on sheetdrop.owner_usage (day);

-- Whose the task is, as its file says, so that an owner's open tasks can be counted without the others'. NULL in tasks from before, and of
-- programs from before, which are not counted. Built beside what runs, as in the migrations before.
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '1s';
  for try in 1..300 loop
    begin
      alter table sheetdrop.task add column if not exists owner text;
      return;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
drop index concurrently if exists sheetdrop.task_open_by_owner;
create index concurrently task_open_by_owner on sheetdrop.task (owner) where status in ('PENDING', 'PROCESSING');
