-- +goose Up

-- Values as still more people and programs write them: codes of further currencies and their signs, R 12.50, months of ten more languages, times in sentences (klo 9.05,
-- 9.05 Uhr, 9h05), 9 AM, times of logs and programs (20240105T090507Z, Fri Jan 5 09:05:07 2024, 05/Jan/2024:09:05:07, 2024-01-05-09.05.07), the name of a zone behind its
-- offset, 24:00 beside a day, and days that are none (0000-00-00). Only functions are replaced, with ones that read all that was read before: queries that are planned
-- from now on have their new bodies, no table is touched, and nobody waits.

create or replace function sheetdrop.cell_digits(cell text) returns text language sql immutable parallel safe
return case when cell ~ '^[^#]*[0-9０-９]'
  then translate(regexp_replace(translate(cell, 'ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ＄．／', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz$./'),
    '[A-Z]{3}|[A-Z]{1,2}[$]|Rs[.]?|Rp[.]?|S?Fr[.]?|[Kk]r[.]?|руб[.]?|грн[.]?|лв[.]?|KSh|RM|R|S/[.]?|GH₵|CN[¥￥]|zł|Kč|Ft|lei|TL', ''),
    E'０１２３４５６７８９．Ｅｅ＋−–－△▲(（),，）''＇’ \t\r\n\u00a0\u3000\u2009\u202f¥￥円\\＼$＄€￡£%％₹₽₴₩₦₸₾₡֏₼৳៛₲₵₮₭￦원元₺฿₫đ₪₱', '0123456789.Ee+-------') end;

create or replace function sheetdrop.cell_boolean(cell text) returns boolean language sql immutable parallel safe
return case
  when lower(btrim(cell, E' \t\r\n\u00a0\u3000') collate "C")
    = any (array['1', 'adevĂrat', 'adevărat', 'ano', 'cÓ', 'có', 'da', 'doĞru', 'doğru', 'evet', 'igaz', 'igen', 'ja', 'jah', 'jĀ', 'jā', 'kyllÄ', 'kyllä', 'on', 'oui', 'pravda', 'prawda', 'sand', 'sann', 'sant', 'si', 'sim', 'sÌ', 'sÍ', 'sì', 'sí', 't', 'taip', 'tak', 'tosi', 'true', 'verdadeiro', 'verdadero', 'vero', 'vrai', 'waar', 'wahr', 'y', 'ya', 'yes', 'Áno', 'áno', 'ΑΛΗΘΕΣ', 'Αληθες', 'Αληθεσ', 'ΝΑΙ', 'Ναι', 'αληθες', 'αληθεσ', 'ναι', 'ІСТИНА', 'Істина', 'ДА', 'Да', 'ИСТИНА', 'Истина', 'ТАК', 'Так', 'да', 'истина', 'так', 'істина', 'כן', 'نعم', '○', '◯', '〇', 'あり', 'はい', '是', '有', '네', '예', 'já', 'jÁ', '✓', '✔', '☑']) then true
  when lower(btrim(cell, E' \t\r\n\u00a0\u3000') collate "C")
    = any (array['0', 'ei', 'epÄtosi', 'epätosi', 'f', 'fals', 'falsch', 'false', 'falsk', 'falskt', 'falso', 'faux', 'faŁsz', 'fałsz', 'hamis', 'hayir', 'hayır', 'khÔng', 'không', 'n', 'nao', 'ne', 'nee', 'nein', 'nej', 'nem', 'nepravda', 'nie', 'no', 'non', 'nu', 'nÃo', 'não', 'nĒ', 'nē', 'off', 'onwaar', 'tidak', 'usann', 'yanliŞ', 'yanliş', 'yanlış', '×', 'ΌΧΙ', 'Όχι', 'ΨΕΥΔΕΣ', 'Ψευδες', 'Ψευδεσ', 'ψευδες', 'ψευδεσ', 'όχι', 'ЛОЖЬ', 'Ложь', 'НІ', 'НЕ', 'НЕТ', 'Не', 'Нет', 'Ні', 'ХИБНІСТЬ', 'Хибність', 'ложь', 'не', 'нет', 'ні', 'хибність', 'לא', 'لا', '✕', '✖', 'いいえ', 'なし', '否', '無', '아니오', '아니요', 'nei', 'οχι', 'Οχι', 'ΟΧΙ', '✗', '✘', '☐']) then false
end;

-- Dates and times. A moment that is written in a rare way is rewritten first.

-- +goose StatementBegin
create or replace function sheetdrop.usual_moment(moment text) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
  moment := regexp_replace(moment, '(Z|[-+][0-9]{2}:?[0-9]{0,2}) ?[[( ]+[A-Za-z][^0-9]*$', '\1'); -- +01:00[Europe/Berlin], -0800 (PST)
  if moment ~ '^[0-9]{8}[T ]' then -- 20240105T090507
    moment := regexp_replace(moment, '^([0-9]{4})([0-9]{2})([0-9]{2})[T ]', '\1-\2-\3 ');
    moment := regexp_replace(moment, '^([-0-9]{10}) ([0-9]{2})([0-9]{2})([0-9]{2})?(?![0-9:])', '\1 \2:\3:\4');
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
comment on function sheetdrop.usual_moment(text) is 'A moment as most are written.';

create or replace function sheetdrop.cell_moment(cell text) returns text language sql immutable parallel safe
return sheetdrop.usual_moment(nullif(regexp_replace(replace(replace(translate(btrim(cell, E' \t\r\n\u00a0\u3000'), '０１２３４５６７８９ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ：／．，－＋−–（）［］＇　令㋿平㍻昭㍼大㍽明㍾元前後전후上下년월일시분초和成正治午오',
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz:/.,-+--()[]'' RRHHSSTTMM1<><><>年月日時分秒'), 'π.μ.', '<'), 'μ.μ.', '>'),
  '^[^-0-9 ]{2,}[., \u00a0]+(?=[0-9])(?![0-9]{1,2}(?:[Ss][Tt]|[Nn][Dd]|[Rr][Dd]|[Tt][Hh])?,?[ \u00a0\u202f]+[0-9]{2,4}(?![0-9:]))(?![0-9]{1,2} +[0-9]{1,2}:.* [0-9]{4}$)', ''), ''));

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
  if moment !~ '[1-9]' then -- 0000-00-00
    return null;
  elsif moment ~ '^[0-9]{8}$' then
    return make_date(left(moment, 4)::int, substr(moment, 5, 2)::int, right(moment, 2)::int);
  elsif moment !~ '^[A-Z]?[0-9]+[-/.年] *[0-9]' then -- 5 January 2024, Jan 5, 2024, 5 de enero de 2024, 2024-Jan-05
    foreach name in array regexp_split_to_array(lower(translate(moment,
      'KÁÄÇÉÍÓÚÛÜĀČĖĚĞĪŘŚŞŪŹŽΆΊΑΒΓΔΕΙΚΛΜΝΟΠΡΣΤΥΦΩΎАБВГДЕЖЗИЙКЛМНОПРСТУФЦЧЮЯІЈ', 'káäçéíóúûüāčėěğīřśşūźžάίαβγδεικλμνοπρστυφωύабвгдежзийклмнопрстуфцчюяіј') collate "C"), '[-0-9./ :,()''’\u00a0\u202f]+') loop
      month := case
        when name = 'listopada' and moment ~ '^[^0-9]*[0-9]+[.]' then 10
        when name = 'listopada' and moment ~ '^[^0-9]*[0-9]+[.]' then 10
        when name = any (array['ene', 'enero', 'gen', 'gener', 'gennaio', 'ian', 'ianuarie', 'jaan', 'jaanuar', 'jan', 'janeiro', 'januar', 'januara', 'januari', 'january', 'január', 'januára', 'janv', 'janvier', 'janvāris', 'janvārī', 'janúar', 'jän', 'jänner', 'ledna', 'oca', 'ocak', 'sausio', 'siječnja', 'sty', 'stycznia', 'tammikuuta', 'ιαν', 'ιανουαρίου', 'січ', 'січня', 'янв', 'января', 'януари', 'јануар', 'јануара', 'בינואר', 'ינואר', 'يناير']) then 1
        when name = any (array['feb', 'febbraio', 'feber', 'febr', 'febrer', 'febrero', 'februar', 'februara', 'februari', 'februarie', 'february', 'február', 'februára', 'februāris', 'februārī', 'febrúar', 'fev', 'fevereiro', 'fév', 'févr', 'février', 'helmikuuta', 'lut', 'lutego', 'vasario', 'veebr', 'veebruar', 'veljače', 'února', 'şub', 'şubat', 'φεβ', 'φεβρουαρίου', 'лют', 'лютого', 'фебруар', 'фебруара', 'фев', 'февр', 'февраля', 'февруари', 'בפברואר', 'פברואר', 'فبراير']) then 2
        when name = any (array['března', 'kovo', 'maaliskuuta', 'maart', 'mac', 'mar', 'marca', 'march', 'marec', 'maret', 'mars', 'mart', 'marta', 'martie', 'marts', 'martā', 'marzo', 'març', 'março', 'mrt', 'mrz', 'márc', 'március', 'mär', 'märts', 'märz', 'ožujka', 'μαρ', 'μαρτίου', 'бер', 'березня', 'мар', 'март', 'марта', 'במרץ', 'מרץ', 'مارس']) then 3
        when name = any (array['abr', 'abril', 'apr', 'april', 'aprila', 'aprile', 'aprilie', 'aprill', 'apríl', 'apríla', 'aprīlis', 'aprīlī', 'avr', 'avril', 'balandžio', 'dubna', 'huhtikuuta', 'kwi', 'kwietnia', 'nis', 'nisan', 'travnja', 'ápr', 'április', 'απρ', 'απριλίου', 'апр', 'апреля', 'април', 'априла', 'кві', 'квітня', 'אפריל', 'באפריל', 'أبريل', 'ابريل']) then 4
        when name = any (array['gegužės', 'května', 'mag', 'maggio', 'mai', 'maig', 'maijs', 'maijā', 'maio', 'maj', 'maja', 'may', 'mayis', 'mayo', 'mayıs', 'maí', 'mei', 'mája', 'május', 'svibnja', 'toukokuuta', 'μάι', 'μαΐ', 'μαΐου', 'май', 'мая', 'мај', 'маја', 'тра', 'травня', 'במאי', 'מאי', 'مايو']) then 5
        when name = any (array['birželio', 'cze', 'czerwca', 'giu', 'giugno', 'haz', 'haziran', 'iun', 'iunie', 'juin', 'jun', 'juna', 'june', 'junho', 'juni', 'junij', 'junija', 'junio', 'juny', 'juuni', 'jún', 'júna', 'június', 'júní', 'jūnijs', 'jūnijā', 'kesäkuuta', 'lipnja', 'června', 'ιουν', 'ιουνίου', 'июн', 'июня', 'чер', 'червня', 'юни', 'јун', 'јуна', 'ביוני', 'יוני', 'يونيو']) then 6
        when name = any (array['heinäkuuta', 'iul', 'iulie', 'juil', 'juillet', 'jul', 'jula', 'julai', 'julho', 'juli', 'julij', 'julija', 'julio', 'juliol', 'july', 'juuli', 'júl', 'júla', 'július', 'júlí', 'jūlijs', 'jūlijā', 'liepos', 'lip', 'lipca', 'lug', 'luglio', 'srpnja', 'tem', 'temmuz', 'července', 'ιουλ', 'ιουλίου', 'июл', 'июля', 'лип', 'липня', 'юли', 'јул', 'јула', 'ביולי', 'יולי', 'يوليو']) then 7
        when name = any (array['ago', 'agost', 'agosto', 'agu', 'agustus', 'aoû', 'août', 'aug', 'august', 'augusta', 'augusti', 'augusts', 'augustus', 'augustā', 'augusztus', 'avgust', 'avgusta', 'ağu', 'ağustos', 'elokuuta', 'kolovoza', 'ogos', 'rugpjūčio', 'sie', 'sierpnia', 'srpna', 'ágúst', 'αυγ', 'αυγούστου', 'авг', 'август', 'августа', 'сер', 'серпня', 'אוגוסט', 'באוגוסט', 'أغسطس']) then 8
        when name = any (array['eyl', 'eylül', 'rugsėjo', 'rujna', 'sep', 'sept', 'septembar', 'september', 'septembra', 'septembre', 'septembrie', 'septembris', 'septiembre', 'set', 'setembre', 'setembro', 'setiembre', 'settembre', 'syyskuuta', 'szept', 'szeptember', 'wrz', 'września', 'září', 'σεπ', 'σεπτεμβρίου', 'вер', 'вересня', 'сен', 'сент', 'сентября', 'септембар', 'септембра', 'септември', 'בספטמבר', 'ספטמבר', 'سبتمبر']) then 9
        when name = any (array['eki', 'ekim', 'lokakuuta', 'oct', 'october', 'octobre', 'octombrie', 'octubre', 'okt', 'oktobar', 'oktober', 'oktobra', 'oktobris', 'oktoober', 'október', 'októbra', 'ott', 'ottobre', 'out', 'outubro', 'paź', 'października', 'spalio', 'října', 'οκτ', 'οκτωβρίου', 'жов', 'жовтня', 'окт', 'октобар', 'октобра', 'октомври', 'октября', 'אוקטובר', 'באוקטובר', 'أكتوبر']) then 10
        when name = any (array['kasim', 'kasım', 'lapkričio', 'listopada', 'listopadu', 'marraskuuta', 'noiembrie', 'nov', 'novembar', 'november', 'novembra', 'novembre', 'novembris', 'novembro', 'noviembre', 'nóvember', 'studenog', 'studenoga', 'νοε', 'νοεμβρίου', 'лис', 'листопада', 'новембар', 'новембра', 'ноември', 'ноя', 'нояб', 'ноября', 'בנובמבר', 'נובמבר', 'نوفمبر']) then 11
        when name = any (array['ara', 'aralik', 'aralık', 'dec', 'decembar', 'december', 'decembra', 'decembrie', 'decembris', 'des', 'desember', 'desembre', 'dets', 'detsember', 'dez', 'dezember', 'dezembro', 'dic', 'dicembre', 'diciembre', 'dis', 'disember', 'déc', 'décembre', 'gru', 'grudnia', 'gruodžio', 'joulukuuta', 'prosinca', 'prosince', 'δεκ', 'δεκεμβρίου', 'гру', 'грудня', 'дек', 'декабря', 'декември', 'децембар', 'децембра', 'בדצמבר', 'דצמבר', 'ديسمبر']) then 12
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

create or replace function sheetdrop.cell_date(cell text) returns date language sql immutable parallel safe
return case
  when left(cell, 2) = '00' and cell !~ '[1-9]' then null
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
  when left(cell, 2) = '00' and cell !~ '[1-9]' then null
  when sheetdrop.is_plain(cell) and translate(cell, '0123456789', '') in ('--', '//', '..')
    then sheetdrop.date_of(right(cell, 4), split_part(translate(cell, '/.', '--'), '-', 2), split_part(translate(cell, '/.', '--'), '-', 1))
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'DMY')
end;

create or replace function sheetdrop.cell_date_month_first(cell text) returns date language sql immutable parallel safe
return case
  when left(cell, 2) = '00' and cell !~ '[1-9]' then null
  when sheetdrop.is_plain(cell)
    then sheetdrop.date_of(right(cell, 4), split_part(translate(cell, '/.', '--'), '-', 1), split_part(translate(cell, '/.', '--'), '-', 2))
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'MDY')
end;

create or replace function sheetdrop.cell_timestamp(cell text) returns timestamp language sql immutable parallel safe
return case
  when left(cell, 2) = '00' and cell !~ '[1-9]' then null
  when sheetdrop.is_plain(cell) and cell not like '%  %' then case
    when cell like '____-__-_____:__' or cell like '____-__-_____:__:__' or cell like '____/__/_____:__' or cell like '____/__/_____:__:__'
      then sheetdrop.iso_timestamp(cell)
    when (cell like '____-%-%' or cell like '____/%/%') and cell not like '% -%' and (cell like '%:%' or cell not like '%.%') and translate(cell, '0123456789/-.: T', '') = '' then sheetdrop.timestamp_of(
      split_part(translate(cell, '/ T:', '----'), '-', 1), split_part(translate(cell, '/ T:', '----'), '-', 2), split_part(translate(cell, '/ T:', '----'), '-', 3),
      split_part(translate(cell, '/ T:', '----'), '-', 4), split_part(translate(cell, '/ T:', '----'), '-', 5), split_part(translate(cell, '/ T:', '----'), '-', 6))
    else sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'YMD') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
  end
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'YMD') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
end;

