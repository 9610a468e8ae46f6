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

-- An owner's open tasks. Built beside what runs, as in the migrations before.
drop index concurrently if exists sheetdrop.task_open_by_owner;
create index concurrently task_open_by_owner on sheetdrop.task (owner) where status in ('PENDING', 'PROCESSING');
