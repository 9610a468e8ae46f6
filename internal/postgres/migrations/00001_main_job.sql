-- +goose Up

-- What was uploaded. The bytes are in the blob store under blob_name.
create table sheetdrop.source_file (
  id              uuid primary key,
  owner           text        not null check (owner <> ''),
  name            text        not null check (name <> ''),
  media_type      text        not null,
  size_bytes      bigint      not null check (size_bytes > 0),
  sha256          bytea       not null check (length(sha256) = 32),
  blob_name       text        not null unique,
  idempotency_key text,
  part_no         int         not null check (part_no >= 1),
  created_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  unique (owner, idempotency_key, part_no)
);
create index source_file_by_owner on sheetdrop.source_file (owner, id);

-- One parsing of a file. attempt is the fencing token: it rises at every claim and never falls.
create table sheetdrop.task (
  id                  uuid primary key,
  source_file_id      uuid        not null references sheetdrop.source_file on delete cascade,
  options             jsonb       not null,
  status              text        not null default 'PENDING'
                      check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED')),
  attempt             int         not null default 0 check (attempt >= 0),
  crashes             int         not null default 0 check (crashes >= 0),
  faults              int         not null default 0 check (faults >= 0),
  enqueues            int         not null default 0 check (enqueues >= 0),
  enqueued_at         timestamptz not null default now(),
  locked_by           uuid,
  locked_until        timestamptz,
  cancel_requested_at timestamptz,
  progress            jsonb,
  summary             jsonb,
  error_code          text,
  error_detail        text,
  created_at          timestamptz not null default now(),
  started_at          timestamptz,
  finished_at         timestamptz,
  constraint task_lease_only_while_processing check ((status = 'PROCESSING') = (locked_by is not null)),
  constraint task_lease_has_holder_and_end    check ((locked_by is null) = (locked_until is null)),
  constraint task_started_before_processing   check (status not in ('PROCESSING', 'COMPLETED') or (attempt > 0 and started_at is not null)),
  constraint task_finished_when_terminal      check ((status in ('COMPLETED', 'FAILED', 'CANCELLED')) = (finished_at is not null)),
  constraint task_error_only_when_failed      check ((status = 'FAILED') = (error_code is not null) and (error_code is not null or error_detail is null)),
  constraint task_summary_only_when_completed check ((status = 'COMPLETED') = (summary is not null)),
  constraint task_cancel_ends_at_once         check (cancel_requested_at is null or status <> 'PENDING')
);
create index task_by_file on sheetdrop.task (source_file_id, id);
-- For the reconciler: leases to look at, and tasks that may have lost their message. locked_until is in no index, so that a heartbeat stays cheap (HOT).
create index task_processing on sheetdrop.task (id) where status = 'PROCESSING';
create index task_pending on sheetdrop.task (enqueued_at) where status = 'PENDING';

-- Live messages only; a sent one moves to outbox_history. A claim changes no indexed column, so that its update stays HOT:
-- that is why the due time alone is indexed and a FAILED message is due at infinity.
create table sheetdrop.outbox_message (
  id              uuid primary key,
  event_type      text        not null,
  task_id         uuid,
  payload         jsonb       not null,
  status          text        not null default 'PENDING' check (status in ('PENDING', 'PROCESSING', 'FAILED')),
  attempts        int         not null default 0 check (attempts >= 0),
  rejections      int         not null default 0 check (rejections >= 0),
  next_attempt_at timestamptz not null default now(),
  locked_by       uuid,
  locked_until    timestamptz,
  last_error      text,
  trace_context   text,
  created_at      timestamptz not null default now(),
  constraint outbox_lease_only_while_processing check ((status = 'PROCESSING') = (locked_by is not null)),
  constraint outbox_lease_has_holder_and_end    check ((locked_by is null) = (locked_until is null)),
  constraint outbox_failed_is_never_due         check ((status = 'FAILED') = (next_attempt_at = 'infinity'))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index outbox_message_due on sheetdrop.outbox_message (next_attempt_at);
create index outbox_message_by_task on sheetdrop.outbox_message (task_id);

-- Sent messages, in 32 slots of a day each, which retention empties by TRUNCATE. day_slot = days since 1970 (UTC) mod 32.
create table sheetdrop.outbox_history (
  day_slot      smallint    not null check (day_slot between 0 and 31),
  id            uuid        not null,
  event_type    text        not null,
  task_id       uuid,
  payload       jsonb       not null,
  attempts      int         not null,
  trace_context text,
  created_at    timestamptz not null,
  processed_at  timestamptz not null,
  primary key (day_slot, id)
) partition by list (day_slot);
-- +goose StatementBegin
do $$
begin
  for slot in 0..31 loop
    execute format('create table sheetdrop.outbox_history_%s partition of sheetdrop.outbox_history for values in (%s)',
                   to_char(slot, 'FM00'), slot);
  end loop;
end $$;
-- +goose StatementEnd

-- What a task found. Ids come from the sequence before the rows are loaded.
create sequence sheetdrop.sheet_id as bigint;
create table sheetdrop.sheet (
  id            bigint primary key,
  task_id       uuid   not null references sheetdrop.task on delete cascade,
  number        int    not null check (number >= 1),
  name          text   not null,
  visible       bool   not null,
  dialect       jsonb  not null,
  columns       jsonb  not null,
  rows_read     bigint not null,
  rows_loaded   bigint not null check (rows_loaded >= 0),
  rows_rejected bigint not null check (rows_rejected >= 0),
  rows_skipped  bigint not null check (rows_skipped >= 0),
  unique (task_id, number),
  constraint sheet_counts_add_up check (rows_read = rows_loaded + rows_rejected + rows_skipped)
);

-- No foreign key per row: it would halve the speed of loading. Whoever deletes a sheet deletes its rows and rejects.
create table sheetdrop.sheet_row (
  sheet_id bigint not null,
  row_no   bigint not null,
  line     bigint,
  cells    text[] not null,
  primary key (sheet_id, row_no)
);
create table sheetdrop.row_reject (
  sheet_id    bigint not null,
  row_no      bigint not null,
  error_no    int    not null check (error_no >= 1),
  line        bigint,
  byte_offset bigint,
  cell_ref    text,
  column_no   int,
  column_name text,
  code        text   not null,
  message     text   not null,
  raw         bytea,
  primary key (sheet_id, row_no, error_no)
);

-- One row: the lease that lets one reconciler run at a time, and when it last did.
create table sheetdrop.reconciler (
  one          bool primary key default true check (one),
  ran_at       timestamptz not null default now(),
  locked_by    uuid,
  locked_until timestamptz
);
insert into sheetdrop.reconciler default values;
