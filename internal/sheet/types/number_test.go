package types_test

import (
	"fmt"
	"strings"
	"testing"

	"sheetdrop/internal/sheet/types"
)

func TestIntegers(t *testing.T) {
	t.Parallel()
	testColumns(t, []columnTest{
		{"0", types.Integer, "0", "0"},
		{"1|20|300", types.Integer, "0", "1|20|300"},
		{"-5|+3|−7|－9", types.Integer, "0", "-5|3|-7|-9"},
		{"１２３|４", types.Integer, "0", "123|4"},
		{"△5|▲ 6|7", types.Integer, "0", "-5|-6|7"},
		{"(5)|（1,234）|6", types.Integer, "#,##0", "-5|-1234|6"},
		{"5-|6", types.Integer, "0", "-5|6"},
		{"1,234|1,234,567", types.Integer, "#,##0", "1234|1234567"},
		{"1.234|1.234.567", types.Integer, "#.##0", "1234|1234567"},
		{"1\u00a0234|1\u202f234\u202f567|12", types.Integer, "# ##0", "1234|1234567|12"},
		{"1'234'567|1’234", types.Integer, "# ##0", "1234567|1234"},
		{"¥1,200|￥300|400円|▲¥5|\\7", types.Integer, "¥#,##0", "1200|300|400|-5|7"},
		{"$5|-$6|$-7", types.Integer, "$0", "5|-6|-7"},
		{"5 €|6€", types.Integer, "€0", "5|6"},
		{"£5", types.Integer, "£0", "5"},
		{" 5|6\t|\u30007\u3000|\u00a08", types.Integer, "0", "5|6|7|8"},
		{"123456789012345", types.Integer, "0", "123456789012345"},
		{"1234567890123456|7", types.Integer, "0", `"1234567890123456"|"7"`},
		{strings.Repeat("9", 1024), types.Integer, "0", `"` + strings.Repeat("9", 1024) + `"`},
		{"1|0", types.Integer, "0", "1|0"},
		{"+1234567|1,234,567", types.Integer, "#,##0", "1234567|1234567"},
		{"1,192,168,100", types.Integer, "#,##0", "1192168100"},
		{"192.168.100", types.Integer, "#.##0", "192168100"},
		{"192.168.100.256", types.Integer, "#.##0", "192168100256"},
		{"256.168.100.100", types.Integer, "#.##0", "256168100100"},
		{"192.168.099.100", types.Integer, "#.##0", "192168099100"},
		{"192.168.100.101.102", types.Integer, "#.##0", "192168100101102"},
		{"192.168.100.101|1.234", types.Integer, "#.##0", "192168100101|1234"},
	})
}

func TestDecimals(t *testing.T) {
	t.Parallel()
	testColumns(t, []columnTest{
		{"0.5|1|-12.25", types.Decimal, "0.0", "0.5|1|-12.25"},
		{".5|-.25", types.Decimal, "0.0", "0.5|-0.25"},
		{"1.50|2.00", types.Decimal, "0.0", "1.50|2.00"},
		{"1,234.56|7", types.Decimal, "#,##0.0", "1234.56|7"},
		{"602,15-|1.234,56-|12,10-", types.Decimal, "#.##0,0", "-602.15|-1234.56|-12.10"},
		{"(602.15)|(1,234.56)", types.Decimal, "#,##0.0", "-602.15|-1234.56"},
		{"1.234,56|7", types.Decimal, "#.##0,0", "1234.56|7"},
		{"0,5|12,25|3", types.Decimal, "0,0", "0.5|12.25|3"},
		{",5|7", types.Decimal, "0,0", "0.5|7"},
		{"1\u00a0234,5|2", types.Decimal, "# ##0,0", "1234.5|2"},
		{"1’234.5|2", types.Decimal, "# ##0.0", "1234.5|2"},
		{"1E-7|1.5E3|2e+05|-1.5e-300|0.5E+3|1E+308", types.Decimal, "0.0", "1E-7|1.5E3|2e+05|-1.5e-300|0.5E+3|1E+308"},
		{"1,5E+3|2,25", types.Decimal, "0,0", "1.5E+3|2.25"},
		{"$1,234.50|($3.25)", types.Decimal, "$#,##0.0", "1234.50|-3.25"},
		{"12.5%|3 %|△４％|(5%)", types.Decimal, "0.0%", "0.125|0.03|-0.04|-0.05"},
		{"12,5%|3%", types.Decimal, "0,0%", "0.125|0.03"},
		{"１２．５|－０．２５", types.Decimal, "0.0", "12.5|-0.25"},
		{"34.866918|138.323171", types.Decimal, "0.0", "34.866918|138.323171"},
		{"0.1234567890123456|1", types.Decimal, "0.0", `"0.1234567890123456"|"1"`},
	})
}