create or replace function sheetdrop.cell_timestamp_day_first(cell text) returns timestamp language sql immutable parallel safe
return case
  when left(cell, 2) = '00' and cell !~ '[1-9]' then null
  when sheetdrop.is_plain(cell) and cell not like '%  %' and translate(cell, '0123456789/-.: T', '') = '' then case
    when (cell like '%-%-%' or cell like '%/%/%') and cell not like '% -%' and (cell like '%:%' or cell not like '%.%') then sheetdrop.timestamp_of(
      split_part(translate(cell, '/ T:', '----'), '-', 3), split_part(translate(cell, '/ T:', '----'), '-', 2), split_part(translate(cell, '/ T:', '----'), '-', 1),
      split_part(translate(cell, '/ T:', '----'), '-', 4), split_part(translate(cell, '/ T:', '----'), '-', 5), split_part(translate(cell, '/ T:', '----'), '-', 6))
    when cell like '%.%.%' and cell not like '%.%.%.%' and cell not like '% -%' and cell not like '%. %' then sheetdrop.timestamp_of(
      split_part(translate(cell, '. T:', '----'), '-', 3), split_part(translate(cell, '. T:', '----'), '-', 2), split_part(translate(cell, '. T:', '----'), '-', 1),
      split_part(translate(cell, '. T:', '----'), '-', 4), split_part(translate(cell, '. T:', '----'), '-', 5), split_part(translate(cell, '. T:', '----'), '-', 6))
    else sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'DMY') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
  end
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'DMY') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
end;

