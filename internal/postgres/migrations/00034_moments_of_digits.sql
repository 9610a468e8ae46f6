-- +goose Up

-- Moments of fourteen digits, 20240105090507. Only a function is replaced, with one that reads all that was read before: no table is
-- touched, and nobody waits.

-- +goose StatementBegin
create or replace function sheetdrop.usual_moment(moment text) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
  moment := regexp_replace(moment, '(Z|[-+][0-9]{2}:?[0-9]{0,2}) ?[[( ]+[A-Za-z][^0-9]*$', '\1'); -- +01:00[Europe/Berlin], -0800 (PST)
  if moment ~ '^[0-9]{8}[T ]' then -- 20240105T090507
    moment := regexp_replace(moment, '^([0-9]{4})([0-9]{2})([0-9]{2})[T ]', '\1-\2-\3 ');
    moment := regexp_replace(moment, '^([-0-9]{10}) ([0-9]{2})([0-9]{2})([0-9]{2})?(?![0-9:])', '\1 \2:\3:\4');
  elsif moment ~ '^[0-9]{14}' then -- 20240105090507
    moment := regexp_replace(moment, '^([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})', '\1-\2-\3 \4:\5:');
  elsif moment ~ '[:].* [0-9]{4}$' then -- Fri Jan 5 09:05:07 CET 2024
    return regexp_replace(moment, '^(?:[^0-9]*[ .,])?([^-0-9 .,]{3,}) +([0-9]{1,2}) +([0-9]{1,2}:[^ ]*)(.*) ([0-9]{4})$', '\2 \1 \5 \3\4');
  end if;
  moment := regexp_replace(moment, '([^-0-9/. 年][-/. ]*[0-9]{4}):([0-9<>]|$)', '\1 \2'); -- 05/Jan/2024:09:05:07
  moment := regexp_replace(moment, '^([0-9]{4}):([0-9]{2}):([0-9]{2}) (?=[0-9])', '\1-\2-\3 '); -- 2024:01:05 09:05:07
  moment := regexp_replace(moment, '^([0-9]{4}-[0-9]{2}-[0-9]{2})[^-0-9]*-(?=[0-9])', '\1 '); -- 2024-01-05-09.05.07
  moment := regexp_replace(moment, '(?i)([ ,]|^)(?:klo|kl[.]?|um|at|à|ore|om|às|as|a las|alle|godz[.]?|lúc|в|о) *(?=[0-9])', '\1');
  moment := regexp_replace(moment, '([0-9]{1,2})[ \u00a0\u202f]*h[ \u00a0\u202f]*([0-9]{2})(?![0-9])', '\1:\2'); -- 9h05
  if moment ~ '[:時]' then
    return moment;
  end if;
  moment := regexp_replace(moment, '^([0-9]{1,2})[.]([0-9]{2}) ?(?:Uhr|uur|hod[.]?|น[.])?$', '\1:\2'); -- 9.05 Uhr
  moment := regexp_replace(moment, '((?:[0-9日)]|[0-9]{4}[.]|^[0-9]{4}[.] ?[0-9]{1,2}[.] ?[0-9]{1,2}[.]|[^0-9. ][.]?)[ ,-]+)([0-9]{1,2})[.]([0-9]{2})[.]([0-9]{2})(?![0-9])', '\1\2:\3:\4');
  moment := regexp_replace(moment, '((?:[0-9日)]|[0-9]{4}[.]|^[0-9]{4}[.] ?[0-9]{1,2}[.] ?[0-9]{1,2}[.]|[^0-9. ][.]?)[ ,-]+)([0-9]{1,2})[.]([0-9]{2})(?![0-9.])', '\1\2:\3');
  return regexp_replace(moment, '(^|[ ,])([0-9]{1,2})[ \u00a0\u2009\u202f]*(Uhr|uur|hod[.]?|น[.]|[<>]|[AaPp][.]?[ \u00a0\u2009\u202f]*[Mm][.]?)$', '\1\2:00 \3'); -- 9 AM, 9 Uhr
end $$;
-- +goose StatementEnd
