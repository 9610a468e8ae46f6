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
