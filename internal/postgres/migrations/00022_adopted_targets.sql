-- +goose Up

-- A table that is there already becomes a target by its owner, who calls target_adopt, and is released by target_release. Whoever may do
-- that has the role sheetdrop_adopter, from an operator, and owns the table: what changes the table runs with the caller's own rights. Only
-- functions are added.

-- What a definition says of a column that is there; NULL for types that loads do not write. Widths of integers become limits, so that a
-- record that does not fit is rejected with its reason.
create or replace function sheetdrop.adopted_type(type oid, modifier int) returns jsonb language sql immutable
return case
  when type = 'text'::regtype then '{"type": "text"}'
  when type = 'varchar'::regtype and modifier < 0 then '{"type": "text"}'
  when type = 'varchar'::regtype then jsonb_build_object('type', 'text', 'max_length', modifier - 4)
  when type = 'int2'::regtype then '{"type": "integer", "min": "-32768", "max": "32767"}'
  when type = 'int4'::regtype then '{"type": "integer", "min": "-2147483648", "max": "2147483647"}'
  when type = 'int8'::regtype then '{"type": "integer"}'
  when type = 'numeric'::regtype and modifier < 0 then '{"type": "decimal"}'
  when type = 'numeric'::regtype and ((modifier - 4) & 2047) <= (modifier - 4) >> 16 then
    jsonb_build_object('type', 'decimal', 'digits', (modifier - 4) >> 16, 'scale', nullif((modifier - 4) & 2047, 0))
  when type = 'bool'::regtype then '{"type": "boolean"}'
  when type = 'date'::regtype then '{"type": "date"}'
  when type = 'time'::regtype and modifier in (-1, 6) then '{"type": "time"}'
  when type = 'timestamp'::regtype and modifier in (-1, 6) then '{"type": "timestamp"}'
  when type = 'timestamptz'::regtype and modifier in (-1, 6) then '{"type": "instant"}'
  when type = 'interval'::regtype and modifier = -1 then '{"type": "duration"}'
end::jsonb;
comment on function sheetdrop.adopted_type(oid, int) is 'What a definition says of a column of this type; NULL for types that loads do not write.';

-- The default of a column as a definition has it: that of a constant. What has another one, as a number of a sequence or the time of day, is
-- left to the table.
create or replace function sheetdrop.adopted_default(expression text, type text) returns text language sql immutable
return case
  when expression ~ '^NULL(::|$)' then null
  when type = 'text' then replace(regexp_replace(expression, '^''(.*)''::.*$', '\1'), '''''', '''')
  when type in ('integer', 'decimal') then trim(both '()''' from split_part(expression, '::', 1))
  when type = 'boolean' then expression
  when type = 'date' then trim(both '''' from split_part(expression, '::', 1))
end;
comment on function sheetdrop.adopted_default(text, text) is 'The constant default of a column as a definition has it.';

-- +goose StatementBegin
create or replace function sheetdrop.is_constant(expression text, type text) returns boolean language sql immutable
return coalesce(expression ~ '^NULL(::|$)' or case type
  when 'text' then expression ~ '^''([^'']|'''')*''::(text|character varying)$'
  when 'integer' then expression ~ '^(\(?-?\d+\)?|''-?\d+'')(::(smallint|integer|bigint))?$'
  when 'decimal' then expression ~ '^(\(?-?\d+(\.\d+)?\)?|''-?\d+(\.\d+)?'')(::(numeric|integer))?$'
  when 'boolean' then expression in ('true', 'false')
  when 'date' then expression ~ '^''\d{4}-\d\d-\d\d''::date$'
end, false);
-- +goose StatementEnd
comment on function sheetdrop.is_constant(text, text) is 'Whether the default of a column of this type is a constant that a definition can have.';

-- The columns of a table that loads may write, in its order; and why not, of the others.
-- +goose StatementBegin
create or replace function sheetdrop.adopted_columns(base regclass) returns table (name text, definition jsonb, left_out text)
language sql stable set search_path = pg_catalog, pg_temp as $$
  with found as (
    select a.attnum, a.attname::text as name, a.attnotnull, sheetdrop.adopted_type(a.atttypid, a.atttypmod) as type, format_type(a.atttypid, a.atttypmod) as type_name,
      a.attidentity <> '' as is_identity, a.attgenerated <> '' as is_generated, pg_get_expr(d.adbin, d.adrelid) as value, col_description(base, a.attnum) as label
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = base and a.attnum > 0 and not a.attisdropped
  ), judged as (
    select *, case
      when name ~ '^_|^\s|\s$|[[:cntrl:]]' then 'its name'
      when is_generated then 'it is generated'
      when is_identity then 'it is an identity'
      when type is null then 'its type ' || type_name
      when value is not null and not sheetdrop.is_constant(value, type->>'type') then 'its default ' || value
    end as left_out
    from found
  )
  select j.name, case when j.left_out is null then jsonb_strip_nulls(jsonb_build_object('name', j.name,
      'label', case when octet_length(j.label) <= 200 and j.label !~ '[[:cntrl:]]' then j.label end,
      'required', case when j.attnotnull and d.value is null then true end, 'default', d.value) || j.type) end,
    case when j.left_out is not null and j.attnotnull and j.value is null and not j.is_identity and not j.is_generated
      then j.left_out || ', and has to have a value' else j.left_out end
  from judged j cross join lateral (select sheetdrop.adopted_default(j.value, j.type->>'type')) d (value)
  order by j.attnum