// Numbers of more digits than a key holds are told apart all the same.
func TestBoundsOfLongNumbers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ cells, min, max string }{
		{"12345678901234567890.25|12345678901234567890.75|12345678901234567890.5", "12345678901234567890.25", "12345678901234567890.75"},
		{"12345678901234567890,75|12345678901234567890,25|12345678901234567890,5", "12345678901234567890.25", "12345678901234567890.75"},
		{"-12345678901234567891|-12345678901234567890", "-12345678901234567891", "-12345678901234567890"},
		{"12,345,678,901,234,567,891|12,345,678,901,234,567,890", "12345678901234567890", "12345678901234567891"},
		{"１２３４５６７８９０１２３４５６７８９１|12345678901234567890", "12345678901234567890", "12345678901234567891"},
	} {
		if r := column(tt.cells); r.Min != tt.min || r.Max != tt.max {
			t.Errorf("%s goes from %s to %s", tt.cells, r.Min, r.Max)
		}
	}
}

// What a mark means is decided by all values together, and by other columns where the values leave it open.
func TestDecimalMark(t *testing.T) {
	t.Parallel()
	testColumns(t, []columnTest{
		{"1,234|980", types.Integer, "#,##0", "1234|980"},
		{"1.234|980", types.Decimal, "0.0", "1.234|980"},
		{"1,234|12,5", types.Decimal, "0,0", "1.234|12.5"},
		{"1,234|0,123", types.Decimal, "0,0", "1.234|0.123"},
		{"1,234|12.5", types.Decimal, "#,##0.0", "1234|12.5"},
		{"1.234|1.234.567", types.Integer, "#.##0", "1234|1234567"},
		{"1,234.5|1.234,5", types.Text, "", ""},
		{"0.5|0,5", types.Text, "", ""},
	})
	for _, tt := range []struct{ cells, others string }{
		{"1,234|980", "0,0"}, {"1.234|980", "#.##0"}, {"1,234|980|5.5", ""}, {"980", ""}, {"¥1,234", ""}, {"$1,234", "$0,0"},
	} {
		if got := strings.Join(column(tt.cells).Ambiguous, " "); got != tt.others {
			t.Errorf("%s could also be %q, not %q", tt.cells, got, tt.others)
		}
	}
}

func TestDecimalMarkFromOtherColumns(t *testing.T) {
	t.Parallel()
	open := strings.Split("1.234|980", "|")
	for _, tt := range []struct {
		others []string
		kind   types.Type
	}{
		{nil, types.Decimal},
		{[]string{"12,50|3,25"}, types.Integer},
		{[]string{"12.50"}, types.Decimal},
		{[]string{"12,50", "12.50"}, types.Decimal}, // they do not agree
		{[]string{"12", "a,b", "1.5|1,5"}, types.Decimal},
	} {
		columns := [][]string{open}
		for _, cells := range tt.others {
			columns = append(columns, strings.Split(cells, "|"))
		}
		r := observeAll(columns...)[0]
		if r.Type != tt.kind {
			t.Errorf("beside %q it is %s, not %s", tt.others, r.Type, tt.kind)
		}
		if agreed := len(tt.others) == 1; agreed == (r.Ambiguous != nil) {
			t.Errorf("beside %q it could also be %q", tt.others, r.Ambiguous)
		}
	}
}

func TestNoNumbers(t *testing.T) {
	t.Parallel()
	textColumns(t,
		"007|8", "00", "00.5", "0123.5", "-01", // codes
		"+819012345678", "+12345678", "090-1234-5678", "03 1234 5678",
		"1E5", "12E4", "1E400", "1E+309", "1E+0005", "1.E+5", "1,234.5E+3", "1.2.3E+5", "1.5E", "01E+5", "1E+5%",
		"192.168.100.101|192.168.100.102", "255.255.255.255",
		"1.2.3", "1,2,3", "1,23|1.23", "12,34,56", "123,45,678", "1,234,56,789", "1,00,00", "1,00.50", "1234,567.5", ",123,456", "1,234,", "1.", ".", "-", "%", "¥", "()",
		"1 234", "601 234 567|512 345 678", "+81 312 345 678", "CAD100", "CAD100|CAD250", "R12|R13", "R1.10|R1.20", "R 6.1", "TRY 1|TRY 2", "KES 5|NGN 5", "1.|2.|3.", "12.-|3.-", "50.a", "USD", "EUR 5|USD 5", "EUR 5 USD", "ALL 5", "090 1234 5678|5", "5kg", "5万円", "(5", "5)", "(-5)", "--5", "-5-", "+-5", "5%%", "¥5円", "$5%", "¥5|$6", "12%|5",
		"(1)|(2)|(3)", "5-|6-", "9.30-|10.15-", "(1.1)|(1.2)", "１２３ａ", "一二三", "½", "NaN", "Inf", "0x1F", "1_000", "'5",
		strings.Repeat("9", 1025),
	)
}

