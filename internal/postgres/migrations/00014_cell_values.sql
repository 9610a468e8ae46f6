-- +goose Up

-- SQL for the cells of a sheet, which are text: a function for each way in which the engine can say that a column's cells are to be read, and
-- cell_expression, which knows the one for a column's type and format. They take the cells that the engine takes for that type and format, and
-- return the value that the rows API returns; for others they promise nothing. A cell of white space is NULL. What is finer than a
-- microsecond is cut off, since PostgreSQL keeps no more.
--
-- A query with them costs little because the planner puts their bodies in their place. So each is one expression, of immutable functions alone
-- (a cast from text to date is none, since it asks for DateStyle), and neither strict nor with settings: the bodies are parsed here, once, and no
-- search_path changes what they mean. They read what is usual, and leave what is written in other ways to functions in PL/pgSQL. Those
-- call no other function of this schema, which readers of views need not be let into: names in PL/pgSQL are looked up when it runs.
--
-- Only functions are added: no table is touched, and nobody waits. Everybody may execute them, as PostgreSQL has it: who reads a view has to.

-- Numbers.

create or replace function sheetdrop.cell_digits(cell text) returns text language sql immutable parallel safe
return nullif(translate(cell, E'０１２３４５６７８９．Ｅｅ＋−－△▲(（),，）''＇’ \t\r\n\u00a0\u3000\u2009\u202f¥￥円\\＼$＄€£￡%％', '0123456789.Ee+------'), '');
comment on function sheetdrop.cell_digits(text) is 'A number without grouping, currency and white space, in ASCII; a minus for △, ▲ and parentheses. The point is the decimal mark.';

create or replace function sheetdrop.minus_first(number text) returns text language sql immutable parallel safe
return case when right(number, 1) = '-' then '-' || left(number, -1) else number end;
comment on function sheetdrop.minus_first(text) is 'A number whose minus stands behind it, with the minus before it.';

create or replace function sheetdrop.cell_integer(cell text) returns bigint language sql immutable parallel safe
return case
  when cell ~ '^-?[0-9]+$' then cell::bigint
  else sheetdrop.minus_first(replace(sheetdrop.cell_digits(cell), '.', ''))::bigint
end;
comment on function sheetdrop.cell_integer(text) is 'An integer of up to 18 digits, grouped by anything.';

create or replace function sheetdrop.cell_big_integer(cell text) returns numeric language sql immutable parallel safe
return sheetdrop.minus_first(replace(sheetdrop.cell_digits(cell), '.', ''))::numeric;
comment on function sheetdrop.cell_big_integer(text) is 'An integer of any length, grouped by anything.';

create or replace function sheetdrop.cell_decimal(cell text) returns numeric language sql immutable parallel safe
return case
  when cell ~ '^-?[0-9,]*[.]?[0-9]+$' then replace(cell, ',', '')::numeric
  else sheetdrop.minus_first(sheetdrop.cell_digits(cell))::numeric
end;
comment on function sheetdrop.cell_decimal(text) is 'A decimal number whose decimal mark is the point.';

create or replace function sheetdrop.cell_decimal_comma(cell text) returns numeric language sql immutable parallel safe
return case
  when cell ~ '^-?[0-9.]*,?[0-9]+$' then translate(cell, ',.', '.')::numeric
  else sheetdrop.minus_first(sheetdrop.cell_digits(translate(cell, ',，.．', '..')))::numeric
end;
comment on function sheetdrop.cell_decimal_comma(text) is 'A decimal number whose decimal mark is the comma.';

create or replace function sheetdrop.cell_percent(cell text) returns numeric language sql immutable parallel safe
return trim_scale(sheetdrop.cell_decimal(rtrim(cell, ' %')) * 0.01);
comment on function sheetdrop.cell_percent(text) is 'A percentage whose decimal mark is the point: 12.5 % is 0.125.';

create or replace function sheetdrop.cell_percent_comma(cell text) returns numeric language sql immutable parallel safe
return trim_scale(sheetdrop.cell_decimal_comma(rtrim(cell, ' %')) * 0.01);
comment on function sheetdrop.cell_percent_comma(text) is 'A percentage whose decimal mark is the comma: 12,5 % is 0.125.';

-- Booleans. In the "C" collation small letters are made of ASCII alone, as the engine does.

