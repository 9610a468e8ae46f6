-- +goose Up

-- Dates with the names of months in ten languages besides English (5. März 2024, 5 de enero de 2024), and offsets from UTC such as GMT+9. Only
-- functions are replaced, with ones that read all that was read before: queries that are planned from now on have their new bodies, no table is touched,
-- and nobody waits.

-- +goose StatementBegin
create or replace function sheetdrop.moment_day(moment text, part_order text) returns date
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
  marked text := translate(moment, '年月/.', '----');
  first  text := substring(split_part(marked, '-', 1) from '[0-9]+');
  second text := split_part(marked, '-', 2);
  third  text := substring(split_part(marked, '-', 3) from '[0-9]+');
  year   text := case part_order when 'YMD' then first else third end;
  name   text; -- of the month
  month  int;
begin
  if moment ~ '^[0-9]{8}$' then
    return make_date(left(moment, 4)::int, substr(moment, 5, 2)::int, right(moment, 2)::int);
  elsif moment !~ '^[A-Z]?[0-9]+[-/.年][0-9]' then -- 5 January 2024, Jan 5, 2024, 5 de enero de 2024
    name := coalesce(
      substring(moment from '(?i)^[0-9]{1,2}(?:(?:er|st|nd|rd|th)(?![a-z])|[º°ª])?[-./ \u00a0\u202f]+(?:(?:de|di|of) )?([^-0-9./ :,\u00a0\u202f]{3,})'),
      substring(moment from '^[A-Za-z]{3,}'));
    name := lower(translate(name, 'ÁÄÇÉÍÚÛČĚŘŚŹАБВГДЕИКЛМНОПРСТУФЮЯ', 'áäçéíúûčěřśźабвгдеиклмнопрстуфюя') collate "C");
    month := case
      when name = any (array['ene', 'enero', 'gen', 'gennaio', 'jan', 'janeiro', 'januar', 'januari', 'january', 'janv', 'janvier', 'jän', 'jänner', 'ledna', 'sty', 'stycznia', 'янв', 'января']) then 1
      when name = any (array['feb', 'febbraio', 'feber', 'febrero', 'februar', 'februari', 'february', 'fev', 'fevereiro', 'fév', 'févr', 'février', 'lut', 'lutego', 'února', 'фев', 'февраля']) then 2
      when name = any (array['března', 'maart', 'mar', 'marca', 'march', 'mars', 'marts', 'marzo', 'março', 'mrt', 'mrz', 'mär', 'märz', 'мар', 'марта']) then 3
      when name = any (array['abr', 'abril', 'apr', 'april', 'aprile', 'avr', 'avril', 'dubna', 'kwi', 'kwietnia', 'апр', 'апреля']) then 4
      when name = any (array['května', 'mag', 'maggio', 'mai', 'maio', 'maj', 'maja', 'may', 'mayo', 'mei', 'мая']) then 5
      when name = any (array['cze', 'czerwca', 'giu', 'giugno', 'juin', 'jun', 'june', 'junho', 'juni', 'junio', 'června', 'июн', 'июня']) then 6
      when name = any (array['juil', 'juillet', 'jul', 'julho', 'juli', 'julio', 'july', 'lip', 'lipca', 'lug', 'luglio', 'července', 'июл', 'июля']) then 7
      when name = any (array['ago', 'agosto', 'aoû', 'août', 'aug', 'august', 'augusti', 'augustus', 'sie', 'sierpnia', 'srpna', 'авг', 'августа']) then 8
      when name = any (array['sep', 'sept', 'september', 'septembre', 'septiembre', 'set', 'setembro', 'setiembre', 'settembre', 'wrz', 'września', 'září', 'сен', 'сент', 'сентября']) then 9
      when name = any (array['oct', 'october', 'octobre', 'octubre', 'okt', 'oktober', 'ott', 'ottobre', 'out', 'outubro', 'paź', 'października', 'října', 'окт', 'октября']) then 10
      when name = any (array['listopada', 'listopadu', 'nov', 'november', 'novembre', 'novembro', 'noviembre', 'ноя', 'ноября']) then 11
      when name = any (array['dec', 'december', 'des', 'desember', 'dez', 'dezember', 'dezembro', 'dic', 'dicembre', 'diciembre', 'déc', 'décembre', 'gru', 'grudnia', 'prosince', 'дек', 'декабря']) then 12
    end;
    if month is not null then
      return make_date(substring(moment from '[0-9]{4}')::int, month, substring(moment from '[0-9]+')::int);
    end if;
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

create or replace function sheetdrop.moment_zone(moment text) returns text language sql immutable parallel safe
return case when moment ~ '[:時]'
  then coalesce(substring(moment from '(?:Z|(?:UTC|GMT)[-+][0-9]{1,2}(?::?[0-9]{2})?|UTC|GMT|JST|[-+][0-9]{2}:?[0-9]{0,2})$'), '') else '' end;

create or replace function sheetdrop.zone_offset(zone text) returns interval language sql immutable parallel safe
return case
  when zone = 'JST' then interval '9 hours'
  when zone ~ '[0-9]' then sheetdrop.offset_of(regexp_replace(ltrim(zone, 'UTCGM'), '^([-+])([0-9])(?![0-9])', '\1' || '0' || '\2'))
  else interval '0'
end;
