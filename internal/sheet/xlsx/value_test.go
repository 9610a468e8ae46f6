package xlsx

import (
	"slices"
	"strings"
	"testing"
)

func TestValues(t *testing.T) {
	t.Parallel()
	shared := []string{
		`<si><t>plain</t></si>`,
		`<si><r><rPr><b/></rPr><t>東京</t></r><r><t xml:space="preserve"> 都</t></r><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></si>`,
		`<si><t><![CDATA[<b>&amp;]]> &amp; &lt;</t></si>`,
		`<si><t>a_x000D_&#10;b_x005F_x0041_ _x0041_ _x41_ _xZZZZ_ _x00</t></si>`,
		`<si><t>&#xD83D;&#xDE00; _xD83D__xDE00_</t></si>`,
		`<si><t>zero_x0000_</t></si>`, `<si><t>half_xD83D_</t></si>`, "<si><t>latin\xe9</t></si>",
		`<si/>`, `<si><t/></si>`, `<si><t> space </t></si>`,
	}
	for cell, want := range map[string]string{
		`<c t="s"><v>0</v></c>`:           "plain",
		`<c t="s"><v> 1 </v></c>`:         "東京 都",
		`<c t="s"><v>2</v></c>`:           "<b>&amp; & <",
		`<c t="s"><v>3</v></c>`:           "a\r\nb_x0041_ A _x41_ _xZZZZ_ _x00",
		`<c t="s"><v>4</v></c>`:           "😀 😀",
		`<c t="s"><v>5</v></c>`:           "zero\x00!invalid_character",
		`<c t="s"><v>6</v></c>`:           "half\xed\xa0\xbd!invalid_encoding",
		`<c t="s"><v>7</v></c>`:           "latin\xe9!invalid_encoding",
		`<c t="s"><v>10</v></c>`:          " space ",
		`<c t="s"><v>11</v></c>`:          "11!missing_shared_string",
		`<c t="s"><v>-1</v></c>`:          "-1!missing_shared_string",
		`<c t="s"><v>1.5</v></c>`:         "1.5!missing_shared_string",
		`<c t="s"><v>one</v></c>`:         "one!missing_shared_string",
		`<c t="s"><v>99999999999</v></c>`: "99999999999!missing_shared_string",

		`<c t="inlineStr"><is><t>in</t></is></c>`:                         "in",
		`<c t="inlineStr"><is><r><t>r</t></r><r><t>un</t></r></is></c>`:   "run",
		`<c t="inlineStr"><is><t>_x000D_</t><rPh><t>x</t></rPh></is></c>`: "\r",
		`<c t="inlineStr"><v>misplaced</v></c>`:                           "misplaced",
		`<c><is><t>untyped</t></is></c>`:                                  "untyped",
		`<c t="str"><f>A1</f><v>text_x0041_ </v></c>`:                     "textA ",
		`<c t="str"><v>1&#0;2</v></c>`:                                    "1\x002!invalid_character",
		`<c t="mystery"><v>1</v></c>`:                                     "1",

		`<c t="b"><v>1</v></c>`:       "TRUE:boolean",
		`<c t="b"><v>false</v></c>`:   "FALSE:boolean",
		`<c t="b"><v>2</v></c>`:       "2!bad_value",
		`<c t="e"><v>#DIV/0!</v></c>`: "#DIV/0!:error",

		`<c><v>12</v></c>`:                      "12:number",
		`<c t="n" s="99"><v>12</v></c>`:         "12:number",
		"<c><v>\n 12\t</v></c>":                 "12:number",
		`<c><v>0.10000000000000001</v></c>`:     "0.1:number",
		`<c><v>1234.5600000000002</v></c>`:      "1234.5600000000002:number",
		`<c><v>1E+20</v></c>`:                   "100000000000000000000:number",
		`<c><v>1e21</v></c>`:                    "1E+21:number",
		`<c><v>1.2345678901234567E+16</v></c>`:  "12345678901234568:number",
		`<c><v>12345678901234567890</v></c>`:    "12345678901234567890:number",
		`<c><v>-0</v></c>`:                      "0:number",
		`<c><v>007</v></c>`:                     "7:number",
		`<c><v>-1.50</v></c>`:                   "-1.5:number",
		`<c><v>.5</v></c>`:                      "0.5:number",
		`<c><v>+5.</v></c>`:                     "5:number",
		`<c><v>9.9999999999999995E-9</v></c>`:   "1E-08:number",
		`<c><v>0.0000001</v></c>`:               "0.0000001:number",
		`<c><v>4.9406564584124654E-324</v></c>`: "5E-324:number",
		`<c><v>1e999</v></c>`:                   "1e999",
		`<c><v>NaN</v></c>`:                     "NaN",
		`<c><v>0x1p4</v></c>`:                   "0x1p4",
		`<c><v>1_000</v></c>`:                   "1_000",
		`<c><v>1<!-- -->2<![CDATA[3]]></v></c>`: "123:number",

		`<c s="1"><v>45000</v></c>`:             "2023-03-15:date",
		`<c s="1" t="str"><v>45000</v></c>`:     "45000",
		`<c s="1"><v>soon</v></c>`:              "soon",
		`<c s="1"><v>-1</v></c>`:                "-1:number?no_date",
		`<c s="1"><v>60</v></c>`:                "60:number?no_date",
		`<c><f>1+1</f></c>`:                     ":none?no_cached_value",
		`<c><f>1+1</f><v/></c>`:                 ":none?no_cached_value",
		`<c s="1"><f>1+1</f><v></v></c>`:        ":none?no_cached_value",
		`<c><v>2</v><f>1+1</f></c>`:             "2:number",
		`<c><f t="shared" si="0"/><v>3</v></c>`: "3:number",
		`<c t="s"><f>1</f></c>`:                 ":none?no_cached_value",

		`<c t="d"><v>2024-02-29</v></c>`:                     "2024-02-29:date",
		`<c t="d"><v>2024-02-29T00:00:00</v></c>`:            "2024-02-29T00:00:00:timestamp",
		`<c t="d" s="1"><v>2024-02-29T00:00:00.000Z</v></c>`: "2024-02-29:date",
		`<c t="d" s="1"><v>2024-02-29T10:20:30.1254</v></c>`: "2024-02-29T10:20:30.125:timestamp",
		`<c t="d"><v>2024-12-31T23:59:59.9999</v></c>`:       "2025-01-01T00:00:00:timestamp",
		`<c t="d"><v>10:20:30</v></c>`:                       "10:20:30:time",
		`<c t="d"><v>T23:59:59.9999Z</v></c>`:                "23:59:59.999:time",
		`<c t="d"><v>0000-01-01</v></c>`:                     "0000-01-01:date",
		`<c t="d"><v>2024-02-30</v></c>`:                     "2024-02-30",
		`<c t="d"><v>2024-02-29T10:20:30+09:00</v></c>`:      "2024-02-29T10:20:30+09:00",
	} {
		t.Run(cell, func(t *testing.T) {
			t.Parallel()
			for _, form := range []string{cell, unusual(cell)} {
				got, err := read(t, workbookOf("<row>"+form+"</row>", shared, "14").zip(t), Options{})
				if err != nil || !slices.Equal(got, []string{"1 A=" + want}) {
					t.Errorf("%s: got %q, %v, want %q", form, got, err, want)
				}
			}
		})
	}
}