create or replace function sheetdrop.cell_timestamp_month_first(cell text) returns timestamp language sql immutable parallel safe
return case
  when left(cell, 2) = '00' and cell !~ '[1-9]' then null
  when sheetdrop.is_plain(cell) and cell not like '%  %' and translate(cell, '0123456789/-.: T', '') = '' then case
    when (cell like '%-%-%' or cell like '%/%/%') and cell not like '% -%' and (cell like '%:%' or cell not like '%.%') then sheetdrop.timestamp_of(
      split_part(translate(cell, '/ T:', '----'), '-', 3), split_part(translate(cell, '/ T:', '----'), '-', 1), split_part(translate(cell, '/ T:', '----'), '-', 2),
      split_part(translate(cell, '/ T:', '----'), '-', 4), split_part(translate(cell, '/ T:', '----'), '-', 5), split_part(translate(cell, '/ T:', '----'), '-', 6))
    else sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'MDY') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
  end
  when cell ~ '[0-9０-９]' then sheetdrop.moment_day(sheetdrop.cell_moment(cell), 'MDY') + sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
end;


create or replace function sheetdrop.cell_time(cell text) returns time language sql immutable parallel safe
return case
  when sheetdrop.is_plain(cell) and cell like '%:%' then make_time(split_part(cell, ':', 1)::int, split_part(cell, ':', 2)::int,
    coalesce(nullif(left(split_part(cell, ':', 3), 9), ''), '0')::float8)
  when cell ~ '[0-9０-９]' then case sheetdrop.moment_clock(sheetdrop.cell_moment(cell))
    when interval '24 hours' then time '24:00'
    else sheetdrop.moment_clock(sheetdrop.cell_moment(cell))::time
  end
end;

create or replace function sheetdrop.cell_duration(cell text) returns interval language sql immutable parallel safe
return case
  when sheetdrop.is_plain(cell) and cell like '%:%' then make_interval(hours => split_part(cell, ':', 1)::int, mins => split_part(cell, ':', 2)::int,
    secs => coalesce(nullif(left(split_part(cell, ':', 3), 9), ''), '0')::float8)
  when cell ~ '[0-9０-９]' then sheetdrop.moment_duration(sheetdrop.cell_moment(cell))
end;