// Numbers are read as people of other countries write them, whatever stands beside them in the column.
func TestNumbersOfTheWorld(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ cells, kind, format, values string }{
		{"1,00,000|12,34,567|5", "integer", "#,##0", "100000 1234567 5"},
		{"12,34,567.50|0.5", "decimal", "#,##0.0", "1234567.50 0.5"},
		{"1'000|2'500'000", "integer", "# ##0", "1000 2500000"},
		{"1 234,50|950,00", "decimal", "# ##0,0", "1234.50 950.00"},
		{"1 234|950", "integer", "# ##0", "1234 950"},
		{"1\u00a0234\u202f567|1", "integer", "# ##0", "1234567 1"},
		{"EUR 12.00|EUR -3.50", "decimal", "€0.0", "12.00 -3.50"},
		{"12.00 USD|1,200.50 USD", "decimal", "$#,##0.0", "12.00 1200.50"},
		{"CHF 1'000.50|CHF 5", "decimal", "CHF # ##0.0", "1000.50 5"},
		{"₹1,23,456.00|₹ 5.50|Rs. 7.25|INR 1.5", "decimal", "INR #,##0.0", "123456.00 5.50 7.25 1.5"},
		{"R$ 1.234,56|R$12,00|-R$ 3,50", "decimal", "BRL #.##0,0", "1234.56 12.00 -3.50"},
		{"125 000 Ft|9 900 Ft", "integer", "HUF # ##0", "125000 9900"},
		{"1 234,56 zł|12,00 PLN|0,50\u00a0zł", "decimal", "PLN # ##0,0", "1234.56 12.00 0.50"},
		{"1 234,56 Kč|12,00 CZK", "decimal", "CZK # ##0,0", "1234.56 12.00"},
		{"kr 1.234,56|12,00 kr.|-3,50 kr", "decimal", "kr #.##0,0", "1234.56 12.00 -3.50"},
		{"1 234 Ft|12 HUF", "integer", "HUF # ##0", "1234 12"},
		{"1 234,56 руб.|12,00 ₽|3,50 RUB", "decimal", "RUB # ##0,0", "1234.56 12.00 3.50"},
		{"1 234,56 грн|12,00 ₴", "decimal", "UAH # ##0,0", "1234.56 12.00"},
		{"₺1.234,56|12,00 TL|3,50 TRY", "decimal", "TRY #.##0,0", "1234.56 12.00 3.50"},
		{"₩12,000|300원|KRW 5", "integer", "KRW #,##0", "12000 300 5"},
		{"1,234.56元|12.00元", "decimal", "CNY #,##0.0", "1234.56 12.00"},
		{"NT$1,234|TWD 12", "integer", "TWD #,##0", "1234 12"},
		{"US$1,234.50|$12.00|USD 3.50", "decimal", "$#,##0.0", "1234.50 12.00 3.50"},
		{"A$1,234.50|AUD 12.00", "decimal", "AUD #,##0.0", "1234.50 12.00"},
		{"Rp1.234.000|Rp 12.000", "integer", "IDR #.##0", "1234000 12000"},
		{"1.234.000 ₫|12.000 đ", "integer", "VND #.##0", "1234000 12000"},
		{"฿1,234.50|THB 12.00", "decimal", "THB #,##0.0", "1234.50 12.00"},
		{"₪1,234.50|ILS 12.00", "decimal", "ILS #,##0.0", "1234.50 12.00"},
		{"Fr. 1'234.50|CHF 12.00", "decimal", "CHF # ##0.0", "1234.50 12.00"},
		{"%18|%7,5", "decimal", "0,0%", "0.18 0.075"},
		{"–1234|99|−5", "integer", "0", "-1234 99 -5"},
		{"1.200,50 PLN|3,00 PLN", "decimal", "PLN #.##0,0", "1200.50 3.00"},
		{"R 1 234,56|R 12,00", "decimal", "ZAR # ##0,0", "1234.56 12.00"},
		{"R1,234.50|R12.00|R5", "decimal", "ZAR #,##0.0", "1234.50 12.00 5"},
		{"TRY 1.234,50|TRY 12,00", "decimal", "TRY #.##0,0", "1234.50 12.00"},
		{"CAD1,234.50|CAD100", "decimal", "CAD #,##0.0", "1234.50 100"},
		{"12,50EUR|1.234,00EUR", "decimal", "€#.##0,0", "12.50 1234.00"},
		{"₦1,200.00|NGN 5.50", "decimal", "NGN #,##0.0", "1200.00 5.50"},
		{"1 200,50 ₸|12,00 KZT", "decimal", "KZT # ##0,0", "1200.50 12.00"},
		{"12,50 лв.|3 лв|1,00 BGN", "decimal", "BGN 0,0", "12.50 3 1.00"},
		{"PKR 1,200|PKR 5", "integer", "PKR #,##0", "1200 5"},
		{"50.|12.5|-3.|0.", "decimal", "0.0", "50 12.5 -3 0"},
		{"50.%|12.5%", "decimal", "0.0%", "0.5 0.125"},
		{"JPY 1.200|JPY 5", "decimal", "¥0.0", "1.200 5"},
	} {
		cells := strings.Split(tt.cells, "|")
		r := observe(cells)
		c, err := types.NewConverter(r.Type, r.Format, r.Digits)
		if err != nil {
			t.Fatal(err)
		}
		var values []string
		for _, cell := range cells {
			value, _ := c.Value([]byte(cell))
			values = append(values, fmt.Sprint(value))
		}
		if got := strings.Join(values, " "); string(r.Type) != tt.kind || r.Format != tt.format || got != tt.values {
			t.Errorf("%s: %s %q, %s", tt.cells, r.Type, r.Format, got)
		}
	}
}