$$;
-- +goose StatementEnd
comment on function sheetdrop.adopted_columns(regclass) is 'The columns of a table as a definition has them, or why loads leave them to the table.';

-- The unique indexes of a table that can be a target's key, by their columns. Others might have two rows for a key, or none to see.
-- +goose StatementBegin
create or replace function sheetdrop.adopted_keys(base regclass) returns table (key text[], is_primary boolean)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select k.columns, i.indisprimary
  from pg_index i
  cross join lateral (
    select array_agg(a.attname::text order by o.no) as columns, bool_and(a.attnotnull and c.definition is not null) as fits
    from unnest(i.indkey::int2[]) with ordinality as o (attnum, no)
    left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = o.attnum
    left join sheetdrop.adopted_columns(base) c on c.name = a.attname
    where o.no <= i.indnkeyatts
  ) k
  where i.indrelid = base and i.indisunique and i.indisvalid and i.indimmediate and i.indpred is null and i.indexprs is null and k.fits
  order by i.indisprimary desc, i.indexrelid
$$;
-- +goose StatementEnd
comment on function sheetdrop.adopted_keys(regclass) is 'The columns of unique indexes that can be the key of a target.';

-- Raises why a table cannot be a target. Each of these would have loads do something else than they say: write rows that nobody sees, lose
-- rows, or take others along.
-- +goose StatementBegin
create or replace function sheetdrop.check_adoptable(base regclass) returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  c   record;
  why text;
begin
  select k.*, n.nspname into c from pg_class k join pg_namespace n on n.oid = k.relnamespace where k.oid = base;
  why := case
    when c.relkind <> 'r' then 'it is no ordinary table'
    when c.nspname ~ '^pg_' or c.nspname in ('sheetdrop', 'information_schema') then 'it belongs to the system'
    when c.relpersistence <> 'p' then 'a crash would empty it'
    when c.relrowsecurity or c.relforcerowsecurity then 'it has row security, by which a load might not see all rows'
    when c.relispartition or exists (select from pg_inherits where base in (inhrelid, inhparent)) then 'it inherits, or is inherited from'
    when exists (select from pg_rewrite where ev_class = base) then 'it has rules'
    when octet_length(c.relname) > 57 then 'its name is longer than 57 bytes'
    when exists (select from pg_attribute where attrelid = base and attname in ('_load', '_row', '_edited') and not attisdropped)
      then 'it has a column _load, _row or _edited; what an earlier adoption has left is taken away by sheetdrop.target_release'
    when exists (select from pg_class where relnamespace = c.relnamespace and relname in (c.relname || '__was', c.relname || '__seen'))
      then format('a table %1$s__was or %1$s__seen is there', c.relname)
    when exists (select from pg_constraint where confrelid = base and contype = 'f' and confdeltype in ('c', 'n', 'd'))
      then 'rows of other tables would be changed with those that an undo takes out: ' || (
        select string_agg(format('%s of %s', conname, conrelid::regclass), ', ' order by conname) from pg_constraint
        where confrelid = base and contype = 'f' and confdeltype in ('c', 'n', 'd'))
    else (select format('the column %I is left to the table because of %s', name, left_out) from sheetdrop.adopted_columns(base)
      where left_out like '%, and has to have a value' limit 1)
  end;
  if why is not null then
    raise feature_not_supported using message = format('%s cannot be a target: %s', base, why);
  end if;
end $$;
-- +goose StatementEnd
comment on function sheetdrop.check_adoptable(regclass) is 'Raises why a table cannot become a target.';

-- +goose StatementBegin
create or replace function sheetdrop.adopted_definition(base regclass, target_name text, wanted text[], leave_out text[]) returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  found_key text[];
  choices   text;
  missing   text;
