-- +goose Up

-- What is wrong is said in English and in Japanese; NULL is what was written before, or by a program that knows English only. A dry run
-- counts the rows that it found good and did not load, which are among the skipped ones. Warnings tell of cells that were loaded and may
-- mean something else: a JSON array of code, count and refs.
--
-- Nothing is rewritten or read, however big a table is: a constant default needs no rewriting, and the constraints, which every old row
-- keeps, look at new rows only. But each of the tables has to be free for a moment, which row_reject is not while a load runs, and who
-- comes behind one that waits for it waits as well. So nobody waits here for long: it is tried again and again between the loads.
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '1s';
  for try in 1..300 loop
    begin
      alter table sheetdrop.row_reject add column message_ja text;
      alter table sheetdrop.task add column error_detail_ja text,
        add constraint task_error_has_english check (error_detail_ja is null or error_detail is not null) not valid;
      alter table sheetdrop.sheet add column warnings jsonb not null default '[]', add column rows_valid bigint not null default 0,
        add constraint sheet_valid_rows_are_skipped check (rows_valid between 0 and rows_skipped) not valid;
      return;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
  raise lock_not_available using message = 'files are being loaded without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