create or replace function sheetdrop.cell_boolean(cell text) returns boolean language sql immutable parallel safe
return case
  when lower(btrim(cell, E' \t\r\n\u00a0\u3000') collate "C")
    = any (array['true', 'yes', 'on', 'y', 't', 'wahr', 'vrai', 'ja', 'oui', 'はい', '○', '〇', '◯', '有', 'あり', '1']) then true
  when lower(btrim(cell, E' \t\r\n\u00a0\u3000') collate "C")
    = any (array['false', 'no', 'off', 'n', 'f', 'falsch', 'faux', 'nein', 'non', 'いいえ', '×', '✕', '✖', '無', 'なし', '0']) then false
end;
comment on function sheetdrop.cell_boolean(text) is 'A boolean, by any of the words for true and false.';

-- Dates and times. A moment is the text of a date, a time or both, in ASCII but for 年月日時分秒; eras have their initials, 午前 is < and 午後 is >.

create or replace function sheetdrop.cell_moment(cell text) returns text language sql immutable parallel safe
return nullif(translate(btrim(cell, E' \t\r\n\u00a0\u3000'), '０１２３４５６７８９ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ：／．，－＋−　令㋿平㍻昭㍼大㍽明㍾元前後和成正治午', '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz:/.,-+- RRHHSSTTMM1<>'), '');
comment on function sheetdrop.cell_moment(text) is 'A date, a time or both, in few letters.';

create or replace function sheetdrop.date_of(year text, month text, day text) returns date language sql immutable parallel safe
return make_date(year::int, month::int, day::int);
comment on function sheetdrop.date_of(text, text, text) is 'The date of its parts.';

create or replace function sheetdrop.timestamp_of(year text, month text, day text, hour text, minute text, second text) returns timestamp
language sql immutable parallel safe
return make_timestamp(year::int, month::int, day::int,
  coalesce(nullif(hour, ''), '0')::int, coalesce(nullif(minute, ''), '0')::int, coalesce(nullif(left(second, 9), ''), '0')::float8);
comment on function sheetdrop.timestamp_of(text, text, text, text, text, text) is 'The timestamp of its parts; those of the time may be empty.';

create or replace function sheetdrop.iso_timestamp(moment text) returns timestamp language sql immutable parallel safe
return sheetdrop.timestamp_of(left(moment, 4), substr(moment, 6, 2), substr(moment, 9, 2), substr(moment, 12, 2), substr(moment, 15, 2), substr(moment, 18));
comment on function sheetdrop.iso_timestamp(text) is 'The timestamp of YYYY-MM-DD hh:mm:ss.fff, with any marks between; the seconds may be missing.';

create or replace function sheetdrop.offset_of(zone text) returns interval language sql immutable parallel safe
return make_interval(hours => left(zone, 3)::int, mins => (left(zone, 1) || coalesce(nullif(ltrim(substr(zone, 4), ':'), ''), '0'))::int);
comment on function sheetdrop.offset_of(text) is 'The offset from UTC of +hh:mm, -hhmm or +hh.';

create or replace function sheetdrop.era_begin(moment text) returns int language sql immutable parallel safe
return case left(moment, 1) when 'R' then 2018 when 'H' then 1988 when 'S' then 1925 when 'T' then 1911 when 'M' then 1867 else 0 end;
comment on function sheetdrop.era_begin(text) is 'The year before the first one of the era whose initial a moment begins with; 0 where it begins with a year.';

create or replace function sheetdrop.short_date(moment text) returns text language sql immutable parallel safe
return translate(moment, '年月/.元令平昭大明日和成正治', '----1RHSTM');
comment on function sheetdrop.short_date(text) is 'A date in ASCII: 令和6年1月31日 is R6-1-31.';

-- +goose StatementBegin
create or replace function sheetdrop.moment_day(moment text, part_order text) returns date
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
  marked text := translate(moment, '年月/.', '----');
  first  text := substring(split_part(marked, '-', 1) from '[0-9]+');
  second text := split_part(marked, '-', 2);
  third  text := substring(split_part(marked, '-', 3) from '[0-9]+');
