-- +goose NO TRANSACTION
-- +goose Up

-- A view knows the file and the sheet that it shows, so that it can follow the file's newest reading, and be dropped with the file. Whatever may
-- change what a view is to show marks it by a trigger, in its own transaction; maintenance looks at marked views alone. Every statement may be
-- run again.
alter table sheetdrop.sheet_view
  add column if not exists file_id      uuid,
  add column if not exists sheet_number int,
  add column if not exists pinned       bool not null default false,
  add column if not exists stale_at     timestamptz,
  add column if not exists in_use_by    text[];
update sheetdrop.sheet_view v set file_id = t.source_file_id, sheet_number = s.number
from sheetdrop.sheet s join sheetdrop.task t on t.id = s.task_id where s.id = v.sheet_id and v.file_id is null;
create index if not exists sheet_view_by_file on sheetdrop.sheet_view (file_id);
create index if not exists sheet_view_by_sheet on sheetdrop.sheet_view (sheet_id);
create index if not exists sheet_view_stale on sheetdrop.sheet_view (stale_at) where stale_at is not null;

-- +goose StatementBegin
create or replace function sheetdrop.mark_views() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_table_name = 'task' then
    update sheetdrop.sheet_view set stale_at = now() where file_id = new.source_file_id;
  else
    update sheetdrop.sheet_view set stale_at = now() where file_id = new.id;
  end if;
  return null;
end $$;
-- +goose StatementEnd
comment on function sheetdrop.mark_views() is 'Marks the views of a file for maintenance: a reading was completed or deleted, or the file was.';

-- Both tables have to be free for a moment, and who comes behind a statement that waits for one waits as well: so it never waits for long.
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '50ms';
  for try in 1..600 loop
    begin
      create or replace trigger views_follow after update of status, rows_deleted_at on sheetdrop.task for each row
        when (new.status = 'COMPLETED' and (old.status <> 'COMPLETED' or new.rows_deleted_at is distinct from old.rows_deleted_at))
        execute function sheetdrop.mark_views();
      return;
    exception when lock_not_available then
      perform pg_sleep(0.5);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '50ms';
  for try in 1..600 loop
    begin
      create or replace trigger views_follow after update of deleted_at on sheetdrop.source_file for each row
        when (new.deleted_at is distinct from old.deleted_at) execute function sheetdrop.mark_views();
      return;
    exception when lock_not_available then
      perform pg_sleep(0.5);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd

-- What view_create did, now for view_replace as well. It has the rights of its caller: those two have their owner's.
-- +goose StatementBegin
create or replace function sheetdrop.view_put(view_id uuid, replacing bool) returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  wanted record;
  space  name;
  reader name;
  items  text[];
  body   text;
