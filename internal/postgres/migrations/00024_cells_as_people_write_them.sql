-- +goose Up

-- Cells as people write them in more countries. Columns of numbers may have words for no value, such as N/A, - and #DIV/0!, which are NULL: what has no
-- digit, or an error. Dates, times and booleans were NULL for such words before. Numbers may have the code of a currency, and booleans are words of more
-- languages. Only functions are replaced, with ones that read all that was read before: queries that are planned from now on have their new bodies, no
-- table is touched, and nobody waits.

create or replace function sheetdrop.cell_digits(cell text) returns text language sql immutable parallel safe
return case when cell ~ '^[^#]*[0-9０-９]'
  then translate(regexp_replace(cell, '[A-ZＡ-Ｚ]{3}', ''),
    E'０１２３４５６７８９．Ｅｅ＋−－△▲(（),，）''＇’ \t\r\n\u00a0\u3000\u2009\u202f¥￥円\\＼$＄€￡£%％', '0123456789.Ee+------') end;
comment on function sheetdrop.cell_digits(text) is
  'A number without grouping, currency and white space, in ASCII; a minus for △, ▲ and parentheses. The point is the decimal mark. NULL without a digit, or for an error.';

create or replace function sheetdrop.cell_boolean(cell text) returns boolean language sql immutable parallel safe
return case
  when lower(btrim(cell, E' \t\r\n\u00a0\u3000') collate "C")
    = any (array['1', 'ano', 'evet', 'igen', 'ja', 'kyllÄ', 'kyllä', 'on', 'oui', 'si', 'sim', 'sÌ', 'sÍ', 'sì', 'sí', 't', 'tak', 'true', 'vrai', 'wahr', 'y', 'yes',
      'ΝΑΙ', 'Ναι', 'ναι', 'ДА', 'Да', 'ТАК', 'Так', 'да', 'так', 'نعم', '○', '◯', '〇', 'あり', 'はい', '是', '有', '네', '예']) then true
  when lower(btrim(cell, E' \t\r\n\u00a0\u3000') collate "C")
    = any (array['0', 'ei', 'f', 'falsch', 'false', 'faux', 'hayir', 'hayır', 'n', 'nao', 'ne', 'nee', 'nein', 'nej', 'nem', 'nie', 'no', 'non', 'nÃo', 'não', 'off', '×',
      'ΌΧΙ', 'Όχι', 'όχι', 'НІ', 'НЕТ', 'Нет', 'Ні', 'нет', 'ні', 'لا', '✕', '✖', 'いいえ', 'なし', '否', '無', '아니오', '아니요']) then false
end;

create or replace function sheetdrop.cell_reader(type text, format text, digits int) returns text language sql immutable parallel safe
return case type
  when 'integer' then
    case when format !~ '^(¥|\$|€|£|[A-Z]{3} )?(0|#,##0|#\.##0|# ##0)?$' then null when digits > 18 then 'cell_big_integer' else 'cell_integer' end
  when 'decimal' then case
    when format ~ '^(¥|\$|€|£|[A-Z]{3} )?((0|#,##0|# ##0)\.0)?$' then 'cell_decimal'
    when format ~ '^(¥|\$|€|£|[A-Z]{3} )?(0|#\.##0|# ##0),0$' then 'cell_decimal_comma'
    when format ~ '^(¥|\$|€|£|[A-Z]{3} )?((0|#,##0|# ##0)\.0)?%$' then 'cell_percent'
    when format ~ '^(¥|\$|€|£|[A-Z]{3} )?(0|#\.##0|# ##0),0%$' then 'cell_percent_comma'
  end
  when 'boolean' then case
    when format = any (array['', 'true/false', 'wahr/falsch', 'vrai/faux', 'ja/nein', 'oui/non', 'yes/no', 'on/off',
      'はい/いいえ', '○/×', 'あり/なし', '有/無', 'y/n', 't/f', '1/0',
      'sí/no', 'sim/não', 'ja/nee', 'ja/nej', 'да/нет', 'так/ні', 'tak/nie', 'ano/ne', 'igen/nem', 'evet/hayır', 'kyllä/ei', 'ναι/όχι', 'نعم/لا', '是/否', '예/아니요']) then 'cell_boolean'
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

-- Dates with years of two digits: 69 is 1969, 68 is 2068.

-- +goose StatementBegin
create or replace function sheetdrop.moment_day(moment text, part_order text) returns date
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
  marked text := translate(moment, '年月/.', '----');
  first  text := substring(split_part(marked, '-', 1) from '[0-9]+');
  second text := split_part(marked, '-', 2);
  third  text := substring(split_part(marked, '-', 3) from '[0-9]+');
  year   text := case part_order when 'YMD' then first else third end;