begin
  if moment ~ '^[0-9]{8}$' then
    return make_date(left(moment, 4)::int, substr(moment, 5, 2)::int, right(moment, 2)::int);
  elsif moment ~ '^(?:[0-9]+[- ])?[A-Za-z]{3}' then -- 5 January 2024, Jan 5, 2024
    return make_date(
      substring(moment from '[0-9]{4}')::int,
      (position(lower(substring(moment from '[A-Za-z]{3}')) in 'janfebmaraprmayjunjulaugsepoctnovdec') + 2) / 3,
      substring(moment from '[0-9]+')::int);
  elsif part_order = 'DMY' then
    return make_date(third::int, second::int, first::int);
  elsif part_order = 'MDY' then
    return make_date(third::int, first::int, second::int);
  end if;
  return make_date(
    case left(moment, 1) when 'R' then 2018 when 'H' then 1988 when 'S' then 1925 when 'T' then 1911 when 'M' then 1867 else 0 end + first::int,
    second::int, third::int);
end $$;
-- +goose StatementEnd
comment on function sheetdrop.moment_day(text, text) is 'The day of a moment; part_order is YMD, DMY or MDY.';

-- +goose StatementBegin
create or replace function sheetdrop.moment_clock(moment text) returns interval
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
  clock  text := substring(moment from '[0-9]+[:時].*$');
  hour   int  := substring(clock from '^[0-9]+');
  minute text := substring(split_part(clock, ':', 2) from '^[0-9]{2}');
  second text := substring(split_part(clock, ':', 3) from '^[0-9]{2}(?:[.,][0-9]{1,6})?');
begin
  if clock is null then
    return interval '0';
  end if;
  if split_part(clock, '時', 2) <> '' then
    minute := substring(clock from '[0-9]+(?=分)');
    second := substring(clock from '[0-9]+(?=秒)');
  end if;
  if moment ~ '<' or clock ~ '[Aa][Mm] *$' then
    hour := hour % 12;
  elsif moment ~ '>' or clock ~ '[Pp][Mm] *$' then
    hour := hour % 12 + 12;
  end if;
  return make_interval(hours => hour, mins => coalesce(minute, '0')::int, secs => translate(coalesce(second, '0'), ',', '.')::float8);
end $$;
-- +goose StatementEnd
comment on function sheetdrop.moment_clock(text) is 'How long after midnight a moment is, 0 where it has no time.';

create or replace function sheetdrop.moment_zone(moment text) returns text language sql immutable parallel safe
return case when moment ~ '[:時]' then coalesce(substring(moment from '(?:Z|UTC|GMT|JST|[-+][0-9]{2}:?[0-9]{0,2})$'), '') else '' end;
comment on function sheetdrop.moment_zone(text) is 'The offset from UTC that a moment with a time ends with, or an empty text.';

create or replace function sheetdrop.moment_here(moment text) returns text language sql immutable parallel safe
return left(moment, length(moment) - length(sheetdrop.moment_zone(moment)));
comment on function sheetdrop.moment_here(text) is 'A moment without its offset from UTC.';

create or replace function sheetdrop.zone_offset(zone text) returns interval language sql immutable parallel safe
return case when zone = 'JST' then interval '9 hours' when zone ~ '[0-9]' then sheetdrop.offset_of(zone) else interval '0' end;
comment on function sheetdrop.zone_offset(text) is 'The offset from UTC of what moment_zone returns.';

create or replace function sheetdrop.moment_instant(moment text, part_order text) returns timestamptz language sql immutable parallel safe
return (sheetdrop.moment_day(sheetdrop.moment_here(moment), part_order) + sheetdrop.moment_clock(sheetdrop.moment_here(moment))
  - sheetdrop.zone_offset(sheetdrop.moment_zone(moment))) at time zone 'UTC';
comment on function sheetdrop.moment_instant(text, text) is 'A moment with its offset from UTC, which is 0 where it has none.';

-- +goose StatementBegin
create or replace function sheetdrop.iso_duration(moment text) returns interval
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
  return make_interval(
    hours => coalesce(substring(moment from '[0-9]+(?=D)'), '0')::int * 24 + coalesce(substring(moment from '[0-9]+(?=H)'), '0')::int,
    mins => coalesce(substring(moment from '[0-9]+(?=M)'), '0')::int,
    secs => translate(coalesce(substring(moment from '([0-9]+(?:[.,][0-9]{1,6})?)[0-9]*S'), '0'), ',', '.')::float8);
end $$;
-- +goose StatementEnd
comment on function sheetdrop.iso_duration(text) is 'The elapsed time of PT27H30M, without its sign.';

create or replace function sheetdrop.moment_duration(moment text) returns interval language sql immutable parallel safe
return case
  when moment like '-P%' then - sheetdrop.iso_duration(moment)
  when moment like 'P%' then sheetdrop.iso_duration(moment)
  when moment like '-%' then - sheetdrop.moment_clock(moment)
  else sheetdrop.moment_clock(moment)
