-- +goose Up

-- Columns of numbers may have words for no value, such as N/A, - and #DIV/0!, which are NULL: what has no digit, or an error. Dates, times and
-- booleans were NULL for such words before. Only a function is replaced, and queries that are planned from now on have its new body: no table is touched.

create or replace function sheetdrop.cell_digits(cell text) returns text language sql immutable parallel safe
return case when cell ~ '^[^#]*[0-9０-９]'
  then translate(cell, E'０１２３４５６７８９．Ｅｅ＋−－△▲(（),，）''＇’ \t\r\n\u00a0\u3000\u2009\u202f¥￥円\\＼$＄€£￡%％', '0123456789.Ee+------') end;
comment on function sheetdrop.cell_digits(text) is
  'A number without grouping, currency and white space, in ASCII; a minus for △, ▲ and parentheses. The point is the decimal mark. NULL without a digit, or for an error.';
