-- +goose Up

-- Values as people write them in still more countries: signs of currencies (₹, R$, zł, kr), what spreadsheets write for true and false in other languages,
-- yes and no of more of them, months of nine more, days of the week beside a date, years of two digits behind the name of a month (5-Jan-24), 5. 1. 2024 with spaces,
-- a.m., 오전 and 上午, a comma between date and time, and the names of time zones. Only functions are replaced, with ones that read all that was read before: queries
-- that are planned from now on have their new bodies, no table is touched, and nobody waits.

create or replace function sheetdrop.cell_digits(cell text) returns text language sql immutable parallel safe
return case when cell ~ '^[^#]*[0-9０-９]'
  then translate(regexp_replace(translate(cell, 'ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ＄．', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz$.'),
    '[A-Z]{3}|[A-Z]{1,2}[$]|Rs[.]?|Rp[.]?|S?Fr[.]?|[Kk]r[.]?|руб[.]?|грн[.]?|zł|Kč|Ft|lei|TL', ''),
    E'０１２３４５６７８９．Ｅｅ＋−–－△▲(（),，）''＇’ \t\r\n\u00a0\u3000\u2009\u202f¥￥円\\＼$＄€￡£%％₹₽₴₩￦원元₺฿₫đ₪₱', '0123456789.Ee+-------') end;

create or replace function sheetdrop.cell_decimal_comma(cell text) returns numeric language sql immutable parallel safe
return case
  when cell ~ '^-?[0-9.]*,?[0-9]+$' then translate(cell, ',.', '.')::numeric
  else sheetdrop.minus_first(translate(sheetdrop.cell_digits(translate(cell, ',，', '~~')), '~.', '.'))::numeric
end;

create or replace function sheetdrop.cell_boolean(cell text) returns boolean language sql immutable parallel safe
return case
  when lower(btrim(cell, E' \t\r\n\u00a0\u3000') collate "C")
    = any (array['1', 'adevĂrat', 'adevărat', 'ano', 'cÓ', 'có', 'da', 'doĞru', 'doğru', 'evet', 'igaz', 'igen', 'ja', 'jah', 'jĀ', 'jā', 'kyllÄ', 'kyllä', 'on', 'oui', 'pravda', 'prawda', 'sand', 'sann', 'sant', 'si', 'sim', 'sÌ', 'sÍ', 'sì', 'sí', 't', 'taip', 'tak', 'tosi', 'true', 'verdadeiro', 'verdadero', 'vero', 'vrai', 'waar', 'wahr', 'y', 'ya', 'yes', 'Áno', 'áno', 'ΑΛΗΘΕΣ', 'Αληθες', 'Αληθεσ', 'ΝΑΙ', 'Ναι', 'αληθες', 'αληθεσ', 'ναι', 'ІСТИНА', 'Істина', 'ДА', 'Да', 'ИСТИНА', 'Истина', 'ТАК', 'Так', 'да', 'истина', 'так', 'істина', 'כן', 'نعم', '○', '◯', '〇', 'あり', 'はい', '是', '有', '네', '예']) then true
  when lower(btrim(cell, E' \t\r\n\u00a0\u3000') collate "C")
    = any (array['0', 'ei', 'epÄtosi', 'epätosi', 'f', 'fals', 'falsch', 'false', 'falsk', 'falskt', 'falso', 'faux', 'faŁsz', 'fałsz', 'hamis', 'hayir', 'hayır', 'khÔng', 'không', 'n', 'nao', 'ne', 'nee', 'nein', 'nej', 'nem', 'nepravda', 'nie', 'no', 'non', 'nu', 'nÃo', 'não', 'nĒ', 'nē', 'off', 'onwaar', 'tidak', 'usann', 'yanliŞ', 'yanliş', 'yanlış', '×', 'ΌΧΙ', 'Όχι', 'ΨΕΥΔΕΣ', 'Ψευδες', 'Ψευδεσ', 'ψευδες', 'ψευδεσ', 'όχι', 'ЛОЖЬ', 'Ложь', 'НІ', 'НЕ', 'НЕТ', 'Не', 'Нет', 'Ні', 'ХИБНІСТЬ', 'Хибність', 'ложь', 'не', 'нет', 'ні', 'хибність', 'לא', 'لا', '✕', '✖', 'いいえ', 'なし', '否', '無', '아니오', '아니요']) then false
end;

create or replace function sheetdrop.cell_percent(cell text) returns numeric language sql immutable parallel safe
return trim_scale(sheetdrop.cell_decimal(btrim(cell, ' %')) * 0.01);

create or replace function sheetdrop.cell_percent_comma(cell text) returns numeric language sql immutable parallel safe
return trim_scale(sheetdrop.cell_decimal_comma(btrim(cell, ' %')) * 0.01);

create or replace function sheetdrop.cell_reader(type text, format text, digits int) returns text language sql immutable parallel safe
return case type
  when 'integer' then
    case when format !~ '^(¥|\$|€|£|kr |[A-Z]{3} )?(0|#,##0|#\.##0|# ##0)?$' then null when digits > 18 then 'cell_big_integer' else 'cell_integer' end
  when 'decimal' then case
    when format ~ '^(¥|\$|€|£|kr |[A-Z]{3} )?((0|#,##0|# ##0)\.0)?$' then 'cell_decimal'
    when format ~ '^(¥|\$|€|£|kr |[A-Z]{3} )?(0|#\.##0|# ##0),0$' then 'cell_decimal_comma'
    when format ~ '^(¥|\$|€|£|kr |[A-Z]{3} )?((0|#,##0|# ##0)\.0)?%$' then 'cell_percent'
    when format ~ '^(¥|\$|€|£|kr |[A-Z]{3} )?(0|#\.##0|# ##0),0%$' then 'cell_percent_comma'
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

-- Dates and times. A moment begins with its date: the day of the week is cut off, and 오전, 上午 and π.μ. are <, as 午前.

create or replace function sheetdrop.cell_moment(cell text) returns text language sql immutable parallel safe
return nullif(regexp_replace(replace(replace(translate(btrim(cell, E' \t\r\n\u00a0\u3000'), '０１２３４５６７８９ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ：／．，－＋−–　令㋿平㍻昭㍼大㍽明㍾元前後전후上下년월일시분초和成正治午오',
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz:/.,-+-- RRHHSSTTMM1<><><>年月日時分秒'), 'π.μ.', '<'), 'μ.μ.', '>'),
  '^[^-0-9 ]{2,}[., \u00a0]+(?=[0-9])(?![0-9]{1,2}(?:[Ss][Tt]|[Nn][Dd]|[Rr][Dd]|[Tt][Hh])?,?[ \u00a0\u202f]+[0-9]{2,4}(?![0-9:]))', ''), '');

-- +goose StatementBegin
create or replace function sheetdrop.moment_day(moment text, part_order text) returns date
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
  marked text := translate(moment, '年月/.', '----');
  first  text := substring(split_part(marked, '-', 1) from '[0-9]+');
  second text := substring(split_part(marked, '-', 2) from '[0-9]+');
  third  text := substring(split_part(marked, '-', 3) from '[0-9]+');
  year   text := case part_order when 'YMD' then first else third end;
  name   text; -- of the month
  month  int;
begin
  if moment ~ '^[0-9]{8}$' then
    return make_date(left(moment, 4)::int, substr(moment, 5, 2)::int, right(moment, 2)::int);
  elsif moment !~ '^[A-Z]?[0-9]+[-/.年] *[0-9]' then -- 5 January 2024, Jan 5, 2024, 5 de enero de 2024, 2024-Jan-05
    foreach name in array regexp_split_to_array(lower(translate(moment,
      'KÁÄÇÉÍÚÛČĚŘŚŹĄŐÖÜŞĞАБВГДЕЖЗИКЛМНОПРСТУФЧЮЯІЬΑΒΓΔΕΙΚΛΜΝΟΠΡΣΤΥΦΪΆΈΊΌΎΏ', 'káäçéíúûčěřśźąőöüşğабвгдежзиклмнопрстуфчюяіьαβγδεικλμνοπρστυφϊάέίόύώ') collate "C"), '[-0-9./ :,()\u00a0\u202f]+') loop
      month := case
        when name = any (array['ene', 'enero', 'gen', 'gennaio', 'ian', 'ianuarie', 'jan', 'janeiro', 'januar', 'januari', 'january', 'január', 'januára', 'janv', 'janvier', 'jän', 'jänner', 'ledna', 'oca', 'ocak', 'sty', 'stycznia', 'tammikuuta', 'ιαν', 'ιανουαρίου', 'січ', 'січня', 'янв', 'января', 'януари']) then 1
        when name = any (array['feb', 'febbraio', 'feber', 'febr', 'febrero', 'februar', 'februari', 'februarie', 'february', 'február', 'februára', 'fev', 'fevereiro', 'fév', 'févr', 'février', 'helmikuuta', 'lut', 'lutego', 'února', 'şub', 'şubat', 'φεβ', 'φεβρουαρίου', 'лют', 'лютого', 'фев', 'февр', 'февраля', 'февруари']) then 2
        when name = any (array['března', 'maaliskuuta', 'maart', 'mar', 'marca', 'march', 'maret', 'mars', 'mart', 'martie', 'marts', 'marzo', 'março', 'mrt', 'mrz', 'márc', 'március', 'mär', 'märz', 'μαρ', 'μαρτίου', 'бер', 'березня', 'мар', 'март', 'марта']) then 3
        when name = any (array['abr', 'abril', 'apr', 'april', 'aprile', 'aprilie', 'apríla', 'avr', 'avril', 'dubna', 'huhtikuuta', 'kwi', 'kwietnia', 'nis', 'nisan', 'ápr', 'április', 'απρ', 'απριλίου', 'апр', 'апреля', 'април', 'кві', 'квітня']) then 4
        when name = any (array['května', 'mag', 'maggio', 'mai', 'maio', 'maj', 'maja', 'may', 'mayis', 'mayo', 'mayıs', 'mei', 'mája', 'május', 'toukokuuta', 'μαΐου', 'май', 'мая', 'тра', 'травня']) then 5
        when name = any (array['cze', 'czerwca', 'giu', 'giugno', 'haz', 'haziran', 'iun', 'iunie', 'juin', 'jun', 'june', 'junho', 'juni', 'junio', 'jún', 'júna', 'június', 'kesäkuuta', 'června', 'ιουν', 'ιουνίου', 'июн', 'июня', 'чер', 'червня', 'юни']) then 6
        when name = any (array['heinäkuuta', 'iul', 'iulie', 'juil', 'juillet', 'jul', 'julho', 'juli', 'julio', 'july', 'júl', 'júla', 'július', 'lip', 'lipca', 'lug', 'luglio', 'tem', 'temmuz', 'července', 'ιουλ', 'ιουλίου', 'июл', 'июля', 'лип', 'липня', 'юли']) then 7
        when name = any (array['ago', 'agosto', 'agu', 'agustus', 'aoû', 'août', 'aug', 'august', 'augusta', 'augusti', 'augustus', 'augusztus', 'ağu', 'ağustos', 'elokuuta', 'sie', 'sierpnia', 'srpna', 'αυγ', 'αυγούστου', 'авг', 'август', 'августа', 'сер', 'серпня']) then 8
        when name = any (array['eyl', 'eylül', 'sep', 'sept', 'september', 'septembra', 'septembre', 'septembrie', 'septiembre', 'set', 'setembro', 'setiembre', 'settembre', 'syyskuuta', 'szept', 'szeptember', 'wrz', 'września', 'září', 'σεπ', 'σεπτεμβρίου', 'вер', 'вересня', 'сен', 'сент', 'сентября', 'септември']) then 9
        when name = any (array['eki', 'ekim', 'lokakuuta', 'oct', 'october', 'octobre', 'octombrie', 'octubre', 'okt', 'oktober', 'október', 'októbra', 'ott', 'ottobre', 'out', 'outubro', 'paź', 'października', 'října', 'οκτ', 'οκτωβρίου', 'жов', 'жовтня', 'окт', 'октомври', 'октября']) then 10
        when name = any (array['kasim', 'kasım', 'listopada', 'listopadu', 'marraskuuta', 'noiembrie', 'nov', 'november', 'novembra', 'novembre', 'novembro', 'noviembre', 'νοε', 'νοεμβρίου', 'лис', 'листопада', 'ноември', 'ноя', 'нояб', 'ноября']) then 11
        when name = any (array['ara', 'aralik', 'aralık', 'dec', 'december', 'decembra', 'decembrie', 'des', 'desember', 'dez', 'dezember', 'dezembro', 'dic', 'dicembre', 'diciembre', 'déc', 'décembre', 'gru', 'grudnia', 'joulukuuta', 'prosince', 'δεκ', 'δεκεμβρίου', 'гру', 'грудня', 'дек', 'декабря', 'декември']) then 12
      end;
      exit when month is not null;
    end loop;
    if month is not null then
      first := substring(moment from '[0-9]+');
      second := substring(moment from '^[^0-9]*[0-9]+[^0-9]+([0-9]+)');
      if length(first) = 4 then
        return make_date(first::int, month, second::int);
      end if;
      if length(second) = 2 then
        second := case when second >= '69' then '19' else '20' end || second;
      end if;
      return make_date(second::int, month, first::int);
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
  if moment ~ '<' or clock ~ '[Aa]\.?[ \u00a0\u2009\u202f]*[Mm]\.?[ \u00a0\u2009\u202f]*$' then
    hour := hour % 12;
  elsif moment ~ '>' or clock ~ '[Pp]\.?[ \u00a0\u2009\u202f]*[Mm]\.?[ \u00a0\u2009\u202f]*$' then
    hour := hour % 12 + 12;
  end if;
  return make_interval(hours => hour, mins => coalesce(minute, '0')::int, secs => translate(coalesce(second, '0'), ',', '.')::float8);
end $$;
-- +goose StatementEnd

create or replace function sheetdrop.moment_zone(moment text) returns text language sql immutable parallel safe
return case when moment ~ '[:時]'
  then coalesce(substring(moment from '(?:Z|(?:UTC|GMT)[-+][0-9]{1,2}(?::?[0-9]{2})?|UTC|GMT|[JK]ST|[ECMP][SD]T|[CE]EST|[CE]ET|[-+][0-9]{2}:?[0-9]{0,2})$'), '') else '' end;

create or replace function sheetdrop.zone_offset(zone text) returns interval language sql immutable parallel safe
return case
  when zone ~ '[0-9]' then sheetdrop.offset_of(regexp_replace(ltrim(zone, 'UTCGM'), '^([-+])([0-9])(?![0-9])', '\1' || '0' || '\2'))
  when zone in ('JST', 'KST') then interval '9 hours'
  when zone = 'PST' then interval '-8 hours'
  when zone in ('MST', 'PDT') then interval '-7 hours'
  when zone in ('CST', 'MDT') then interval '-6 hours'
  when zone in ('EST', 'CDT') then interval '-5 hours'
  when zone = 'EDT' then interval '-4 hours'
  when zone = 'CET' then interval '1 hour'
  when zone in ('CEST', 'EET') then interval '2 hours'
  when zone = 'EEST' then interval '3 hours'
  else interval '0'
end;

-- Eight digits are a date, and not each text of eight letters that begins and ends with digits; 2024-Jan-05 has other parts than numbers, and 5. 1. 2024 spaces.

create or replace function sheetdrop.cell_date(cell text) returns date language sql immutable parallel safe
return case
  when sheetdrop.is_plain(cell) then case
    when cell like '____-__-__' or cell like '____/__/__' then sheetdrop.date_of(left(cell, 4), substr(cell, 6, 2), right(cell, 2))
    when (cell like '____-%-%' or cell like '____/%/%' or cell like '____.%.%') and translate(cell, '0123456789', '') in ('--', '//', '..')
      then sheetdrop.date_of(left(cell, 4), split_part(translate(cell, '/.', '--'), '-', 2), split_part(translate(cell, '/.', '--'), '-', 3))
    when char_length(cell) = 8 and translate(cell, '0123456789', '') = '' then sheetdrop.date_of(left(cell, 4), substr(cell, 5, 2), right(cell, 2))
    else sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'YMD')
  end
  when ascii(cell) between 48 and 57 and cell like '____年%月%日' and octet_length(cell) = char_length(cell) + 6
    then sheetdrop.date_of(left(cell, 4), split_part(translate(cell, '年月日', '-- '), '-', 2), split_part(translate(cell, '年月日', '-- '), '-', 3))
  when left(cell, 1) = any (array['令', '平', '昭', '大', '明', 'R', 'H', 'S', 'T', 'M'])
    and sheetdrop.short_date(cell) ~ '^[RHSTM][0-9]+-[0-9]+-[0-9]+$'
    then make_date(
      sheetdrop.era_begin(sheetdrop.short_date(cell)) + ltrim(split_part(sheetdrop.short_date(cell), '-', 1), 'RHSTM')::int,
      split_part(sheetdrop.short_date(cell), '-', 2)::int, split_part(sheetdrop.short_date(cell), '-', 3)::int)
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'YMD')
end;

create or replace function sheetdrop.cell_date_day_first(cell text) returns date language sql immutable parallel safe
return case
  when sheetdrop.is_plain(cell) and translate(cell, '0123456789', '') in ('--', '//', '..')
    then sheetdrop.date_of(right(cell, 4), split_part(translate(cell, '/.', '--'), '-', 2), split_part(translate(cell, '/.', '--'), '-', 1))
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'DMY')
end;

create or replace function sheetdrop.cell_timestamp(cell text) returns timestamp language sql immutable parallel safe
return case
  when sheetdrop.is_plain(cell) and cell not like '%  %' then case
    when cell like '____-__-_____:__' or cell like '____-__-_____:__:__' or cell like '____/__/_____:__' or cell like '____/__/_____:__:__'
      then sheetdrop.iso_timestamp(cell)
    when (cell like '____-%-%' or cell like '____/%/%') and translate(cell, '0123456789/-.: T', '') = '' then sheetdrop.timestamp_of(
      split_part(translate(cell, '/ T:', '----'), '-', 1), split_part(translate(cell, '/ T:', '----'), '-', 2), split_part(translate(cell, '/ T:', '----'), '-', 3),
      split_part(translate(cell, '/ T:', '----'), '-', 4), split_part(translate(cell, '/ T:', '----'), '-', 5), split_part(translate(cell, '/ T:', '----'), '-', 6))
    else sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'YMD') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
  end
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'YMD') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
end;