end;
comment on function sheetdrop.moment_duration(text) is 'An elapsed time: 27:30, -1:05:10.5 or PT27H30M.';

-- Usual cells are told by LIKE: a regular expression for a date takes longer than all else.

create or replace function sheetdrop.is_plain(cell text) returns boolean language sql immutable parallel safe
return ascii(cell) between 48 and 57 and ascii(right(cell, 1)) between 48 and 57 and octet_length(cell) = char_length(cell) and cell not like '%,%';
comment on function sheetdrop.is_plain(text) is 'Whether a cell is ASCII without a comma, begins with a digit and ends with one.';

create or replace function sheetdrop.cell_date(cell text) returns date language sql immutable parallel safe
return case
  when sheetdrop.is_plain(cell) then case
    when cell like '____-__-__' or cell like '____/__/__' then sheetdrop.date_of(left(cell, 4), substr(cell, 6, 2), right(cell, 2))
    when cell like '____-%-%' or cell like '____/%/%' or cell like '____.%.%'
      then sheetdrop.date_of(left(cell, 4), split_part(translate(cell, '/.', '--'), '-', 2), split_part(translate(cell, '/.', '--'), '-', 3))
    when char_length(cell) = 8 and cell not like '%-%' then sheetdrop.date_of(left(cell, 4), substr(cell, 5, 2), right(cell, 2))
    else sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'YMD')
  end
  when ascii(cell) between 48 and 57 and cell like '____年%月%日' and octet_length(cell) = char_length(cell) + 6
    then sheetdrop.date_of(left(cell, 4), split_part(translate(cell, '年月日', '-- '), '-', 2), split_part(translate(cell, '年月日', '-- '), '-', 3))
  when left(cell, 1) = any (array['令', '平', '昭', '大', '明', 'R', 'H', 'S', 'T', 'M'])
    and sheetdrop.short_date(cell) like '_%-%-%' and octet_length(sheetdrop.short_date(cell)) = char_length(sheetdrop.short_date(cell))
    then make_date(
      sheetdrop.era_begin(sheetdrop.short_date(cell)) + ltrim(split_part(sheetdrop.short_date(cell), '-', 1), 'RHSTM')::int,
      split_part(sheetdrop.short_date(cell), '-', 2)::int, split_part(sheetdrop.short_date(cell), '-', 3)::int)
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'YMD')
end;
comment on function sheetdrop.cell_date(text) is 'A date whose parts tell their order: the year first, eight digits, an era, a month name.';

create or replace function sheetdrop.cell_date_day_first(cell text) returns date language sql immutable parallel safe
return case
  when sheetdrop.is_plain(cell)
    then sheetdrop.date_of(right(cell, 4), split_part(translate(cell, '/.', '--'), '-', 2), split_part(translate(cell, '/.', '--'), '-', 1))
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'DMY')
end;
comment on function sheetdrop.cell_date_day_first(text) is 'A date whose day stands first.';

create or replace function sheetdrop.cell_date_month_first(cell text) returns date language sql immutable parallel safe
return case
  when sheetdrop.is_plain(cell)
    then sheetdrop.date_of(right(cell, 4), split_part(translate(cell, '/.', '--'), '-', 1), split_part(translate(cell, '/.', '--'), '-', 2))
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'MDY')
end;
comment on function sheetdrop.cell_date_month_first(text) is 'A date whose month stands first.';

create or replace function sheetdrop.cell_timestamp(cell text) returns timestamp language sql immutable parallel safe
return case
  when sheetdrop.is_plain(cell) and cell not like '%  %' then case
    when cell like '____-__-_____:__' or cell like '____-__-_____:__:__' or cell like '____/__/_____:__' or cell like '____/__/_____:__:__'
      then sheetdrop.iso_timestamp(cell)
    when cell like '____-%-%' or cell like '____/%/%' then sheetdrop.timestamp_of(
      split_part(translate(cell, '/ T:', '----'), '-', 1), split_part(translate(cell, '/ T:', '----'), '-', 2), split_part(translate(cell, '/ T:', '----'), '-', 3),
      split_part(translate(cell, '/ T:', '----'), '-', 4), split_part(translate(cell, '/ T:', '----'), '-', 5), split_part(translate(cell, '/ T:', '----'), '-', 6))
    else sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'YMD') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
  end
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'YMD') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
end;
comment on function sheetdrop.cell_timestamp(text) is 'A date whose parts tell their order, alone or with a time.';