// What spreadsheets write for true and false, and yes and no in further languages, is read like the English words.
func TestBooleansInEnglish(t *testing.T) {
	t.Parallel()
	for cells, format := range map[string]string{
		"VERDADERO|FALSO": "true/false", "VERO|FALSO": "true/false", "VERDADEIRO|FALSO": "true/false", "WAAR|ONWAAR": "true/false", "PRAWDA|FAŁSZ": "true/false",
		"PRAVDA|NEPRAVDA": "true/false", "IGAZ|HAMIS": "true/false", "SANT|FALSKT": "true/false", "SAND|FALSK": "true/false", "TOSI|EPÄTOSI": "true/false",
		"DOĞRU|YANLIŞ": "true/false", "ИСТИНА|ЛОЖЬ": "true/false", "ΑΛΗΘΕΣ|ΨΕΥΔΕΣ": "true/false",
		"✓|✗": "true/false", "✔|✘": "true/false", "Ja|Nei": "yes/no", "Já|Nei": "yes/no", "ΝΑΙ|ΟΧΙ": "ναι/όχι", "Da|Nu": "yes/no", "DA|ne": "yes/no", "Áno|Nie": "yes/no", "Taip|Ne": "yes/no", "Jā|Nē": "yes/no", "jah|ei": "yes/no", "Có|Không": "yes/no", "Ya|Tidak": "yes/no", "כן|לא": "yes/no",
	} {
		if r := observe(strings.Split(cells, "|")); r.Type != types.Boolean || r.Format != format {
			t.Errorf("%s: %s %q", cells, r.Type, r.Format)
		}
		if first, _, _ := strings.Cut(cells, "|"); observe([]string{first, first}).Type != types.Text {
			t.Errorf("%s alone is a boolean", first)
		}
	}
}

// Booleans are words of many languages, in a column that has both.
func TestBooleansOfTheWorld(t *testing.T) {
	t.Parallel()
	for format, cells := range map[string]string{
		"sí/no": "Sí|no|SÍ", "sim/não": "Sim|Não|NÃO", "ja/nee": "ja|nee", "ja/nej": "Ja|Nej", "да/нет": "Да|нет|НЕТ", "так/ні": "так|Ні", "tak/nie": "TAK|nie",
		"ano/ne": "Ano|Ne", "igen/nem": "igen|NEM", "evet/hayır": "Evet|Hayır|HAYIR", "kyllä/ei": "Kyllä|ei", "ναι/όχι": "Ναι|Όχι", "نعم/لا": "نعم|لا", "是/否": "是|否", "예/아니요": "예|아니요|네",
	} {
		if r := observe(strings.Split(cells, "|")); r.Type != types.Boolean || r.Format != format {
			t.Errorf("%s: %s %q", cells, r.Type, r.Format)
		}
		if first, _, _ := strings.Cut(cells, "|"); observe([]string{first, first}).Type != types.Text {
			t.Errorf("%s alone is no boolean", first)
		}
	}
}
