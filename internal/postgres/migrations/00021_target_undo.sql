-- +goose Up

-- The history of one key of a target, computed anew. events are in order: what a load, or a person, has written for the key ("v"), and what a
-- load has replaced ("scope"): all rows, or those whose columns have one of "values".
--   {"at": load, "load": load, "row": row number, "edited": bool, "full": bool, "v": {column: value}}
--   {"at": load, "scope": {"columns": [], …} or {"columns": [column, …], "values": [{column: value}, …]}}
-- "v" has the columns that were written, or all of them where it is "full"; fresh has the other columns of a new row. The result is what the
-- target's three tables have for the key: {"current": version or null, "was": [version with "by" and "deleted"], "seen": [{"load", "row"}]}.
-- Only a function is added.
-- +goose StatementBegin
create or replace function sheetdrop.replay(events jsonb[], fresh jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
declare
  event   jsonb;
  current jsonb;
  written jsonb;
  was     jsonb := '[]';
  seen    jsonb := '[]';
begin
  foreach event in array events loop
    if event ? 'scope' then
      if current is not null and (event->'scope'->'columns' = '[]'
          or exists (select from jsonb_array_elements(event->'scope'->'values') r where current->'v' @> r)) then
        was := was || (current || jsonb_build_object('by', event->'at', 'deleted', true));
        current := null;
      end if;
      continue;
    end if;
    written := case when (event->>'full')::bool then event->'v' else coalesce(current->'v', fresh) || (event->'v') end;
    if current is not null and written = current->'v' and not (event->>'full')::bool then
      seen := seen || jsonb_build_object('load', event->'load', 'row', event->'row');
      continue;
    end if;
    if current is not null and (event->>'load')::bigint > 0 then -- what somebody deletes and adds again has no load
      was := was || (current || jsonb_build_object('by', event->'load', 'deleted', false));
    end if;
    current := jsonb_build_object('v', written, 'load', event->'load', 'row', event->'row', 'edited', event->'edited');
  end loop;
  return jsonb_build_object('current', current, 'was', was, 'seen', seen);
end $$;
-- +goose StatementEnd
comment on function sheetdrop.replay(jsonb[], jsonb) is 'What a target''s tables have for a key, from what happened to it in order.';