create or replace function sheetdrop.cell_timestamp_day_first(cell text) returns timestamp language sql immutable parallel safe
return case
  when sheetdrop.is_plain(cell) and cell not like '%  %' then case
    when cell like '%-%-%' or cell like '%/%/%' then sheetdrop.timestamp_of(
      split_part(translate(cell, '/ T:', '----'), '-', 3), split_part(translate(cell, '/ T:', '----'), '-', 2), split_part(translate(cell, '/ T:', '----'), '-', 1),
      split_part(translate(cell, '/ T:', '----'), '-', 4), split_part(translate(cell, '/ T:', '----'), '-', 5), split_part(translate(cell, '/ T:', '----'), '-', 6))
    when cell like '%.%.%' and cell not like '%.%.%.%' then sheetdrop.timestamp_of(
      split_part(translate(cell, '. T:', '----'), '-', 3), split_part(translate(cell, '. T:', '----'), '-', 2), split_part(translate(cell, '. T:', '----'), '-', 1),
      split_part(translate(cell, '. T:', '----'), '-', 4), split_part(translate(cell, '. T:', '----'), '-', 5), split_part(translate(cell, '. T:', '----'), '-', 6))
    else sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'DMY') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
  end
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'DMY') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
end;
comment on function sheetdrop.cell_timestamp_day_first(text) is 'A date whose day stands first, alone or with a time.';

create or replace function sheetdrop.cell_timestamp_month_first(cell text) returns timestamp language sql immutable parallel safe
return case
  when sheetdrop.is_plain(cell) and cell not like '%  %' then case
    when cell like '%-%-%' or cell like '%/%/%' then sheetdrop.timestamp_of(
      split_part(translate(cell, '/ T:', '----'), '-', 3), split_part(translate(cell, '/ T:', '----'), '-', 1), split_part(translate(cell, '/ T:', '----'), '-', 2),
      split_part(translate(cell, '/ T:', '----'), '-', 4), split_part(translate(cell, '/ T:', '----'), '-', 5), split_part(translate(cell, '/ T:', '----'), '-', 6))
    else sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'MDY') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
  end
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'MDY') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
end;
comment on function sheetdrop.cell_timestamp_month_first(text) is 'A date whose month stands first, alone or with a time.';

create or replace function sheetdrop.cell_instant(cell text) returns timestamptz language sql immutable parallel safe
return case
  when cell like '____-__-_____:__:__%Z' and sheetdrop.is_plain(left(cell, -1)) then sheetdrop.iso_timestamp(left(cell, -1)) at time zone 'UTC'
  when sheetdrop.is_plain(cell) and sheetdrop.is_plain(left(cell, -6)) and (cell like '____-__-_____:__:__%+__:__' or cell like '____-__-_____:__:__%-__:__')
    then (sheetdrop.iso_timestamp(left(cell, -6)) - sheetdrop.offset_of(right(cell, 6))) at time zone 'UTC'
  when cell ~ '[0-9０-９]' then sheetdrop.moment_instant(sheetdrop.cell_moment(cell), 'YMD')
end;
comment on function sheetdrop.cell_instant(text) is 'A date whose parts tell their order, with a time and an offset from UTC.';

create or replace function sheetdrop.cell_instant_day_first(cell text) returns timestamptz language sql immutable parallel safe
return case when cell ~ '[0-9０-９]' then sheetdrop.moment_instant(sheetdrop.cell_moment(cell), 'DMY') end;
comment on function sheetdrop.cell_instant_day_first(text) is 'A date whose day stands first, with a time and an offset from UTC.';

create or replace function sheetdrop.cell_instant_month_first(cell text) returns timestamptz language sql immutable parallel safe
return case when cell ~ '[0-9０-９]' then sheetdrop.moment_instant(sheetdrop.cell_moment(cell), 'MDY') end;
comment on function sheetdrop.cell_instant_month_first(text) is 'A date whose month stands first, with a time and an offset from UTC.';

create or replace function sheetdrop.cell_time(cell text) returns time language sql immutable parallel safe
return case
  when sheetdrop.is_plain(cell) then make_time(split_part(cell, ':', 1)::int, split_part(cell, ':', 2)::int,
    coalesce(nullif(left(split_part(cell, ':', 3), 9), ''), '0')::float8)
  when cell ~ '[0-9０-９]' then case sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
    when interval '24 hours' then time '24:00'
    else sheetdrop.moment_clock(sheetdrop.cell_moment(cell))::time
  end
