-- +goose Up

-- What the queue gave up delivering, with its text. Its task is left to the reconciler's other steps.
create table sheetdrop.dead_letter (
  id               uuid        primary key,
  queue_message_id text        not null unique,
  task_id          uuid,
  text             text        not null,
  dequeue_count    bigint      not null check (dequeue_count >= 0),
  seen_at          timestamptz not null default now()
);

-- What a person did, written in the transaction that did it; so a row that is there tells that it was done.
create table sheetdrop.operator_action (
  id     uuid        primary key,
  at     timestamptz not null default now(),
  caller text        not null check (caller <> ''),
  action text        not null check (action <> ''),
  target uuid,
  filter jsonb,
  count  bigint      not null default 1 check (count >= 0),
  constraint operator_action_has_target_or_filter check (target is not null or filter is not null)
);

-- Many files parsed again at once, and what became of each: a task, or the reason why there is none. Nothing here refers to the files
-- and tasks themselves, so that it can be read when they are gone.
create table sheetdrop.bulk_operation (
  id         uuid        primary key,
  owner      text        not null check (owner <> ''),
  created_at timestamptz not null default now()
);
create table sheetdrop.bulk_item (
  bulk_id uuid not null references sheetdrop.bulk_operation on delete cascade,
  item_no int  not null check (item_no >= 1),
  file_id uuid not null,
  task_id uuid,
  reason  text,
  primary key (bulk_id, item_no),
  constraint bulk_item_is_accepted_or_excluded check ((task_id is null) = (reason is not null))
);

-- Sheets that nobody sees any more, whose rows and rejects are still to be deleted: those after row position, up to last_row.
create table sheetdrop.sheet_purge (
  sheet_id bigint primary key,
  position bigint not null default 0 check (position >= 0),
  last_row bigint not null
);

-- Each of these tables has to be free for a moment, and who comes behind one that waits for it waits as well: so nobody waits here for long.
-- The constraints, which every old row keeps, look at new rows only.
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '1s';
  for try in 1..300 loop
    begin
      alter table sheetdrop.source_file add column purged_at timestamptz,
        add constraint source_file_purged_after_deleted check (purged_at is null or deleted_at is not null) not valid;
      alter table sheetdrop.task add column rows_deleted_at timestamptz,
        add constraint task_rows_deleted_after_its_end check (rows_deleted_at is null or status in ('COMPLETED', 'FAILED', 'CANCELLED')) not valid;
      -- The sweep for orphan blobs: where it goes on in the list of names, and when it last came to the list's end.
      alter table sheetdrop.reconciler add column sweep_marker text not null default '', add column swept_at timestamptz;
      return;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
  raise lock_not_available using message = 'the tables are in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
