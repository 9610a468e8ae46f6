-- +goose Up

-- After a restore of the database to an earlier moment, blobs of files that it has forgotten look like blobs that no file ever had. While a
-- recovery is under way, none is deleted. restored_to is the last moment at which this database, as it is now, was at work before.
create table sheetdrop.recovery (
  id          uuid        primary key default gen_random_uuid(),
  noticed_at  timestamptz not null default now(),
  restored_to timestamptz not null,
  ended_at    timestamptz
);
create unique index recovery_one_at_a_time on sheetdrop.recovery ((true)) where ended_at is null;

-- The epoch rises with each run of the relay, which then keeps it with the container of blobs as well: a container that is ahead of its
-- database tells that the database has lost commits.
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '1s';
  for try in 1..300 loop
    begin
      alter table sheetdrop.reconciler add column epoch bigint not null default 0;
      return;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
