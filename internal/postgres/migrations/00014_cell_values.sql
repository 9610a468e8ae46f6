-- +goose Up

-- SQL for the cells of a sheet, which are text: a function for each way in which the engine can say that a column's cells are to be read, and
-- cell_expression, which knows the one for a column's type and format. They take the cells that the engine takes for that type and format, and
-- return the value that the rows API returns; for others they promise nothing. A cell of white space is NULL. What is finer than a
-- microsecond is cut off, since PostgreSQL keeps no more.
--
-- A query with them costs little because the planner puts their bodies in their place. So each is one expression, of immutable functions alone
-- (a cast from text to date is none, since it asks for DateStyle), and neither strict nor with settings: the bodies are parsed here, once, and no
-- search_path changes what they mean. Usual cells are read by that expression; what is written in other ways goes to a
-- function of a query, which costs some microseconds a cell.
--
-- Only functions are added: no table is touched, and nobody waits.

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
  when lower(btrim(cell, E' \t\r\n\u00a0\u3000') collate "C") = any (array['true', 'yes', 'on', 'y', 't', 'wahr', 'vrai', 'ja', 'oui', 'はい', '○', '〇', '◯', '有', 'あり', '1'])
    then true
  when lower(btrim(cell, E' \t\r\n\u00a0\u3000') collate "C") = any (array['false', 'no', 'off', 'n', 'f', 'falsch', 'faux', 'nein', 'non', 'いいえ', '×', '✕', '✖', '無', 'なし', '0'])
    then false
end;
comment on function sheetdrop.cell_boolean(text) is 'A boolean, by any of the words for true and false.';

-- Dates and times. A moment is the text of a date, a time or both, in ASCII but for 年月日時分秒; eras have their initials, 午前 is < and 午後 is >.

create or replace function sheetdrop.cell_moment(cell text) returns text language sql immutable parallel safe
return nullif(translate(btrim(cell, E' \t\r\n\u00a0\u3000'), '０１２３４５６７８９ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ：／．，－＋−　令㋿平㍻昭㍼大㍽明㍾元前後和成正治午', '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz:/.,-+- RRHHSSTTMM1<>'), '');
comment on function sheetdrop.cell_moment(text) is 'A date, a time or both, in few letters.';

create or replace function sheetdrop.moment_day(moment text, part_order text) returns date language sql immutable parallel safe
return (
  select case
    when m.moment ~ '^[0-9]{8}$' then make_date(left(m.moment, 4)::int, substr(m.moment, 5, 2)::int, right(m.moment, 2)::int)
    when m.named is not null then
      make_date(m.named[4]::int, (position(lower(m.named[2]) in 'janfebmaraprmayjunjulaugsepoctnovdec') + 2) / 3, coalesce(m.named[1], m.named[3])::int)
    when part_order = 'DMY' then make_date(m.part[4]::int, m.part[3]::int, m.part[2]::int)
    when part_order = 'MDY' then make_date(m.part[4]::int, m.part[2]::int, m.part[3]::int)
    else make_date(
      case m.part[1] when 'M' then 1867 when 'T' then 1911 when 'S' then 1925 when 'H' then 1988 when 'R' then 2018 else 0 end + m.part[2]::int,
      m.part[3]::int, m.part[4]::int)
  end
  from (
    select moment_day.moment,
      regexp_match(moment_day.moment, '^([MTSHR]?) *([0-9]+)[-/.年] *([0-9]+)[-/.月] *([0-9]+)') as part,
      regexp_match(moment_day.moment, '^(?:([0-9]+)[- ])?([A-Za-z]{3})[A-Za-z]*[- ](?:([0-9]+),? )?([0-9]{4})') as named
    offset 0 -- or each of the matches would be made once for each part
  ) m
);
comment on function sheetdrop.moment_day(text, text) is 'The day of a moment; part_order is YMD, DMY or MDY.';

create or replace function sheetdrop.moment_clock(moment text) returns interval language sql immutable parallel safe
return (
  select make_interval(
    hours => case
      when m.half is null then m.hour::int
      when m.half in ('p', '>') then m.hour::int % 12 + 12
      else m.hour::int % 12
    end,
    mins => coalesce(m.minute, '0')::int,
    secs => (coalesce(m.second, '0') || '.' || coalesce(m.fraction, '0'))::float8)
  from (
    select coalesce(substring(moment from '([0-9]+)[:時]'), '0') as hour,
      substring(moment from '[:時] *([0-9]{1,2})(?![0-9秒])') as minute,
      coalesce(substring(moment from ':[0-9]{2}:([0-9]{2})'), substring(moment from '([0-9]{1,2})秒')) as second,
      substring(moment from ':[0-9]{2}:[0-9]{2}[.,]([0-9]{1,6})') as fraction,
      coalesce(substring(moment from '[<>]'), lower(substring(moment from '([AaPp])[Mm] *$'))) as half
    offset 0
  ) m
);
comment on function sheetdrop.moment_clock(text) is 'How long after midnight a moment is, 0 where it has no time.';

