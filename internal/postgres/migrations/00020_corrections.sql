-- +goose Up

-- A reject that was replaced by a row: which record of which file of corrections it was, the row that it became, and the bytes that were
-- rejected. During a load of corrections there is one for each of its records, with what is to be done; the load's end deletes those that
-- replaced nothing. error_no is that of the record's own reject, 0 where it had none. It belongs to the corrected sheet, and goes with it.
create table sheetdrop.corrected_reject (
  sheet_id        bigint not null,
  row_no          bigint not null,
  error_no        int    not null check (error_no >= 0),
  task_id         uuid   not null,
  target_sheet_id bigint not null,
  target_row_no   bigint not null,
  target_error_no int    not null,
  cells           text[],
  reasons         jsonb,
  loaded_row_no   bigint,
  raw             bytea,
  primary key (sheet_id, row_no, error_no)
);
create unique index corrected_reject_once on sheetdrop.corrected_reject (target_sheet_id, target_row_no, target_error_no) where loaded_row_no is not null;
comment on table sheetdrop.corrected_reject is 'Rejects that were corrected and have become rows: of which file, and what they were.';
comment on column sheetdrop.corrected_reject.sheet_id is 'The sheet of the file of corrections.';
comment on column sheetdrop.corrected_reject.row_no is 'The record in that sheet.';
comment on column sheetdrop.corrected_reject.error_no is 'The record''s own reject; 0 where it had none.';
comment on column sheetdrop.corrected_reject.task_id is 'The task that loaded the corrections.';
comment on column sheetdrop.corrected_reject.target_sheet_id is 'The sheet that had the reject.';
comment on column sheetdrop.corrected_reject.target_row_no is 'The reject''s row number in it.';
comment on column sheetdrop.corrected_reject.target_error_no is 'The reject''s number among those of its row number.';
comment on column sheetdrop.corrected_reject.cells is 'The corrected cells, by the columns of the sheet that had the reject; only while the load goes on.';
comment on column sheetdrop.corrected_reject.reasons is 'Why the record is still rejected; only while the load goes on.';
comment on column sheetdrop.corrected_reject.loaded_row_no is 'The row that the reject has become.';
comment on column sheetdrop.corrected_reject.raw is 'The bytes that were rejected.';

-- The cells of a rejected record, as far as they could be told apart, by which a person can correct it; NULL in rejects of before. As in
-- earlier migrations nobody waits for long behind one that waits for the table; and it comes last, since the lock stays until COMMIT.
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '50ms';
  for try in 1..600 loop
    begin
      alter table sheetdrop.row_reject add column cells text[];
      return;
    exception when lock_not_available then
      perform pg_sleep(0.5);
    end;
  end loop;
  raise lock_not_available using message = 'files are being loaded without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
comment on column sheetdrop.row_reject.cells is 'The record''s cells, as far as they could be told apart; NULL in rejects older than that.';