create or replace function sheetdrop.cell_timestamp_day_first(cell text) returns timestamp language sql immutable parallel safe
return case
  when sheetdrop.is_plain(cell) and cell not like '%  %' and translate(cell, '0123456789/-.: T', '') = '' then case
    when cell like '%-%-%' or cell like '%/%/%' then sheetdrop.timestamp_of(
      split_part(translate(cell, '/ T:', '----'), '-', 3), split_part(translate(cell, '/ T:', '----'), '-', 2), split_part(translate(cell, '/ T:', '----'), '-', 1),
      split_part(translate(cell, '/ T:', '----'), '-', 4), split_part(translate(cell, '/ T:', '----'), '-', 5), split_part(translate(cell, '/ T:', '----'), '-', 6))
    when cell like '%.%.%' and cell not like '%.%.%.%' and cell not like '%. %' then sheetdrop.timestamp_of(
      split_part(translate(cell, '. T:', '----'), '-', 3), split_part(translate(cell, '. T:', '----'), '-', 2), split_part(translate(cell, '. T:', '----'), '-', 1),
      split_part(translate(cell, '. T:', '----'), '-', 4), split_part(translate(cell, '. T:', '----'), '-', 5), split_part(translate(cell, '. T:', '----'), '-', 6))
    else sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'DMY') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
  end
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'DMY') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
end;

create or replace function sheetdrop.cell_timestamp_month_first(cell text) returns timestamp language sql immutable parallel safe
return case
  when sheetdrop.is_plain(cell) and cell not like '%  %' and translate(cell, '0123456789/-.: T', '') = '' then case
    when cell like '%-%-%' or cell like '%/%/%' then sheetdrop.timestamp_of(
      split_part(translate(cell, '/ T:', '----'), '-', 3), split_part(translate(cell, '/ T:', '----'), '-', 1), split_part(translate(cell, '/ T:', '----'), '-', 2),
      split_part(translate(cell, '/ T:', '----'), '-', 4), split_part(translate(cell, '/ T:', '----'), '-', 5), split_part(translate(cell, '/ T:', '----'), '-', 6))
    else sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'MDY') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
  end
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'MDY') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
end;