create or replace function sheetdrop.moment_zone(moment text) returns text language sql immutable parallel safe
return substring(moment from '[:時].*?(Z|UTC|GMT|JST|[-+][0-9]{2}:?[0-9]{0,2})$');
comment on function sheetdrop.moment_zone(text) is 'The offset from UTC that a moment ends with, or NULL.';

create or replace function sheetdrop.moment_instant(moment text, part_order text) returns timestamptz language sql immutable parallel safe
return (
  select (sheetdrop.moment_day(m.local, part_order) + sheetdrop.moment_clock(m.local) - case
    when m.zone is null or m.zone in ('Z', 'UTC', 'GMT') then interval '0'
    when m.zone = 'JST' then interval '9 hours'
    else make_interval(
      hours => left(m.zone, 3)::int,
      mins => (left(m.zone, 1) || coalesce(nullif(ltrim(substr(m.zone, 4), ':'), ''), '0'))::int)
  end) at time zone 'UTC'
  from (
    select left(moment, length(moment) - coalesce(length(sheetdrop.moment_zone(moment)), 0)) as local, sheetdrop.moment_zone(moment) as zone
    offset 0
  ) m
);
comment on function sheetdrop.moment_instant(text, text) is 'A moment with its offset from UTC, which is 0 where it has none.';

create or replace function sheetdrop.moment_duration(moment text) returns interval language sql immutable parallel safe
return (
  select case when m.moment like '-%' then - m.elapsed else m.elapsed end
  from (
    select moment_duration.moment, case
      when moment_duration.moment ~ 'P' then make_interval(
        hours => coalesce(substring(moment from '([0-9]+)D'), '0')::int * 24 + coalesce(substring(moment from '([0-9]+)H'), '0')::int,
        mins => coalesce(substring(moment from '([0-9]+)M'), '0')::int,
        secs => replace(coalesce(substring(moment from '([0-9]+(?:[.,][0-9]{1,6})?)[0-9]*S'), '0'), ',', '.')::float8)
      else sheetdrop.moment_clock(moment)
    end as elapsed
    offset 0
  ) m
);
comment on function sheetdrop.moment_duration(text) is 'An elapsed time: 27:30, -1:05:10.5 or PT27H30M.';

create or replace function sheetdrop.date_of(year text, month text, day text) returns date language sql immutable parallel safe
return make_date(year::int, month::int, day::int);
comment on function sheetdrop.date_of(text, text, text) is 'A date of its parts.';

create or replace function sheetdrop.timestamp_of(year text, month text, day text, hour text, minute text, second text) returns timestamp language sql immutable parallel safe
return make_timestamp(year::int, month::int, day::int, coalesce(nullif(hour, ''), '0')::int, coalesce(nullif(minute, ''), '0')::int, coalesce(nullif(second, ''), '0')::float8);
comment on function sheetdrop.timestamp_of(text, text, text, text, text, text) is 'A timestamp of its parts; of the time any may be empty.';

create or replace function sheetdrop.cell_date(cell text) returns date language sql immutable parallel safe
return case
  when cell ~ '^[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}$'
    then sheetdrop.date_of(left(cell, 4), split_part(translate(cell, '/', '-'), '-', 2), split_part(translate(cell, '/', '-'), '-', 3))
  when cell ~ '^[0-9]{8}$' then sheetdrop.date_of(left(cell, 4), substr(cell, 5, 2), right(cell, 2))
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'YMD')
end;
comment on function sheetdrop.cell_date(text) is 'A date whose parts tell their order: the year first, eight digits, an era, a month name.';

create or replace function sheetdrop.cell_date_day_first(cell text) returns date language sql immutable parallel safe
return case
  when cell ~ '^[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4}$'
    then sheetdrop.date_of(right(cell, 4), split_part(translate(cell, '/.', '--'), '-', 2), split_part(translate(cell, '/.', '--'), '-', 1))
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'DMY')
end;
comment on function sheetdrop.cell_date_day_first(text) is 'A date whose day stands first.';

create or replace function sheetdrop.cell_date_month_first(cell text) returns date language sql immutable parallel safe
return case
  when cell ~ '^[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4}$'
    then sheetdrop.date_of(right(cell, 4), split_part(translate(cell, '/.', '--'), '-', 1), split_part(translate(cell, '/.', '--'), '-', 2))
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'MDY')
end;
comment on function sheetdrop.cell_date_month_first(text) is 'A date whose month stands first.';

