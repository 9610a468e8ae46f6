-- +goose NO TRANSACTION
-- +goose Up

-- An upload whose bytes the client writes to the blob store itself, block by block. While it is OPEN its blob belongs to no file: completing it
-- commits the blocks in the store and then writes file, task and message. ABANDONED is one that was given up or has expired: its row stays for
-- as long as somebody may still be able to write its blob, and goes with the blob.
create table if not exists sheetdrop.upload (
  id              uuid        primary key,                        -- its file's id, too
  owner           text        not null check (owner <> ''),
  name            text        not null check (name <> ''),        -- of the file
  media_type      text        not null,                           -- of the file
  size_bytes      bigint      not null check (size_bytes > 0),    -- promised; other sizes are not completed
  block_bytes     bigint      not null check (block_bytes > 0),   -- of each block but the last one
  options         jsonb       not null,                           -- parse options of the first task
  sha256          bytea       check (length(sha256) = 32),        -- promised; NULL where it was not. A worker compares
  idempotency_key text,                                           -- of the request that began it
  blob_name       text        not null unique,
  task_id         uuid        not null,                           -- of the task that completing it makes
  status          text        not null default 'OPEN' check (status in ('OPEN', 'COMPLETED', 'ABANDONED')),
  created_at      timestamptz not null default now(),
  expires_at      timestamptz not null,                           -- OPEN beyond it is as good as ABANDONED
  writable_until  timestamptz not null,                           -- when the last address that was handed out ends
  completed_at    timestamptz,
  file_id         uuid references sheetdrop.source_file on delete cascade,
  unique (owner, idempotency_key),
  constraint upload_has_a_file_once_completed check ((status = 'COMPLETED') = (file_id is not null) and (file_id is null) = (completed_at is null)),
  constraint upload_is_its_file               check (file_id = id)
);
create index if not exists upload_unfinished_by_owner on sheetdrop.upload (owner) where status <> 'COMPLETED';
create index if not exists upload_open on sheetdrop.upload (expires_at) where status = 'OPEN';
create index if not exists upload_by_file on sheetdrop.upload (file_id);
create index if not exists upload_abandoned on sheetdrop.upload (writable_until) where status = 'ABANDONED';

-- etag is the version of the blob that is the file, of a file whose bytes did not come through the API: nothing else is read. Its sha256 is NULL
-- until a worker has read it.
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '1s';
  for try in 1..300 loop
    begin
      alter table sheetdrop.source_file
        add column if not exists etag text,
        alter column sha256 drop not null,
        drop constraint if exists source_file_bytes_are_known,
        add constraint source_file_bytes_are_known check (sha256 is not null or etag is not null) not valid;
      return;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
alter table sheetdrop.source_file validate constraint source_file_bytes_are_known;