begin
  select l into missing from unnest(leave_out) l where not exists (
    select from sheetdrop.adopted_columns(base) c where c.name = l and (c.definition is null or not coalesce((c.definition->>'required')::bool, false))) limit 1;
  if missing is not null then
    raise feature_not_supported using message = format('the column %I of %s cannot be left out: it is not there, or has to have a value', missing, base);
  end if;
  select string_agg(format('{%s}', array_to_string(k.key, ', ')), ' or ') into choices from (select distinct key from sheetdrop.adopted_keys(base)) k;
  if wanted is null then
    select k.key into found_key from sheetdrop.adopted_keys(base) k where k.is_primary or (select count(distinct key) from sheetdrop.adopted_keys(base)) = 1
    order by k.is_primary desc limit 1;
  else
    select k.key into found_key from sheetdrop.adopted_keys(base) k where k.key @> wanted and k.key <@ wanted limit 1;
  end if;
  if found_key is null then
    raise feature_not_supported using message = format('%s cannot be a target: no unique index of columns that have a value in every row is its key', base),
      hint = coalesce('Name one as its key: ' || choices, 'Loads have to know which row is which; make such an index first.');
  end if;
  return jsonb_build_object('name', target_name, 'key', to_jsonb(found_key), 'mode', 'upsert',
    'columns', (select jsonb_agg(c.definition order by c.no) from (
      select definition, row_number() over () as no from sheetdrop.adopted_columns(base)) c
      where c.definition is not null and c.definition->>'name' <> all (leave_out)));
end $$;
-- +goose StatementEnd
comment on function sheetdrop.adopted_definition(regclass, text, text[], text[]) is 'The definition of the target that a table would be.';

-- Whether the caller of a function with other rights is, or may become, the owner of a table.
-- +goose StatementBegin
create or replace function sheetdrop.need_table_owner(base regclass) returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  if not pg_has_role(session_user, (select relowner from pg_class where oid = base), 'MEMBER') then
    raise insufficient_privilege using message = format('%s is not yours', base);
  end if;
end $$;
-- +goose StatementEnd
comment on function sheetdrop.need_table_owner(regclass) is 'Raises insufficient_privilege where the session is not that of the table''s owner.';

-- Writes the target, with the rights of who owns sheetdrop's tables: for target_adopt alone.
-- +goose StatementBegin
create or replace function sheetdrop.target_note(base regclass, target_owner text, target_name text, wanted text[], leave_out text[]) returns uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  made uuid := gen_random_uuid();
begin
  perform sheetdrop.need_table_owner(base);
  perform sheetdrop.check_adoptable(base);
  if target_name = '' or target_name ~ '^_|^\s|\s$|[[:cntrl:]]' or octet_length(target_name) > 57 then
    raise invalid_parameter_value using message = 'a target''s name has 1 to 57 bytes, does not begin with _ or a space, and has no control characters';
  end if;
  insert into sheetdrop.target (id, owner, name, kind, schema_name, table_name, ordered)
  select made, target_owner, target_name, 'ADOPTED', n.nspname, c.relname, true
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = base;
  insert into sheetdrop.target_version (target_id, version, definition, made_by)
  values (made, 1, sheetdrop.adopted_definition(base, target_name, wanted, leave_out), session_user);
  return made;
end $$;
-- +goose StatementEnd
comment on function sheetdrop.target_note(regclass, text, text, text[], text[]) is 'Writes the target that a table becomes; target_adopt does that and all else.';

-- The table gets three columns, by which loads and people's changes are told apart, a trigger that marks the latter, and the two tables that
-- undo needs, in its own schema. All of it belongs to the table's owner. leave_out are columns that loads are not to write, though they could.
-- +goose StatementBegin
create or replace function sheetdrop.target_adopt(base regclass, owner text, name text default null, key text[] default null, leave_out text[] default '{}')
returns uuid language plpgsql set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
declare
  made    uuid;
  place   record;
  known   jsonb;
  columns text;
  keys    text;
  was     text;
  seen    text;
  numbers regclass;