create or replace function sheetdrop.cell_timestamp(cell text) returns timestamp language sql immutable parallel safe
return case
  when cell ~ '^[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}([ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?$' then sheetdrop.timestamp_of(
    split_part(translate(cell, '/ T:', '----'), '-', 1), split_part(translate(cell, '/ T:', '----'), '-', 2), split_part(translate(cell, '/ T:', '----'), '-', 3),
    split_part(translate(cell, '/ T:', '----'), '-', 4), split_part(translate(cell, '/ T:', '----'), '-', 5), split_part(translate(cell, '/ T:', '----'), '-', 6))
  when cell ~ '[0-9０-９]'
    then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'YMD') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
end;
comment on function sheetdrop.cell_timestamp(text) is 'A date whose parts tell their order, alone or with a time.';

create or replace function sheetdrop.cell_timestamp_day_first(cell text) returns timestamp language sql immutable parallel safe
return case
  when cell ~ '^[0-9]{1,2}[-/][0-9]{1,2}[-/][0-9]{4}([ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?$' then sheetdrop.timestamp_of(
    split_part(translate(cell, '/ T:', '----'), '-', 3), split_part(translate(cell, '/ T:', '----'), '-', 2), split_part(translate(cell, '/ T:', '----'), '-', 1),
    split_part(translate(cell, '/ T:', '----'), '-', 4), split_part(translate(cell, '/ T:', '----'), '-', 5), split_part(translate(cell, '/ T:', '----'), '-', 6))
  when cell ~ '[0-9０-９]'
    then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'DMY') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
end;
comment on function sheetdrop.cell_timestamp_day_first(text) is 'A date whose day stands first, alone or with a time.';

create or replace function sheetdrop.cell_timestamp_month_first(cell text) returns timestamp language sql immutable parallel safe
return case
  when cell ~ '^[0-9]{1,2}[-/][0-9]{1,2}[-/][0-9]{4}([ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?$' then sheetdrop.timestamp_of(
    split_part(translate(cell, '/ T:', '----'), '-', 3), split_part(translate(cell, '/ T:', '----'), '-', 1), split_part(translate(cell, '/ T:', '----'), '-', 2),
    split_part(translate(cell, '/ T:', '----'), '-', 4), split_part(translate(cell, '/ T:', '----'), '-', 5), split_part(translate(cell, '/ T:', '----'), '-', 6))
  when cell ~ '[0-9０-９]'
    then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'MDY') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
end;
comment on function sheetdrop.cell_timestamp_month_first(text) is 'A date whose month stands first, alone or with a time.';

create or replace function sheetdrop.cell_instant(cell text) returns timestamptz language sql immutable parallel safe
return case when cell ~ '[0-9０-９]' then sheetdrop.moment_instant(sheetdrop.cell_moment(cell), 'YMD') end;
comment on function sheetdrop.cell_instant(text) is 'A date whose parts tell their order, with a time and an offset from UTC.';

create or replace function sheetdrop.cell_instant_day_first(cell text) returns timestamptz language sql immutable parallel safe
return case when cell ~ '[0-9０-９]' then sheetdrop.moment_instant(sheetdrop.cell_moment(cell), 'DMY') end;
comment on function sheetdrop.cell_instant_day_first(text) is 'A date whose day stands first, with a time and an offset from UTC.';

create or replace function sheetdrop.cell_instant_month_first(cell text) returns timestamptz language sql immutable parallel safe
return case when cell ~ '[0-9０-９]' then sheetdrop.moment_instant(sheetdrop.cell_moment(cell), 'MDY') end;
comment on function sheetdrop.cell_instant_month_first(text) is 'A date whose month stands first, with a time and an offset from UTC.';

create or replace function sheetdrop.cell_time(cell text) returns time language sql immutable parallel safe
return case
  when cell ~ '^[0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?$'
    then make_time(split_part(cell, ':', 1)::int, split_part(cell, ':', 2)::int, coalesce(nullif(split_part(cell, ':', 3), ''), '0')::float8)
  when cell ~ '[0-9０-９]' then
    case sheetdrop.moment_clock(sheetdrop.cell_moment(cell)) when interval '24 hours' then time '24:00' else sheetdrop.moment_clock(sheetdrop.cell_moment(cell))::time end
end;
comment on function sheetdrop.cell_time(text) is 'A time of the day, up to 24:00.';

create or replace function sheetdrop.cell_duration(cell text) returns interval language sql immutable parallel safe
return case
  when cell ~ '^[0-9]{1,6}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?$' then make_interval(
    hours => split_part(cell, ':', 1)::int, mins => split_part(cell, ':', 2)::int, secs => coalesce(nullif(split_part(cell, ':', 3), ''), '0')::float8)
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