end;
comment on function sheetdrop.cell_time(text) is 'A time of the day, up to 24:00.';

create or replace function sheetdrop.cell_duration(cell text) returns interval language sql immutable parallel safe
return case
  when sheetdrop.is_plain(cell) then make_interval(hours => split_part(cell, ':', 1)::int, mins => split_part(cell, ':', 2)::int,
    secs => coalesce(nullif(left(split_part(cell, ':', 3), 9), ''), '0')::float8)
  when cell ~ '[0-9０-９]' then sheetdrop.moment_duration(sheetdrop.cell_moment(cell))
end;
comment on function sheetdrop.cell_duration(text) is 'An elapsed time in hours, minutes and seconds.';

-- What reads a column.

create or replace function sheetdrop.day_order(format text) returns text language sql immutable parallel safe
return case
  when format ~ '^(YYYY-MM-DD|YYYY/MM/DD|YYYY\.MM\.DD|YYYY年MM月DD日|era|month name)(\|(YYYY-MM-DD|YYYY/MM/DD|YYYY\.MM\.DD|YYYY年MM月DD日|era|month name))*$' then ''
  when format ~ '^DD(-MM-|/MM/|\.MM\.)YYYY(\|DD(-MM-|/MM/|\.MM\.)YYYY)*$' then '_day_first'
  when format ~ '^MM(-DD-|/DD/)YYYY(\|MM(-DD-|/DD/)YYYY)*$' then '_month_first'
end;
comment on function sheetdrop.day_order(text) is 'The end of the names of the functions that read dates of a format, or NULL where there is none.';

create or replace function sheetdrop.cell_reader(type text, format text, digits int) returns text language sql immutable parallel safe
return case type
  when 'integer' then
    case when format !~ '^¥?\$?€?£?(0|#,##0|#\.##0|# ##0)?$' then null when digits > 18 then 'cell_big_integer' else 'cell_integer' end
  when 'decimal' then case
    when format ~ '^¥?\$?€?£?((0|#,##0|# ##0)\.0)?$' then 'cell_decimal'
    when format ~ '^¥?\$?€?£?(0|#\.##0|# ##0),0$' then 'cell_decimal_comma'
    when format ~ '^¥?\$?€?£?((0|#,##0|# ##0)\.0)?%$' then 'cell_percent'
    when format ~ '^¥?\$?€?£?(0|#\.##0|# ##0),0%$' then 'cell_percent_comma'
  end
  when 'boolean' then case
    when format = any (array['', 'true/false', 'wahr/falsch', 'vrai/faux', 'ja/nein', 'oui/non', 'yes/no', 'on/off',
      'はい/いいえ', '○/×', 'あり/なし', '有/無', 'y/n', 't/f', '1/0']) then 'cell_boolean'
  end
  when 'date' then
    case when format in ('', 'YYYYMMDD') then 'cell_date' else 'cell_date' || sheetdrop.day_order(format) end
  when 'timestamp' then case
    when format = '' then 'cell_instant'
    when format ~ ' hh:mm(:ss)?(\.fff)?( AM/PM)?(±hh:mm)?$' then
      case when format like '%±hh:mm' then 'cell_instant' else 'cell_timestamp' end || sheetdrop.day_order(regexp_replace(format, ' hh:mm.*$', ''))
  end
  when 'time' then case when format ~ '^(hh:mm(:ss)?(\.fff)?( AM/PM)?)?$' then 'cell_time' end
  when 'duration' then case when format ~ '^(hh:mm(:ss)?(\.fff)?( AM/PM)?|PThHmMsS)?$' then 'cell_duration' end
end;
comment on function sheetdrop.cell_reader(text, text, int) is 'The function that reads cells of a type and a format, or NULL where there is none. digits is how many the longest number has.';

create or replace function sheetdrop.cell_expression(column_no int, type text, format text, digits int) returns text language sql immutable parallel safe
return case
  when type = 'text' and format = '' then 'cells[' || column_no || ']'
  else 'sheetdrop.' || quote_ident(sheetdrop.cell_reader(type, format, digits)) || '(cells[' || column_no || '])'
end;
comment on function sheetdrop.cell_expression(int, text, text, int) is
  'SQL for the value of a column of sheet_row, from its number, from 1, and what sheet.columns says of it: type, format and digits. NULL where nothing reads them.';
