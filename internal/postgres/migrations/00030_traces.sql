-- +goose NO TRANSACTION
-- +goose Up

-- To which trace a task belongs: the traceparent of the request that asked for it, or has asked for it again. Its messages have had a column for
-- that from the beginning, which was empty; a traceparent of version 0 has 55 characters. A program from before writes none.
-- +goose StatementBegin
do $$
begin
  set local lock_timeout = '50ms';
  for try in 1..600 loop
    begin
      alter table sheetdrop.task add column if not exists trace_context text;
      alter table sheetdrop.task drop constraint if exists task_trace_context_is_short;
      alter table sheetdrop.task add constraint task_trace_context_is_short check (length(trace_context) <= 55) not valid;
      alter table sheetdrop.outbox_message drop constraint if exists outbox_message_trace_context_is_short;
      alter table sheetdrop.outbox_message add constraint outbox_message_trace_context_is_short check (length(trace_context) <= 55) not valid;
      return;
    exception when lock_not_available then
      perform pg_sleep(0.5);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
comment on column sheetdrop.task.trace_context is 'W3C trace context of the request that asked for the task; NULL: there is none, or an older version of the program wrote it.';
alter table sheetdrop.task validate constraint task_trace_context_is_short;
alter table sheetdrop.outbox_message validate constraint outbox_message_trace_context_is_short;

-- As in migration 18, with the trace of the task that the message asks for.
-- +goose StatementBegin
create or replace function sheetdrop.wake_next() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  next_id    uuid;
  next_trace text;
  message_id uuid := gen_random_uuid();
begin
  perform from sheetdrop.target where id = new.target_id for no key update;
  if exists (select from sheetdrop.task where target_id = new.target_id and ordered and status = 'PROCESSING') then
    return null;
  end if;
  select id, trace_context into next_id, next_trace
  from sheetdrop.task where target_id = new.target_id and ordered and status = 'PENDING' order by turn, id limit 1;
  if next_id is null or next_id = new.id then -- who returns a task writes its message
    return null;
  end if;
  insert into sheetdrop.outbox_message (id, event_type, task_id, payload, trace_context)
  values (message_id, 'PARSE_TASK', next_id, jsonb_build_object('v', 1, 'message_id', message_id, 'task_id', next_id), next_trace);
  update sheetdrop.task set enqueues = 0, enqueued_at = now()
  where id = (select id from sheetdrop.task where id = next_id for no key update skip locked);
  return null;
end $$;
-- +goose StatementEnd
