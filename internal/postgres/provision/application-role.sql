-- What the app may do: read and write rows, and empty slots of the outbox's history; nothing to the schema. Run it in database sheetdrop
-- as the role that migrates, after each migration; twice does no harm.
-- Setting: sheetdrop.login, the role that the app logs in as.
begin;

do $$
declare
  login text := current_setting('sheetdrop.login');
begin
  if not exists (select from pg_roles where rolname = 'sheetdrop_app') then
    create role sheetdrop_app nologin;
  end if;
  if not pg_has_role(login, 'sheetdrop_app', 'member') then
    execute format('grant sheetdrop_app to %I', login);
  end if;
  execute format('grant connect on database %I to sheetdrop_app', current_database());
end $$;

grant usage on schema sheetdrop to sheetdrop_app;
grant select, insert, update, delete on all tables in schema sheetdrop to sheetdrop_app;
grant usage on all sequences in schema sheetdrop to sheetdrop_app;

-- Tables of a later migration, until this file is run again.
alter default privileges in schema sheetdrop grant select, insert, update, delete on tables to sheetdrop_app;
alter default privileges in schema sheetdrop grant usage on sequences to sheetdrop_app;

-- The migrations' own notes are for reading.
revoke insert, update, delete on sheetdrop.schema_version from sheetdrop_app;

-- Retention truncates a slot, a partition, by its own name.
do $$
declare
  slot regclass;
begin
  for slot in select inhrelid from pg_inherits where inhparent = 'sheetdrop.outbox_history'::regclass loop
    execute format('grant truncate on %s to sheetdrop_app', slot);
  end loop;
end $$;

-- What owns views, the tables of targets, and their schemas, by the functions that the app may call. It reads what views show, and what is
-- known of it.
do $$
begin
  if not exists (select from pg_roles where rolname = 'sheetdrop_tables') then
    create role sheetdrop_tables nologin;
  end if;
  execute format('grant sheetdrop_tables to %I', current_user);
  execute format('grant create on database %I to sheetdrop_tables', current_database());
end $$;
grant usage, create on schema sheetdrop to sheetdrop_tables; -- create: what a function's owner needs while it becomes that
alter function sheetdrop.view_create(uuid) owner to sheetdrop_tables;
alter function sheetdrop.view_drop(uuid) owner to sheetdrop_tables;
alter function sheetdrop.view_replace(uuid) owner to sheetdrop_tables;
alter function sheetdrop.view_put(uuid, bool) owner to sheetdrop_tables;
alter function sheetdrop.target_create(uuid) owner to sheetdrop_tables;
alter function sheetdrop.target_change(uuid) owner to sheetdrop_tables;
alter function sheetdrop.target_drop(uuid) owner to sheetdrop_tables;
alter function sheetdrop.target_leave(uuid) owner to sheetdrop_tables;
revoke create on schema sheetdrop from sheetdrop_tables;
grant execute on function sheetdrop.view_create(uuid), sheetdrop.view_replace(uuid), sheetdrop.view_drop(uuid) to sheetdrop_app;
grant execute on function sheetdrop.target_create(uuid), sheetdrop.target_change(uuid), sheetdrop.target_drop(uuid), sheetdrop.target_leave(uuid)
  to sheetdrop_app;
grant select on sheetdrop.target, sheetdrop.target_version to sheetdrop_tables;
grant select on sheetdrop.sheet_row, sheetdrop.sheet, sheetdrop.sheet_view to sheetdrop_tables;
grant select (id, source_file_id, status) on sheetdrop.task to sheetdrop_tables;
grant select (id, owner, name, deleted_at) on sheetdrop.source_file to sheetdrop_tables;
grant select, insert on sheetdrop.owner_schema to sheetdrop_tables;
revoke insert, update, delete on sheetdrop.owner_schema from sheetdrop_app;

-- What writes the tables of targets, and nothing else: their owners' triggers and constraints run with its rights. The app becomes it while it
-- loads a file into one.
do $$
begin
  if not exists (select from pg_roles where rolname = 'sheetdrop_loader') then
    create role sheetdrop_loader nologin;
  end if;
  if current_setting('server_version_num')::int < 160000 then
    grant sheetdrop_loader to sheetdrop_app;
  else
    execute 'grant sheetdrop_loader to sheetdrop_app with inherit false';
  end if;
  execute format('grant temporary on database %I to sheetdrop_loader', current_database());
end $$;
grant usage on schema sheetdrop to sheetdrop_loader;
grant select (id, version, dropped_at) on sheetdrop.target to sheetdrop_loader;

-- Whose tables may become targets. An operator grants it to the role that owns them.
do $$
begin
  if not exists (select from pg_roles where rolname = 'sheetdrop_adopter') then
    create role sheetdrop_adopter nologin;
  end if;
end $$;
grant usage on schema sheetdrop to sheetdrop_adopter;
grant execute on function sheetdrop.target_adopt(regclass, text, text, text[], text[]), sheetdrop.target_note(regclass, text, text, text[], text[]),
  sheetdrop.target_release(regclass), sheetdrop.target_forget(regclass) to sheetdrop_adopter;

commit;