// unusual writes cells with a space that programs leave out, so that they are read token by token.
func unusual(cells string) string { return strings.ReplaceAll(cells, "<c ", "<c  ") }

// A cell without a value is left out, and text of no length is text.
func TestEmptyCells(t *testing.T) {
	t.Parallel()
	rows := `<row><c/><c t="s"/><c t="s"><v/></c><c><v> </v></c><c t="s"><v>0</v></c><c t="inlineStr"><is/></c><c t="str"><f>x</f><v></v></c><c><v>1</v></c></row>`
	got, err := read(t, workbookOf(rows, []string{"<si/>"}).zip(t), Options{})
	if want := "1 E= F= G= H=1:number"; err != nil || strings.Join(got, ";") != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestSerials(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format, serial, want, want1904 string
	}{
		{"14", "1", "1900-01-01:date", "1904-01-02:date"},
		{"14", "0", "0:number?no_date", "1904-01-01:date"},
		{"14", "59", "1900-02-28:date", "1904-02-29:date"},
		{"14", "60", "60:number?no_date", "1904-03-01:date"},
		{"14", "61", "1900-03-01:date", "1904-03-02:date"},
		{"14", "45000", "2023-03-15:date", "2027-03-16:date"},
		{"14", "45000.5", "2023-03-15T12:00:00:timestamp", "2027-03-16T12:00:00:timestamp"},
		{"14", "45000.999999999", "2023-03-16:date", "2027-03-17:date"},
		{"14", "2958465", "9999-12-31:date", "2958465:number?no_date"},
		{"14", "2957003", "9995-12-30:date", "9999-12-31:date"},
		{"14", "2958465.999999999", "2958465.999999999:number?no_date", "2958465.999999999:number?no_date"},
		{"14", "2958466", "2958466:number?no_date", "2958466:number?no_date"},
		{"14", "1e300", "1E+300:number?no_date", "1E+300:number?no_date"},
		{"14", "-1", "-1:number?no_date", "-1:number?no_date"},
		{"22", "45000", "2023-03-15T00:00:00:timestamp", "2027-03-16T00:00:00:timestamp"},
		{"22", "45000.430902777781", "2023-03-15T10:20:30:timestamp", "2027-03-16T10:20:30:timestamp"},
		{"22", "0.5", "12:00:00:time", "1904-01-01T12:00:00:timestamp"},
		{"21", "0.5", "12:00:00:time", "12:00:00:time"},
		{"21", "0", "00:00:00:time", "00:00:00:time"},
		{"21", "0.99999999884", "23:59:59.999:time", "23:59:59.999:time"},
		{"21", "0.43090422453703706", "10:20:30.125:time", "10:20:30.125:time"},
		{"21", "45000.25", "2023-03-15T06:00:00:timestamp", "2027-03-16T06:00:00:timestamp"},
		{"46", "1.0625", "25:30:00:duration", "25:30:00:duration"},
		{"46", "0", "00:00:00:duration", "00:00:00:duration"},
		{"46", "-0.0625", "-01:30:00:duration", "-01:30:00:duration"},
		{"46", "100.00000578703704", "2400:00:00.500:duration", "2400:00:00.500:duration"},
		{"34", "0.25", "06:00:00:time", "06:00:00:time"},
		{"34", "45000", "2023-03-15:date", "2027-03-16:date"},
	} {
		file := workbookOf(`<row><c s="1"><v>`+c.serial+`</v></c></row>`, nil, c.format)
		other := file.with("xl/workbook.xml", strings.Replace(workbookXML, `date1904="0"`, `date1904="true"`, 1))
		check := func(want string, file files) {
			got, err := read(t, file.zip(t), Options{})
			if err != nil || !slices.Equal(got, []string{"1 A=" + want}) {
				t.Errorf("format %s, %s: got %q, %v, want %q", c.format, c.serial, got, err, want)
			}
		}
		check(c.want, file)
		check(c.want1904, other)
	}
}