begin
  if moment ~ '^[0-9]{8}$' then
    return make_date(left(moment, 4)::int, substr(moment, 5, 2)::int, right(moment, 2)::int);
  elsif moment ~ '^(?:[0-9]+[- ])?[A-Za-z]{3}' then -- 5 January 2024, Jan 5, 2024
    return make_date(
      substring(moment from '[0-9]{4}')::int,
      (position(lower(substring(moment from '[A-Za-z]{3}')) in 'janfebmaraprmayjunjulaugsepoctnovdec') + 2) / 3,
      substring(moment from '[0-9]+')::int);
  end if;
  if moment ~ '^[0-9]' and length(year) = 2 then
    year := case when year >= '69' then '19' else '20' end || year;
  end if;
  if part_order = 'DMY' then
    return make_date(year::int, second::int, first::int);
  elsif part_order = 'MDY' then
    return make_date(year::int, first::int, second::int);
  end if;
  return make_date(
    case left(moment, 1) when 'R' then 2018 when 'H' then 1988 when 'S' then 1925 when 'T' then 1911 when 'M' then 1867 else 0 end + year::int,
    second::int, third::int);
end $$;
-- +goose StatementEnd

create or replace function sheetdrop.cell_date_short_year_first(cell text) returns date language sql immutable parallel safe
return case when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'YMD') end;
comment on function sheetdrop.cell_date_short_year_first(text) is 'A date with a year of two digits, whose year stands first.';

create or replace function sheetdrop.cell_date_short_day_first(cell text) returns date language sql immutable parallel safe
return case when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'DMY') end;
comment on function sheetdrop.cell_date_short_day_first(text) is 'A date with a year of two digits, whose day stands first.';

create or replace function sheetdrop.cell_date_short_month_first(cell text) returns date language sql immutable parallel safe
return case when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'MDY') end;
comment on function sheetdrop.cell_date_short_month_first(text) is 'A date with a year of two digits, whose month stands first.';

create or replace function sheetdrop.cell_timestamp_short_year_first(cell text) returns timestamp language sql immutable parallel safe
return case when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'YMD') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell)) end;
comment on function sheetdrop.cell_timestamp_short_year_first(text) is 'A date, alone or with a time with a year of two digits, whose year stands first.';

create or replace function sheetdrop.cell_timestamp_short_day_first(cell text) returns timestamp language sql immutable parallel safe
return case when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'DMY') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell)) end;
comment on function sheetdrop.cell_timestamp_short_day_first(text) is 'A date, alone or with a time with a year of two digits, whose day stands first.';

create or replace function sheetdrop.cell_timestamp_short_month_first(cell text) returns timestamp language sql immutable parallel safe
return case when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'MDY') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell)) end;
comment on function sheetdrop.cell_timestamp_short_month_first(text) is 'A date, alone or with a time with a year of two digits, whose month stands first.';

create or replace function sheetdrop.cell_instant_short_year_first(cell text) returns timestamptz language sql immutable parallel safe
return case when cell ~ '[0-9０-９]' then sheetdrop.moment_instant(sheetdrop.cell_moment(cell), 'YMD') end;
comment on function sheetdrop.cell_instant_short_year_first(text) is 'A date with a time and an offset from UTC with a year of two digits, whose year stands first.';

create or replace function sheetdrop.cell_instant_short_day_first(cell text) returns timestamptz language sql immutable parallel safe
return case when cell ~ '[0-9０-９]' then sheetdrop.moment_instant(sheetdrop.cell_moment(cell), 'DMY') end;
comment on function sheetdrop.cell_instant_short_day_first(text) is 'A date with a time and an offset from UTC with a year of two digits, whose day stands first.';

create or replace function sheetdrop.cell_instant_short_month_first(cell text) returns timestamptz language sql immutable parallel safe
return case when cell ~ '[0-9０-９]' then sheetdrop.moment_instant(sheetdrop.cell_moment(cell), 'MDY') end;
comment on function sheetdrop.cell_instant_short_month_first(text) is 'A date with a time and an offset from UTC with a year of two digits, whose month stands first.';

create or replace function sheetdrop.day_order(format text) returns text language sql immutable parallel safe
return case
  when format ~ '^(YYYY-MM-DD|YYYY/MM/DD|YYYY\.MM\.DD|YYYY年MM月DD日|era|month name)(\|(YYYY-MM-DD|YYYY/MM/DD|YYYY\.MM\.DD|YYYY年MM月DD日|era|month name))*$' then ''
  when format ~ '^DD(-MM-|/MM/|\.MM\.)YYYY(\|DD(-MM-|/MM/|\.MM\.)YYYY)*$' then '_day_first'
  when format ~ '^MM(-DD-|/DD/)YYYY(\|MM(-DD-|/DD/)YYYY)*$' then '_month_first'
  when format ~ '^(YY-MM-DD|YY/MM/DD|YY\.MM\.DD)(\|(YY-MM-DD|YY/MM/DD|YY\.MM\.DD))*$' then '_short_year_first'
  when format ~ '^(DD-MM-YY|DD/MM/YY|DD\.MM\.YY)(\|(DD-MM-YY|DD/MM/YY|DD\.MM\.YY))*$' then '_short_day_first'
  when format ~ '^(MM-DD-YY|MM/DD/YY)(\|(MM-DD-YY|MM/DD/YY))*$' then '_short_month_first'
end;
