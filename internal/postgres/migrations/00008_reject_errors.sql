-- +goose Up

-- A rejected record is one row, with its first reason in the columns that there were: the columns from column_no to last_column_no, which is
-- NULL where it is one, and what else is wrong as a JSON array in more_errors. Programs from before write a row for each reason, and read the
-- first one of those with several.
--
-- Nothing is rewritten or read, however big the table is, and nobody waits here for long, as in 00002.
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '1s';
  for try in 1..300 loop
    begin
      alter table sheetdrop.row_reject add column last_column_no int, add column more_errors jsonb;
      return;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
  raise lock_not_available using message = 'files are being loaded without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
