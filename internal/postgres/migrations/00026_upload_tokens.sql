-- +goose Up

-- Tokens with which a page of another origin uploads files for an owner, for an hour at most. New tables alone: nobody waits.
create table if not exists sheetdrop.upload_token (
  id uuid primary key,
  owner text not null check (owner <> ''),
  secret_sha256 bytea not null unique check (length(secret_sha256) = 32),
  origin text not null check (origin <> ''),
  options jsonb not null,
  max_files int not null check (max_files > 0),
  max_bytes bigint not null check (max_bytes > 0),
  files int not null default 0,
  bytes bigint not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint upload_token_has_files_left check (files between 0 and max_files),
  constraint upload_token_has_bytes_left check (bytes between 0 and max_bytes),
  constraint upload_token_lives_an_hour check (expires_at <= created_at + interval '1 hour')
);
create index if not exists upload_token_expired on sheetdrop.upload_token (expires_at);
create index if not exists upload_token_by_owner on sheetdrop.upload_token (owner, expires_at);
comment on table sheetdrop.upload_token is 'Tokens for uploads from pages of other origins. Expired ones are deleted when new ones are made.';
comment on column sheetdrop.upload_token.id is 'Names the token to its owner; it is no secret.';
comment on column sheetdrop.upload_token.owner is 'Whose files the uploads become.';
comment on column sheetdrop.upload_token.secret_sha256 is 'SHA-256 of the token. The token itself is stored nowhere.';
comment on column sheetdrop.upload_token.origin is 'The one origin whose pages may use it.';
comment on column sheetdrop.upload_token.options is 'The parse options of each upload, with the target where there is one.';
comment on column sheetdrop.upload_token.max_files is 'How many files may be uploaded with it.';
comment on column sheetdrop.upload_token.max_bytes is 'How many bytes they may have together.';
comment on column sheetdrop.upload_token.files is 'How many files were uploaded, or begun, with it.';
comment on column sheetdrop.upload_token.bytes is 'The bytes of these files together.';
comment on column sheetdrop.upload_token.created_at is 'When it was made.';
comment on column sheetdrop.upload_token.expires_at is 'From when on it is of no use.';

create table if not exists sheetdrop.upload_token_task (
  token_id uuid not null references sheetdrop.upload_token on delete cascade,
  file_id uuid not null,
  task_id uuid not null,
  primary key (token_id, file_id)
);
comment on table sheetdrop.upload_token_task is 'What was made with a token, which is all that the token can read.';
comment on column sheetdrop.upload_token_task.token_id is 'The token.';
comment on column sheetdrop.upload_token_task.file_id is 'The file, or the upload to the blob store that becomes the file; either may be gone.';
comment on column sheetdrop.upload_token_task.task_id is 'The first task of the file.';