begin
  select n.nspname as schema, c.relname as table into place from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = base;
  made := sheetdrop.target_note(base, owner, coalesce(name, place.table), key, leave_out);
  known := sheetdrop.adopted_definition(base, '', key, leave_out);
  was := format('%I.%I', place.schema, place.table || '__was');
  seen := format('%I.%I', place.schema, place.table || '__seen');
  select string_agg(format('%I', c->>'name'), ', ' order by no) into columns from jsonb_array_elements(known->'columns') with ordinality as d (c, no);
  select string_agg(format('%I', k), ', ' order by no) into keys from jsonb_array_elements_text(known->'key') with ordinality as d (k, no);

  execute format('alter table %s add _load bigint not null default 0, add _row bigint not null default 0, add _edited bool not null default false', base);
  execute format('create table %s as select %s, _load, _row, _edited, 0::bigint as _by, false as _deleted from %s with no data', was, columns, base);
  execute format('alter table %s alter _by set not null, alter _deleted set not null, alter _deleted set default false', was);
  execute format('create index on %s (_by)', was);
  execute format('create index on %s (%s)', was, keys);
  execute format('create table %s as select %s, _load, _row from %s with no data', seen, keys, base);
  execute format('create index on %s using brin (_load)', seen);
  execute format('create trigger sheetdrop_edited before update on %s for each row when (old._load = new._load and old._row = new._row
    and coalesce(current_setting(''sheetdrop.undoes'', true), '''') = '''') execute function sheetdrop.mark_edited()', base);
  execute format('comment on column %s._load is %L', base, 'The load that has written the row (sheetdrop.target_load); 0 where it was added by other means.');
  execute format('comment on column %s._row is %L', base, 'The row''s number in its file.');
  execute format('comment on column %s._edited is %L', base, 'Whether somebody other than a load has changed it since.');
  execute format('comment on table %s is %L', was, 'Versions of rows that loads have displaced, for undo.');
  execute format('comment on table %s is %L', seen, 'Rows that loads have repeated as they were, for undo.');

  if exists (select from pg_roles where rolname = 'sheetdrop_loader') then
    if not has_schema_privilege('sheetdrop_loader', place.schema, 'USAGE') then
      execute format('grant usage on schema %I to sheetdrop_loader', place.schema);
    end if;
    execute format('grant select, insert, update, delete on %s, %s, %s to sheetdrop_loader', base, was, seen);
    for numbers in
      select d.refobjid from pg_attrdef f join pg_depend d on d.classid = 'pg_attrdef'::regclass and d.objid = f.oid and d.refclassid = 'pg_class'::regclass
      join pg_class s on s.oid = d.refobjid and s.relkind = 'S' where f.adrelid = base
    loop
      execute format('grant usage on sequence %s to sheetdrop_loader', numbers);
    end loop;
  end if;
  return made;
end $$;
-- +goose StatementEnd
comment on function sheetdrop.target_adopt(regclass, text, text, text[], text[]) is
  'Makes a table that is there a target of one of sheetdrop''s owners, and returns its id. For the table''s owner.';

-- +goose StatementBegin
create or replace function sheetdrop.target_forget(base regclass) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform sheetdrop.need_table_owner(base);
  update sheetdrop.target t set dropped_at = now() from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = base and t.kind = 'ADOPTED' and t.schema_name = n.nspname and t.table_name = c.relname and t.dropped_at is null;
end $$;
-- +goose StatementEnd
comment on function sheetdrop.target_forget(regclass) is 'Ends the target that a table is; target_release does that and all else.';

-- Nobody's load is under way once the table is locked. What depends on what adoption has added is an error, and nothing is dropped along.
-- +goose StatementBegin
create or replace function sheetdrop.target_release(base regclass) returns void
language plpgsql set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
declare
  place   record;
  numbers regclass;
begin
  select n.nspname as schema, c.relname as table into place from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = base;
  if not exists (select from pg_trigger where tgrelid = base and tgname = 'sheetdrop_edited') then
    raise invalid_parameter_value using message = format('%s is no adopted table', base);
  end if;
  execute format('lock table %s in access exclusive mode', base);
  perform sheetdrop.target_forget(base);
  if exists (select from pg_roles where rolname = 'sheetdrop_loader') then
    execute format('revoke all on %s from sheetdrop_loader', base);
    for numbers in
      select d.refobjid from pg_attrdef f join pg_depend d on d.classid = 'pg_attrdef'::regclass and d.objid = f.oid and d.refclassid = 'pg_class'::regclass
      join pg_class s on s.oid = d.refobjid and s.relkind = 'S' where f.adrelid = base
    loop
      execute format('revoke all on sequence %s from sheetdrop_loader', numbers);
    end loop;
  end if;
  execute format('drop trigger sheetdrop_edited on %s', base);
  execute format('drop table if exists %I.%I, %I.%I', place.schema, place.table || '__was', place.schema, place.table || '__seen');
  execute format('alter table %s drop _load, drop _row, drop _edited', base);
end $$;
-- +goose StatementEnd
comment on function sheetdrop.target_release(regclass) is 'Ends the target that a table is, and takes away what adoption has added to it. For the table''s owner.';

revoke execute on function sheetdrop.target_note(regclass, text, text, text[], text[]), sheetdrop.target_forget(regclass), sheetdrop.target_adopt(regclass, text, text, text[], text[]),
  sheetdrop.target_release(regclass) from public;
