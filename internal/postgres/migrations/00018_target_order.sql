-- +goose NO TRANSACTION
-- +goose Up

-- The loads of an ordered target run one after the other. Whoever claims one looks whether another runs.
drop index concurrently if exists sheetdrop.task_target_running;
create index concurrently task_target_running on sheetdrop.task (target_id) where ordered and status = 'PROCESSING';

-- Writes the message for the target's first waiting task, in the transaction in which another one ends, or is returned: the message that the
-- first one had may have been acknowledged because it came too early. The lock comes after the task's, as in a claim: what this looks at is
-- what there is when the transaction commits. A task that somebody is claiming or cancelling at this moment keeps its old age.
-- +goose StatementBegin
create or replace function sheetdrop.wake_next() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  next_id    uuid;
  message_id uuid := gen_random_uuid();
begin
  perform from sheetdrop.target where id = new.target_id for no key update;
  if exists (select from sheetdrop.task where target_id = new.target_id and ordered and status = 'PROCESSING') then
    return null;
  end if;
  select id into next_id from sheetdrop.task where target_id = new.target_id and ordered and status = 'PENDING' order by turn, id limit 1;
  if next_id is null or next_id = new.id then -- who returns a task writes its message
    return null;
  end if;
  insert into sheetdrop.outbox_message (id, event_type, task_id, payload)
  values (message_id, 'PARSE_TASK', next_id, jsonb_build_object('v', 1, 'message_id', message_id, 'task_id', next_id));
  update sheetdrop.task set enqueues = 0, enqueued_at = now()
  where id = (select id from sheetdrop.task where id = next_id for no key update skip locked);
  return null;
end $$;

do $$
begin
  set local lock_timeout = '50ms';
  for try in 1..600 loop
    begin
      create or replace trigger wake_next after update of status on sheetdrop.task for each row
        when (old.ordered and old.status in ('PENDING', 'PROCESSING') and new.status not in ('PROCESSING', old.status))
        execute function sheetdrop.wake_next();
      return;
    exception when lock_not_available then
      perform pg_sleep(0.5);
    end;
  end loop;
  raise lock_not_available using message = 'the table is in use without a pause', hint = 'Run it again, or stop the handler meanwhile.';
end $$;
-- +goose StatementEnd
comment on function sheetdrop.wake_next() is 'Asks for the first waiting task of an ordered target, when another one ends or is returned.';