begin
  select v.name, v.owner, v.sheet_id, s.number, s.task_id, s.columns, f.name as file_name into wanted
  from sheetdrop.sheet_view v
  join sheetdrop.sheet s on s.id = v.sheet_id
  join sheetdrop.task t on t.id = s.task_id and t.status = 'COMPLETED'
  join sheetdrop.source_file f on f.id = t.source_file_id and f.owner = v.owner and f.deleted_at is null
  where v.id = view_id;
  if not found then
    raise no_data_found using message = format('view %s is of no sheet that its owner has', view_id);
  end if;
  space := sheetdrop.schema_of(wanted.owner);
  reader := sheetdrop.reader_of(wanted.owner);

  -- One column of a view is _row, and it has 1,600 at most.
  with known as (
    select e->>'name' as name, no, sheetdrop.cell_expression(no::int, e->>'type', coalesce(e->>'format', ''), coalesce((e->>'digits')::int, 0)) as expression
    from jsonb_array_elements(wanted.columns) with ordinality as c (e, no) where no < 1600
  ), named as (
    select alias, no from unnest(sheetdrop.column_names(array(select name from known order by no))) with ordinality as a (alias, no)
  )
  select array_agg(expression || format(' as %I', alias) order by no) into items from known join named using (no);
  if exists (select from unnest(items) item where item is null) then
    raise feature_not_supported using message = format('sheet %s has a column of a type that has no SQL', wanted.sheet_id);
  end if;

  insert into sheetdrop.owner_schema (owner, schema_name) values (wanted.owner, space) on conflict (owner) do nothing;
  execute format('create schema if not exists %I', space);
  -- Without security_barrier a reader's function in WHERE would see rows of other sheets before they are left out. With it, only a view that is
  -- ordered has its first rows by the index.
  body := format($view$view %I.%I with (security_barrier) as select %s from sheetdrop.sheet_row where sheet_id = %s and exists (
    select from sheetdrop.sheet s join sheetdrop.task t on t.id = s.task_id join sheetdrop.source_file f on f.id = t.source_file_id
    where s.id = %s and f.deleted_at is null) order by row_no$view$,
    space, wanted.name, array_to_string(array_prepend('row_no as _row', items), ', '), wanted.sheet_id, wanted.sheet_id);
  if replacing then
    begin
      execute 'create or replace ' || body; -- what depends on it, and rights that others were given, stay
    exception when invalid_table_definition then -- other columns, or other types
      execute format('drop view %I.%I', space, wanted.name); -- what others built on it is never dropped along
      execute 'create ' || body;
    end;
  else
    execute 'create ' || body;
  end if;
  execute format('comment on view %I.%I is %L', space, wanted.name,
    format('Sheet %s of %s, as task %s has read it', wanted.number, wanted.file_name, wanted.task_id));
  if exists (select from pg_roles where rolname = reader) then
    execute format('grant usage on schema %I to %I', space, reader);
    execute format('grant select on %I.%I to %I', space, wanted.name, reader);
  end if;
  return format('%I.%I', space, wanted.name);
end $$;
-- +goose StatementEnd
comment on function sheetdrop.view_put(uuid, bool) is 'Makes the view that a row of sheet_view asks for, or puts it in the place of the one of its name; returns its name as SQL has it.';

-- +goose StatementBegin
create or replace function sheetdrop.view_create(view_id uuid) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
begin
  return sheetdrop.view_put(view_id, false);
end $$;
-- +goose StatementEnd

-- +goose StatementBegin
create or replace function sheetdrop.view_replace(view_id uuid) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
begin
  return sheetdrop.view_put(view_id, true);
end $$;
-- +goose StatementEnd
comment on function sheetdrop.view_replace(uuid) is 'Has the view of a row of sheet_view show the sheet that the row names now. What depends on columns that would change is an error.';
revoke execute on function sheetdrop.view_replace(uuid), sheetdrop.view_put(uuid, bool), sheetdrop.mark_views() from public;

-- What everything is for. Comments wait for nobody who reads or writes, and nobody waits for them.

