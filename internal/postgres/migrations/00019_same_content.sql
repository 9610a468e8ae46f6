-- +goose NO TRANSACTION
-- +goose Up

-- An owner's files by their bytes: the same ones again are found by it. Built beside what runs, as in the migrations before.
drop index concurrently if exists sheetdrop.source_file_by_content;
create index concurrently source_file_by_content on sheetdrop.source_file (owner, sha256, created_at, id) where deleted_at is null and sha256 is not null;

-- A direct upload's file has no hash until a worker has read it; until then the promised one tells which file it is.
drop index concurrently if exists sheetdrop.upload_promised;
create index concurrently upload_promised on sheetdrop.upload (owner, sha256) where status = 'COMPLETED' and sha256 is not null;

-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '50ms';
  for try in 1..300 loop
    begin
      alter table sheetdrop.upload add column if not exists refuse_duplicates bool not null default false;
      return;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
comment on column sheetdrop.upload.refuse_duplicates is 'It is not completed while its owner has another file with the bytes that it promises.';
