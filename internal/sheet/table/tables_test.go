package table

import "testing"

// The records of a second table are not mixed into the first; a gap, a repeated header or a remark begins no table.
func TestSecondTable(t *testing.T) {
	t.Parallel()
	first := lines("id,part,price\n", "{i},{p},1.5\n", 6) // lines 1 to 7, and a blank one
	for name, c := range map[string]struct {
		text string
		line int64
	}{
		"with a header of its own":     {first + "\n" + lines("supplier,city,since\n", "{p},to {p},2001\n", 4), 9},
		"below a title":                {first + "\n" + lines("Suppliers\nsupplier,city,since\n", "{p},to {p},2001\n", 4), 9},
		"below a padded title":         {first + ",,\n" + lines("Suppliers,,\n,,\nsupplier,city,since\n", "{p},to {p},2001\n", 4), 9},
		"of another width":             {first + "\n" + lines("supplier,since\n", "{p},2001\n", 4), 9},
		"of two records":               {first + "\n" + lines("supplier,city,since\n", "{p},to {p},2001\n", 2), 9},
		"of one record":                {first + "\n" + lines("supplier,city,since\n", "{p},to {p},2001\n", 1), 0},
		"with the same header":         {first + "\n" + lines("id,part,price\n", "{i},{p},1.5\n", 4), 0},
		"without a header":             {first + "\n" + lines("", "{i},{p},1.5\n", 4), 0},
		"without a blank record above": {first + lines("supplier,city,since\n", "{p},to {p},2001\n", 4), 0},
		"with most names, without one": {
			lines("id,part,price,place\n", "{i},{p},1.5,{p}\n", 6) + lines("id,part,price,shelf\n", "{i},{p},1.5,{i}\n", 4), 8,
		},
		"of the same kinds below a title":  {first + "\n" + lines("Pumps\nno,pump,power\n", "{i},{p},1.5\n", 4), 9},
		"of the same kinds, two columns":   {lines("code,part\n", "K-{i}0,{i}.5\n", 4) + "\n" + lines("shelf,weight\n", "M-{i}0,{i}.5\n", 4), 7},
		"of fewer columns of texts":        {first + "\n" + lines("place,town\n", "{p},to {p}\n", 4), 9},
		"of values below one of texts":     {lines("town,county,head\n", "{p},to {p},of {p}\n", 3) + "\n" + lines("shop,sold,left\n", "{p},{i}.5,1\n", 4), 6},
		"of numbers below codes and texts": {lines("code,place\n", "CZ-{i}85,{p}\n", 7) + "\n" + lines("sold,left\n", "{i}63,2.5\n", 4), 10},
		"a remark in a gap":                {first + "\nsee,below,now\n" + lines("", "{i},{p},1.5\n", 4), 0},
	} {
		if r := decide(c.text); r.OtherLine != c.line {
			t.Errorf("%s: line %d, want %d", name, r.OtherLine, c.line)
		}
	}
}

// Of tables with as many rows the first one is the table, though a further one has more columns.
func TestFirstOfTablesWithAsManyRows(t *testing.T) {
	t.Parallel()
	text := "# a\n" + lines("Day,Users\n", "00{i},{i}5\n", 6) + "\n# b\n" + lines("Day,New\n", "00{i},{i}2\n", 6) + "\n# c\n" +
		lines("Day,Month,Week\n", "00{i},{i}5,{i}\n", 6)
	if r := decide(text); r.Columns != 2 || r.Preamble != 1 || r.OtherLine != 10 {
		t.Errorf("%+v", r.Layout)
	}
}

// Among names with their values one may look like a code: words of East Asia stand without blanks between.
func TestTableBelowAListWithACode(t *testing.T) {
	t.Parallel()
	text := "出典,調査\nID,00604030\n単位,億円\n単位（1人当たり）,円\n地域,全国\n備考,年間\n信頼度,確定\n確認日,2025年5月\n\n== A ==\n" + lines("年,額,率,状態\n", "202{i},{i}35,{i}.5,確定\n", 5)
	if r := decide(text); r.Columns != 4 || r.Preamble != 10 {
		t.Errorf("%+v", r.Layout)
	}
}