comment on table sheetdrop.alert is 'What operators have to be told; a row goes once the log has it.';
comment on column sheetdrop.alert.id is 'In the order in which the alerts came.';
comment on column sheetdrop.alert.kind is 'task_failed, outbox_message_failed or dead_letter.';
comment on column sheetdrop.alert.subject is 'The id of the task, of the outbox message or of the queue message.';
comment on column sheetdrop.alert.code is 'Why the task failed.';
comment on column sheetdrop.alert.created_at is 'When it came about.';
comment on table sheetdrop.bulk_operation is 'Many files parsed again by one request.';
comment on column sheetdrop.bulk_operation.id is 'Its id, in the response too.';
comment on column sheetdrop.bulk_operation.owner is 'Who asked for it.';
comment on column sheetdrop.bulk_operation.created_at is 'When.';
comment on table sheetdrop.bulk_item is 'What became of each file of a bulk operation: a task, or the reason why there is none.';
comment on column sheetdrop.bulk_item.bulk_id is 'The operation.';
comment on column sheetdrop.bulk_item.item_no is 'The file''s place in it, from 1.';
comment on column sheetdrop.bulk_item.file_id is 'The file, which may be gone by now.';
comment on column sheetdrop.bulk_item.task_id is 'The new task; NULL if there is none.';
comment on column sheetdrop.bulk_item.reason is 'Why there is none: not_yours, gone, already_running or changed.';
comment on table sheetdrop.dead_letter is 'Messages that the queue gave up delivering, kept for people.';
comment on column sheetdrop.dead_letter.id is 'Its own id.';
comment on column sheetdrop.dead_letter.queue_message_id is 'The queue''s id of the message.';
comment on column sheetdrop.dead_letter.task_id is 'The task that it names, if it can be read.';
comment on column sheetdrop.dead_letter.text is 'The message as it was.';
comment on column sheetdrop.dead_letter.dequeue_count is 'How often it was delivered.';
comment on column sheetdrop.dead_letter.seen_at is 'When it was found.';
comment on table sheetdrop.operator_action is 'What people did, by owners and operators, written in the transaction that did it.';
comment on column sheetdrop.operator_action.id is 'Made before the action; a task or bulk operation that it makes has the same id.';
comment on column sheetdrop.operator_action.at is 'When.';
comment on column sheetdrop.operator_action.caller is 'Who, as an owner is named.';
comment on column sheetdrop.operator_action.action is 'What, such as retry_task.';
comment on column sheetdrop.operator_action.target is 'The one thing that it was done to, or NULL.';
comment on column sheetdrop.operator_action.filter is 'What selected many things, or NULL.';
comment on column sheetdrop.operator_action.count is 'How many things it changed.';
comment on column sheetdrop.operator_action.invocation_id is 'The host''s id of the request; NULL where no host was in front.';
comment on table sheetdrop.outbox_history is 'Messages that were sent, in 32 partitions of a day each, which retention empties.';
comment on column sheetdrop.outbox_history.day_slot is 'The days since 1970 (UTC) modulo 32, of processed_at.';
comment on column sheetdrop.outbox_history.id is 'That of the outbox message.';
comment on column sheetdrop.outbox_history.event_type is 'PARSE_TASK or BLOB_DELETE.';
comment on column sheetdrop.outbox_history.task_id is 'The task that is to be run, if there is one.';
comment on column sheetdrop.outbox_history.payload is 'What was sent.';
comment on column sheetdrop.outbox_history.attempts is 'How often sending was tried.';
comment on column sheetdrop.outbox_history.trace_context is 'W3C trace context of the request that wrote the message.';
comment on column sheetdrop.outbox_history.created_at is 'When it was written.';
comment on column sheetdrop.outbox_history.processed_at is 'When it was sent.';
comment on table sheetdrop.outbox_message is 'Messages that are still to be sent to the queue, written in the transaction of what they tell of.';
comment on column sheetdrop.outbox_message.id is 'Made by who writes it.';
comment on column sheetdrop.outbox_message.event_type is 'PARSE_TASK or BLOB_DELETE.';
comment on column sheetdrop.outbox_message.task_id is 'The task that is to be run, if there is one.';
comment on column sheetdrop.outbox_message.payload is 'What is sent.';
comment on column sheetdrop.outbox_message.status is 'PENDING, PROCESSING while a relay sends it, or FAILED: then a person has to look.';
comment on column sheetdrop.outbox_message.attempts is 'How often sending was tried.';
comment on column sheetdrop.outbox_message.rejections is 'How often the message itself was refused; at five it is FAILED.';
comment on column sheetdrop.outbox_message.next_attempt_at is 'When it is due; infinity for a FAILED one.';
comment on column sheetdrop.outbox_message.locked_by is 'The relay that sends it now.';
comment on column sheetdrop.outbox_message.locked_until is 'When that relay''s lease ends.';
comment on column sheetdrop.outbox_message.last_error is 'Why the last try failed.';
comment on column sheetdrop.outbox_message.trace_context is 'W3C trace context of the request that wrote the message.';
comment on column sheetdrop.outbox_message.created_at is 'When it was written.';
comment on column sheetdrop.owner_schema.owner is 'Who the views are of.';
comment on column sheetdrop.owner_schema.schema_name is 'The schema: data, or data_ with the owner''s name and a hash of it.';
comment on table sheetdrop.owner_usage is 'What an owner has had accepted on the last day with anything, for quotas.';
comment on column sheetdrop.owner_usage.owner is 'Who.';
comment on column sheetdrop.owner_usage.day is 'Which day, in UTC.';
comment on column sheetdrop.owner_usage.files is 'Files uploaded, or promised.';
comment on column sheetdrop.owner_usage.bytes is 'Their bytes.';
comment on column sheetdrop.owner_usage.tasks is 'Tasks opened.';
comment on column sheetdrop.owner_usage.open_left is 'How many more tasks the owner may open before those that have not ended are counted again.';
comment on table sheetdrop.reconciler is 'One row: the lease of the one maintenance that runs at a time, and what it keeps from one run to the next.';
comment on column sheetdrop.reconciler.one is 'Always true: there is no second row.';
comment on column sheetdrop.reconciler.ran_at is 'When expired leases were last reclaimed.';
comment on column sheetdrop.reconciler.locked_by is 'The run that has the lease.';
comment on column sheetdrop.reconciler.locked_until is 'When the lease ends.';
comment on column sheetdrop.reconciler.sweep_marker is 'Where the sweep for blobs without a file goes on in the list of names.';
comment on column sheetdrop.reconciler.swept_at is 'When that sweep last came to the end of the list.';
comment on column sheetdrop.reconciler.epoch is 'Rises with each run; the container of blobs keeps it too, so that a database that was restored is noticed.';
comment on table sheetdrop.recovery is 'Restores of the database to an earlier moment; while one has not ended, no blob without a file is deleted.';
comment on column sheetdrop.recovery.id is 'Its id.';
comment on column sheetdrop.recovery.noticed_at is 'When the restore was noticed, or reported.';
comment on column sheetdrop.recovery.restored_to is 'The last moment at which this database was at work before.';
comment on column sheetdrop.recovery.ended_at is 'When an operator ended the recovery.';
comment on table sheetdrop.row_reject is 'Records that were not loaded, each with its reasons and its bytes.';
comment on column sheetdrop.row_reject.sheet_id is 'The sheet.';
comment on column sheetdrop.row_reject.row_no is 'The record''s number in the sheet, as that of rows.';
comment on column sheetdrop.row_reject.error_no is 'Tells records of the same number apart, from 1; usually 1.';
comment on column sheetdrop.row_reject.line is 'The line in a text, from 1.';
comment on column sheetdrop.row_reject.byte_offset is 'Where the record begins in a text, in bytes.';
comment on column sheetdrop.row_reject.cell_ref is 'The record''s first cell in a workbook, such as A5.';
comment on column sheetdrop.row_reject.column_no is 'The first column that the first reason is about, from 1; NULL if it is the whole record.';
comment on column sheetdrop.row_reject.column_name is 'That column''s name.';
comment on column sheetdrop.row_reject.code is 'The first reason, as docs/errors.md lists them.';
comment on column sheetdrop.row_reject.message is 'The same in English.';
comment on column sheetdrop.row_reject.raw is 'The record as it stands in the file.';
comment on column sheetdrop.row_reject.message_ja is 'The reason in Japanese.';
comment on column sheetdrop.row_reject.last_column_no is 'The last column that the first reason is about; NULL if it is one.';
comment on column sheetdrop.row_reject.more_errors is 'Further reasons, as a JSON array.';
comment on table sheetdrop.schema_version is 'Which migrations were applied.';
comment on column sheetdrop.schema_version.id is 'In the order of their application.';
comment on column sheetdrop.schema_version.version_id is 'The migration''s number.';
comment on column sheetdrop.schema_version.is_applied is 'Whether it was applied, or taken back.';
comment on column sheetdrop.schema_version.tstamp is 'When.';
comment on table sheetdrop.sheet is 'The sheets that a task found in its file; a CSV file has one.';
comment on column sheetdrop.sheet.id is 'Names its rows and rejects.';
comment on column sheetdrop.sheet.task_id is 'The task that found it.';
comment on column sheetdrop.sheet.number is 'Its place in the file, from 1.';
comment on column sheetdrop.sheet.name is 'Its name in a workbook; empty for a CSV file.';
comment on column sheetdrop.sheet.visible is 'Whether it is shown in a workbook.';
comment on column sheetdrop.sheet.dialect is 'How the file is written: encoding, delimiter, quotes, header.';
comment on column sheetdrop.sheet.columns is 'Name, label, type, format and statistics of each column, as a JSON array in the order of the cells.';
comment on column sheetdrop.sheet.rows_read is 'Records without headers: loaded, rejected and skipped ones.';
comment on column sheetdrop.sheet.rows_loaded is 'Rows in sheet_row.';
comment on column sheetdrop.sheet.rows_rejected is 'Records in row_reject.';
comment on column sheetdrop.sheet.rows_skipped is 'Blank lines, notes and the like; in a dry run the good rows too.';
comment on column sheetdrop.sheet.warnings is 'Cells that were loaded and may mean something else: a JSON array of code, count and refs.';
comment on column sheetdrop.sheet.rows_valid is 'In a dry run, or where the task failed: the rows that would have been loaded.';
comment on table sheetdrop.sheet_purge is 'Sheets that nobody sees any more and whose rows and rejects are still to be deleted.';
comment on column sheetdrop.sheet_purge.sheet_id is 'The sheet, which has no row of its own any more.';
comment on column sheetdrop.sheet_purge.position is 'The row number up to which they are deleted.';
comment on column sheetdrop.sheet_purge.last_row is 'The last row number.';
comment on table sheetdrop.sheet_row is 'The loaded rows of all sheets, with their cells as text. Views in the schemas of owner_schema show them in their types.';
comment on column sheetdrop.sheet_row.sheet_id is 'The sheet.';
comment on column sheetdrop.sheet_row.row_no is 'The record''s number in the sheet, from 1; rejected and skipped records have numbers too.';
comment on column sheetdrop.sheet_row.line is 'The line in a text, from 1; NULL in a workbook.';
comment on column sheetdrop.sheet_row.cells is 'The cells in the order of the columns, as the file has them; NULL where it has none.';
comment on column sheetdrop.sheet_view.id is 'Its id, in responses too.';
comment on column sheetdrop.sheet_view.owner is 'Whose view it is.';
comment on column sheetdrop.sheet_view.name is 'Its name in the owner''s schema.';
comment on column sheetdrop.sheet_view.sheet_id is 'The sheet that it shows.';
comment on column sheetdrop.sheet_view.created_at is 'When it was made.';
comment on column sheetdrop.sheet_view.file_id is 'The file whose sheet it shows.';
comment on column sheetdrop.sheet_view.sheet_number is 'That sheet''s number in the file.';
comment on column sheetdrop.sheet_view.pinned is 'Whether it stays with this reading of the file; else it follows the newest one.';
comment on column sheetdrop.sheet_view.stale_at is 'From when on maintenance has to look at it; NULL if it shows what it should.';
comment on column sheetdrop.sheet_view.in_use_by is 'What depends on it, if that has kept it from being changed or dropped.';
comment on table sheetdrop.source_file is 'Uploaded files. Their bytes are in the blob store.';
comment on column sheetdrop.source_file.id is 'Made when the upload begins.';
comment on column sheetdrop.source_file.owner is 'Who uploaded it.';
comment on column sheetdrop.source_file.name is 'Its name as it was sent, in Unicode NFC.';
comment on column sheetdrop.source_file.media_type is 'The Content-Type as it was sent; it has no effect.';
comment on column sheetdrop.source_file.size_bytes is 'Its size.';
comment on column sheetdrop.source_file.sha256 is 'The hash of its bytes; NULL until a worker has read a file that went to the blob store directly.';
comment on column sheetdrop.source_file.blob_name is 'Where its bytes are.';
comment on column sheetdrop.source_file.idempotency_key is 'That of the request, if it had one.';
comment on column sheetdrop.source_file.part_no is 'Its place in a request with several files, from 1.';
comment on column sheetdrop.source_file.created_at is 'When it was uploaded.';
comment on column sheetdrop.source_file.deleted_at is 'When it was deleted; nobody sees it any more.';
comment on column sheetdrop.source_file.purged_at is 'When the last of its sheets was taken away.';
comment on column sheetdrop.source_file.etag is 'The version of the blob that is the file, if it went to the blob store directly.';
comment on table sheetdrop.task is 'The readings of files: one parsing of one file each.';
comment on column sheetdrop.task.id is 'Made by who asks for it.';
comment on column sheetdrop.task.source_file_id is 'The file.';
comment on column sheetdrop.task.options is 'How it is to be read; what is not in it is detected.';
comment on column sheetdrop.task.status is 'PENDING, PROCESSING, COMPLETED, FAILED or CANCELLED.';
comment on column sheetdrop.task.attempt is 'How often a worker has started it: the fencing token.';
comment on column sheetdrop.task.crashes is 'How many attempts count towards the five after which it is FAILED.';
comment on column sheetdrop.task.faults is 'How many attempts in a row ended because a service was away.';
comment on column sheetdrop.task.enqueues is 'How many messages were written for it since it became PENDING.';
comment on column sheetdrop.task.enqueued_at is 'When the last of these was written.';
comment on column sheetdrop.task.locked_by is 'The worker''s token while it is PROCESSING.';
comment on column sheetdrop.task.locked_until is 'When that worker''s lease ends.';
comment on column sheetdrop.task.cancel_requested_at is 'When somebody asked a running task to stop.';
comment on column sheetdrop.task.progress is 'How far it has come.';
comment on column sheetdrop.task.summary is 'What it found, once it is COMPLETED.';
comment on column sheetdrop.task.error_code is 'Why it FAILED, as docs/errors.md lists it.';
comment on column sheetdrop.task.error_detail is 'The same in English.';
comment on column sheetdrop.task.created_at is 'When it was asked for.';
comment on column sheetdrop.task.started_at is 'When the last attempt started.';
comment on column sheetdrop.task.finished_at is 'When it ended.';
comment on column sheetdrop.task.error_detail_ja is 'Why it FAILED, in Japanese.';
comment on column sheetdrop.task.rows_deleted_at is 'When what it found was deleted.';
comment on column sheetdrop.task.owner is 'The file''s owner; NULL in tasks from before the column.';
comment on column sheetdrop.task.shared_deaths is 'How many attempts ended because a process died that ran others too.';
comment on column sheetdrop.task.alone_attempt is 'The last attempt that had a process to itself.';
comment on table sheetdrop.upload is 'Uploads whose bytes the client writes to the blob store itself.';
comment on column sheetdrop.upload.id is 'The file''s id, too.';
comment on column sheetdrop.upload.owner is 'Who uploads.';
comment on column sheetdrop.upload.name is 'The name of the file.';
comment on column sheetdrop.upload.media_type is 'The Content-Type that was announced.';
comment on column sheetdrop.upload.size_bytes is 'The size that was promised.';
comment on column sheetdrop.upload.block_bytes is 'The size of each block but the last one.';
comment on column sheetdrop.upload.options is 'The parse options of the first task.';
comment on column sheetdrop.upload.sha256 is 'The hash that was promised, if one was.';
comment on column sheetdrop.upload.idempotency_key is 'That of the request that began it.';
comment on column sheetdrop.upload.blob_name is 'Where the bytes go.';
comment on column sheetdrop.upload.task_id is 'The task that completing it makes.';
comment on column sheetdrop.upload.status is 'OPEN, COMPLETED or ABANDONED.';
comment on column sheetdrop.upload.created_at is 'When it began.';
comment on column sheetdrop.upload.expires_at is 'Until when it can be completed.';
comment on column sheetdrop.upload.writable_until is 'When the last address that was handed out ends.';
comment on column sheetdrop.upload.completed_at is 'When it was completed.';
comment on column sheetdrop.upload.file_id is 'The file that it became.';
