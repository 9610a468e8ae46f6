package postgres_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/sheet/types"
)

// Whatever type and format a column has, and in whatever way its cells are written that the engine takes for them, SQL makes of each what the
// rows API returns, and fails at none.
func TestCellExpressionsOfFormats(t *testing.T) {
	t.Parallel()
	reader := newCellReader(t)
	var cells, probe [][]byte
	for _, kind := range everyCell() {
		cells, probe = append(cells, kind...), append(probe, sample(kind, 200)...)
	}
	done := map[string]bool{}
	for _, c := range everyFormat() {
		for _, c.digits = range []int{1000, 18} {
			accepted := accept(t, c, probe)
			if len(accepted) == 0 {
				t.Errorf("no cell is a %s %q", c.kind, c.format)
			}
			// Formats that take the same cells, and are read by the same SQL, differ in nothing else.
			same := reader.expression(t, c) + fmt.Sprintf("%q", accepted)
			if done[same] {
				continue
			}
			done[same] = true
			c.cells = slices.DeleteFunc(accept(t, c, cells), func(cell []byte) bool { return digitsIn(cell) > c.digits })
			reader.check(t, c)
		}
	}
	if len(done) < 38 {
		t.Errorf("only %d ways to read a column", len(done))
	}
}

// What the engine reports of a column is a type and a format that there is SQL for.
func TestCellExpressionsOfReports(t *testing.T) {
	t.Parallel()
	reader := newCellReader(t)
	known := map[string]bool{}
	for _, c := range everyFormat() {
		known[string(c.kind)+" "+c.format] = true
	}
	cells := slices.Concat(everyCell()...)
	random := rand.New(rand.NewPCG(1, 1))
	reported := map[string]bool{}
	for range 2000 {
		// Cells of one kind stand beside each other.
		at := random.IntN(len(cells) - 50)
		column := sample(cells[at:at+50], 1+random.IntN(10))
		table := types.NewTable(1)
		for i, cell := range column {
			table.Add(int64(i), [][]byte{cell})
		}
		r := table.Reports()[0]
		name := string(r.Type) + " " + r.Format
		if code := regexp.MustCompile(`^(integer|decimal) [A-Z]{3} `); !known[code.ReplaceAllString(name, "$1 CHF ")] {
			t.Errorf("%s is not among the formats that are tested", name)
		}
		if !reported[name] {
			reported[name] = true
			reader.check(t, typedColumn{r.Type, r.Format, r.Digits, column})
		}
	}
	if len(reported) < 60 {
		t.Errorf("only %d formats were reported: %v", len(reported), reported)
	}
}

// A function that is called for each cell makes a query several times slower than one whose body the planner puts in its place.
func TestCellExpressionsAreInlined(t *testing.T) {
	t.Parallel()
	reader := newCellReader(t)
	seen := map[string]bool{}
	for _, c := range everyFormat() {
		for _, c.digits = range []int{1000, 18} {
			expression := reader.expression(t, c)
			if seen[expression] {
				continue
			}
			seen[expression] = true
			rows, err := reader.conn.Query(t.Context(), `explain (verbose) select `+expression+` from sheetdrop.sheet_row`)
			if err != nil {
				t.Fatal(err)
			}
			plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(strings.Join(plan, "\n"), "cell_") {
				t.Errorf("%s is called for each row:\n%s", expression, strings.Join(plan, "\n"))
			}
		}
	}
	if len(seen) < 18 {
		t.Errorf("only %d expressions", len(seen))
	}
}

// Who reads a view need not be let into the schema of the functions in it. PL/pgSQL looks names up when it runs, with the reader's rights.
func TestCellFunctionsLookUpNoNames(t *testing.T) {
	t.Parallel()
	found := pgtest.Query[string](t, pgtest.New(t), `select coalesce(string_agg(proname, ' '), '')
from pg_proc p join pg_language l on l.oid = p.prolang and l.lanname = 'plpgsql'
where p.pronamespace = 'sheetdrop'::regnamespace and p.proname ~ '^(cell|moment|iso)_' and p.prosrc like '%sheetdrop.%'`)
	if found != "" {
		t.Errorf("%s call functions of the schema", found)
	}
}

// sample returns so many cells, the same ones for the same cells.
func sample(cells [][]byte, n int) [][]byte {
	random := rand.New(rand.NewPCG(uint64(len(cells)), uint64(n)))
	some := make([][]byte, n)
	for i := range some {
		some[i] = cells[random.IntN(len(cells))]
	}
	return some
}

// accept returns the cells that the engine takes for a column.
func accept(t *testing.T, c typedColumn, cells [][]byte) (accepted [][]byte) {
	t.Helper()
	converter, err := types.NewConverter(c.kind, c.format, c.digits)
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range cells {
		if _, ok := converter.Value(cell); ok {
			accepted = append(accepted, cell)
		}
	}
	return accepted
}

// digitsIn counts digits as a column's Digits does, but for zeros at the beginning.
func digitsIn(cell []byte) (n int) {
	for _, r := range string(cell) {
		if r >= '0' && r <= '9' || r >= '０' && r <= '９' {
			n++
		}
	}
	return n
}

// everyFormat returns all types and formats that a column can have.
func everyFormat() (all []typedColumn) {
	add := func(kind types.Type, formats ...string) {
		for _, f := range formats {
			all = append(all, typedColumn{kind: kind, format: f})
		}
	}
	currencies := []string{"", "¥", "$", "€", "£", "kr ", "CHF ", "INR "}
	decimals := join(each("0", "#,##0", "# ##0"), each(".0"))
	decimals = append(decimals, join(each("0", "#.##0", "# ##0"), each(",0"))...)
	add(types.Text, "")
	add(types.Integer, append(join(currencies, each("0", "#,##0", "# ##0", "#.##0")), "")...)
	add(types.Decimal, append(join(currencies, decimals), "")...)
	add(types.Decimal, append(join(decimals, each("%")), "%")...)
	add(types.Boolean, "", "true/false", "wahr/falsch", "vrai/faux", "ja/nein", "oui/non", "yes/no", "on/off", "はい/いいえ", "○/×", "あり/なし", "有/無", "y/n", "t/f", "1/0",
		"sí/no", "sim/não", "ja/nee", "ja/nej", "да/нет", "так/ні", "tak/nie", "ano/ne", "igen/nem", "evet/hayır", "kyllä/ei", "ναι/όχι", "نعم/لا", "是/否", "예/아니요")
	days := slices.Concat(
		mixed("YYYY-MM-DD", "YYYY/MM/DD", "YYYY.MM.DD", "YYYY年MM月DD日", "era", "month name"),
		mixed("DD-MM-YYYY", "DD/MM/YYYY", "DD.MM.YYYY"), mixed("MM-DD-YYYY", "MM/DD/YYYY"),
		mixed("YY-MM-DD", "YY/MM/DD", "YY.MM.DD"), mixed("DD-MM-YY", "DD/MM/YY", "DD.MM.YY"), mixed("MM-DD-YY", "MM/DD/YY"))
	clocks := join(each("hh:mm"), each("", ":ss"), each("", ".fff"), each("", " AM/PM"))
	add(types.Date, append(days, "", "YYYYMMDD")...)
	add(types.Timestamp, append(join(days, each(" "), clocks, each("", "±hh:mm")), "")...)
	add(types.Time, append(clocks, "")...)
	add(types.Duration, append(clocks, "", "PThHmMsS")...)
	return all
}

// mixed returns the formats of columns whose values are written in one or several of these ways.
func mixed(ways ...string) (formats []string) {
	for set := 1; set < 1<<len(ways); set++ {
		var some []string
		for i, way := range ways {
			if set>>i&1 == 1 {
				some = append(some, way)
			}
		}
		formats = append(formats, strings.Join(some, "|"))
	}
	return formats
}

func each(texts ...string) []string { return texts }

// join returns all texts of one part after the other.
func join(parts ...[]string) []string {
	all := []string{""}
	for _, part := range parts {
		var longer []string
		for _, text := range all {
			for _, p := range part {
				longer = append(longer, text+p)
			}
		}
		all = longer
	}
	return all
}

// everyCell returns cells in all ways in which values are written, and some that are none, by their kind.
func everyCell() (kinds [][][]byte) {
	random := rand.New(rand.NewPCG(2, 3))
	for _, texts := range [][]string{numberCells(), booleanCells(), dateCells(), clockCells(), stampCells(),
		each("", " ", "\u3000\t\r\n\u00a0", "007", "x", "-", "N/A", "NULL", "\\N", "–", "#DIV/0!", " #N/A", "k. A.", "該当なし", "なし", "...", "#NV", "$ -", "TBD", "0000-00-00", "00.00.0000", "00/00/0000 00:00", "0000-00-00 00:00:00", "00000000", "########", "*********", "Inf", "-Infinity", "∞", ":", "  /  /    ", "__.__.____", "2024-02-30", "9:75", "192.168.100.101")} {
		kind := [][]byte{nil}
		for _, text := range texts {
			kind = append(kind, []byte(text))
			switch len(text) % 3 {
			case 0:
				kind = append(kind, []byte(strings.Map(wide, text)))
			case 1:
				kind = append(kind, []byte(oddly(text, random)))
			}
		}
		kinds = append(kinds, kind)
	}
	return kinds
}

// wide returns the full-width form of an ASCII letter, and others as they are.
func wide(letter rune) rune {
	if letter > ' ' && letter < 0x7f {
		return letter - '!' + '！'
	}
	return letter
}

// likeness are letters that may stand for others.
var likeness = map[rune]rune{'-': '−', '\'': '’', '¥': '￥', '/': '-', 'T': ' ', ' ': 'T'}

// oddly writes one or two letters of a text in another way, or a space more.
func oddly(text string, random *rand.Rand) string {
	letters := []rune(text)
	for range 1 + random.IntN(2) {
		if len(letters) == 0 {
			break
		}
		at := random.IntN(len(letters))
		switch random.IntN(4) {
		case 0:
			letters = slices.Insert(letters, at, []rune(" \t\u3000\u00a0\u2009")[random.IntN(5)])
		case 1:
			letters[at] = wide(letters[at])
		case 2:
			letters[at] = cmp.Or(likeness[letters[at]], letters[at])
		case 3:
			letters[at] = unicode.SimpleFold(letters[at])
		}
	}
	return string(letters)
}

func numberCells() []string {
	long := strings.Repeat("9", 400)
	cores := each("0", "5", "12", "1234", "1,234", "1.234", "1,234,567", "1.234.567", "1,234.56", "1.234,50", "1\u202f234,5", "1'234.5", "1’234", "1\u00a0234\u2009567",
		".5", ",5", "0.5", "0,50", "12.50", "1.5E-7", "1,5e+3", "2E+10", "1.25e300", "1E-300", "1234567890123456", "123456789012345678", "-9223372036854775809", long,
		long+".25", "0."+long, "1"+strings.Repeat(",000", 30), "000", "1,23", "1E5",
		"1,00,000", "12,34,567.50", "1 234", "1 234,50", "1 234.5", "–5", "50.", "0.")
	signs := each("%s", "-%s", "+%s", "△%s", "▲ %s", "−%s", "－%s", "(%s)", "（%s）", "%s-", "%s -")
	units := each("%s", "¥%s", "￥ %s", "\\%s", "%s円", "$%s", "＄ %s", "%s €", "€%s", "£%s", "￡%s", "%s%%", "%s %%", "%s％", " %s", "EUR %s", "%s USD", "CHF %s", "₹%s", "R$ %s", "%s zł", "kr. %s", "%s kr", "%sFt", "%s руб.", "%s ₽", "%s원", "NT$%s", "Rp%s", "%s TL", "%s đ", "Fr. %s", "%%%s", "R %s", "R%s", "RM%s", "S/ %s", "₦%s", "%s ₸", "%s лв.", "KSh %s", "GH₵%s", "CN¥%s", "PKR %s", "%s BGN", "%sEUR", "TRY %s", "%s\u00a0INR", "\u3000%s\r\n", "\u00a0%s\t")
	var texts []string
	for _, unit := range units {
		for _, sign := range signs {
			for _, core := range cores {
				texts = append(texts, fmt.Sprintf(unit, fmt.Sprintf(sign, core)), fmt.Sprintf(sign, fmt.Sprintf(unit, core)))
			}
		}
	}
	return texts
}

func booleanCells() []string {
	words := each("true", "FALSE", "yes", "No", "on", "OFF", "y", "N", "t", "F", "wahr", "Falsch", "vrai", "FAUX", "ja", "Nein", "OUI", "non", "はい", "いいえ",
		"○", "〇", "◯", "×", "✕", "✖", "有", "無", "あり", "なし", "1", "0",
		"Sí", "SÌ", "si", "Sim", "não", "NÃO", "Nee", "nej", "Да", "НЕТ", "так", "Ні", "Tak", "NIE", "ano", "Ne", "igen", "Nem", "Evet", "hayır", "HAYIR", "Kyllä", "EI",
		"VERDADERO", "Falso", "PRAWDA", "FAŁSZ", "igaz", "EPÄTOSI", "ИСТИНА", "ложь", "Da", "NU", "Áno", "taip", "Có", "không", "כן", "לא",
		"Ναι", "ΌΧΙ", "نعم", "لا", "是", "否", "예", "네", "아니요", "아니오", "✓", "✗", "☑", "☐", "JÁ", "nei", "ΟΧΙ")
	return join(each("", " ", "\u3000"), words, each("", "\t"))
}

var writtenDays = []time.Time{
	day(2024, 1, 5), day(2019, 5, 1), day(1989, 1, 7), day(2000, 2, 29), day(2024, 12, 31), day(1912, 7, 30), day(1873, 1, 1), day(1, 1, 1), day(9999, 12, 31), day(1582, 10, 10),
}

func day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

var dayForms = []string{
	"2006-01-02", "2006-1-2", "2006/01/02", "2006/1/2", "2006.01.02", "2006年1月2日", "2006年 01月 2日", "20060102",
	"2 January 2006", "02-Jan-2006", "January 2, 2006", "Jan 2 2006", "2 FEBRUARY 2006", "JUN 2, 2006",
	"02.01.06", "02/01/06", "2/1/06", "02-01-06", "01-02-06", "1/2/06", "06-01-02", "06/01/02", "06.01.02",
	"2.1.2006", "02.01.2006", "2/1/2006", "02-01-2006", "1/2/2006", "01-02-2006", "01/02/2006",
	"令和6年1月2日", "令和 元年 5月 2日", "㋿6年12月31日", "R6.1.2", "R元/5/1", "H31-4-30", "平成元年1月8日", "㍻2年3月4日", "昭和64.1.7", "㍼2年3月4日", "S1.12.25",
	"大正15年12月25日", "㍽1年7月30日", "T2.3.4", "明治45年7月30日", "㍾6年1月1日", "M6/1/1", "Ｒ６．１．３１",
}

// namedDays have the names of months in other languages.
var namedDays = []string{
	"5. Januar 2024", "12. März 2024", "05. Okt. 2024", "3. MAI 2024", "1er janvier 2024", "12 FÉVRIER 2024", "3 août 2024", "05-déc.-2023", "5 de enero de 2024", "3-ago-2024",
	"5 de março de 2024", "1º gennaio 2024", "15 giugno 2024", "3 maart 2024", "30 desember 2023", "5 stycznia 2024", "3 PAŹDZIERNIKA 2024", "11 listopada 2024", "5. ledna 2024",
	"3. ZÁŘÍ 2024", "5 января 2024", "30 МАЯ 2024", "24 декабря 2023 г.", "3rd June 2024", "1st of May 2024", "22nd sept 2024",
	"5-Jan-24", "05-FEB-99", "1. März 24", "05Jan2024", "5Jan2024", "5 Jan 24", "2024-Jan-05", "2024. január 5.", "January 5th, 2024", "Sept 3, 2024", "Mar. 1, 2024",
	"Friday, January 5, 2024", "Fri 5 Jan 2024", "Mi., 3. Juli 2024", "пт, 5 января 2024", "Jan 5, 24", "5 Ocak 2024", "12 ŞUBAT 2024", "5 січня 2024", "5 Ιανουαρίου 2024",
	"5. tammikuuta 2024", "5 ianuarie 2024", "5. januára 2024", "5 януари 2024", "5 Agustus 2024", "Fr, 05.01.2024", "So 7.1.2024", "Fri, 2024/01/05", "5. 1. 2024", "14. 12. 2024.",
	"2024. 01. 05.", "2024.1.5.", "2024. 1. 5", "2024/01/05(金)", "2024/1/6 (土)", "2024/1/8(月)", "2024年1月8日(月)", "2024/1/7（日）", "29 февр. 2024", "2024年1月5日（日曜日）", "2024年1月8日月曜日", "2024년 1월 5일", "1/31/2024 (Wed)", "2024–01–05",
	"5. siječnja 2024.", "15. LISTOPADA 2024.", "5. junij 2024", "5. ЈАНУАР 2024.", "5. juuni 2024", "5. maí 2024", "24 de març de 2021", "3 d'abril de 2021", "3 d’agost de 2021",
	"2024 m. sausio 5 d.", "mar 5 marzo 2024", "mar 05/03/2024", "5 января 2024 года", "5 січня 2024 р.", "mandag den 1. januar 2024", "Jan-05-2024", "5 يناير 2024", "5 בינואר 2024",
	"2024-01-05 周五", "2024-01-05 (péntek)", "5.1.24", "13.12.24", "5. 1. 24",
}

// daysIn writes days in all forms; a form of an era is a day of its own.
func daysIn(days []time.Time) (texts []string) {
	texts = slices.Clone(namedDays)
	for _, form := range dayForms {
		for _, d := range days {
			if text := d.Format(form); !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
		if !slices.Contains(texts, form) {
			texts = append(texts, form)
		}
	}
	return texts
}

func dateCells() []string {
	return join(each("", " ", "\u3000"), daysIn(writtenDays), each("", "\u00a0"))
}

var clockForms = []string{
	"9:05", "09:05:30", "09:05:30.25", "9:05:30,123456789", "0:00", "23:59:59.9999999", "24:00", "24:00:00", "9:05 PM", "12:00 am", "12:30PM", "11:59:59.5 pm", "１２：３０",
	"9時5分", "9時", "9時10秒", "9時 5分 3秒", "24時", "午後3時", "午前 0時5分", "午後3:05:10", "午後11時59分59秒", "午前11:00", "오전 9:05", "오후 12:30:10", "下午11:59", "上午12:00",
	"9:05 a.m.", "9:05 p. m.", "12:30\u202fPM", "9:05 π.μ.", "12:30:05 μ.μ.", "오후 3시 5분",
}

// rareClocks are written as in sentences.
var rareClocks = []string{
	"klo 9.05", "kl. 14.30", "kl 9:05", "9:05 Uhr", "14.30 Uhr", "9 Uhr", "9h05", "21 h 30", "0h00min", "à 9h05", "09:05 h", "godz. 14:30", "9 AM", "12pm", "3 p.m.", "12 오전", "T09:05:07", "T24:00",
}

func clockCells() []string {
	elapsed := each("27:30:00", "-1:30", "-0:00:00.5", "999999:59", "999999:59:59.999999", "PT27H30M", "P1DT2H", "P2D", "PT0.5S", "-PT5M", "PT1,25S", "PT999999999S",
		"P999999DT999999999H59M", "PT1M999999999.1234567S", "-0:00", "PT0S")
	return join(each("", " "), slices.Concat(clockForms, rareClocks, elapsed), each("", "\u3000"))
}

// stampForms are written as by programs.
var stampForms = []string{
	"20240105T090507Z", "20240105T0905+0100", "20240105T090507.25Z", "20240105T090507", "20240105090507", "20240105090507Z", "20240105090507+0900", "20240105 09:05", "20240105 09:05:07", "Fri Jan  5 09:05:07 2024", "Fri Jan  5 09:05:07 CET 2024",
	"Mon Sep 28 23:48:44 +0000 2020", "Mar 5 09:05 2024", "05/Jan/2024:09:05:07 +0000", "05JAN2024:09:05:07", "2024-01-05-09.05.07.000001", "2024:01:05 09:05:07", "2024-01-05-09:05:07",
	"31.1.2024 9.05.30", "31.01.2024 09.05", "31/01/2024 09.05", "31/01/2024 - 09:05", "31/01/2024 - 09.05", "2024-01-31 - 09:05", "31.01.24 09.05", "1/31/2024 9.05", "31. 1. 2024. 9.05",
	"05-JAN-24 09.05.07.000000 AM", "31/01/2024 21h05", "31.01.2024 9 Uhr", "2024-01-31 9 PM", "2024-01-31 24:00", "2024-12-31T24:00:00", "24:00", "31.12.2023 24:00", "2024/1/5 오전 9:05",
}

func stampCells() []string {
	zones := each("", "Z", " Z", "+09:00", "-0530", "+09", " JST", " UTC", "GMT", "+15:59", " -03:30", "−01:00", " GMT+9", " UTC-05:30", "GMT-11", " PST", " CEST", " KST", " GMT+0900")
	all := join(daysIn(writtenDays[:3]), each(" ", "T", "", "  ", ", ", " at ", " um "), clockForms, zones)
	random := rand.New(rand.NewPCG(1, 2))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	rare := join(daysIn(writtenDays[:1]), each(" ", ", ", " - ", " klo ", "T", ":", "-"), rareClocks, each("", " +09:00"))
	random.Shuffle(len(rare), func(i, j int) { rare[i], rare[j] = rare[j], rare[i] })
	zoned := join(each("2024-01-05", "5 Jan 2024", "31/01/2024"), each(" ", "T"), each("9:05", "09:05:07.25", "9:05 PM"),
		each("+01:00[Europe/Berlin]", "Z[UTC]", " +0200 CEST", " -0800 (PST)", " GMT+0100 (Central European Standard Time)"))
	return slices.Concat(all[:len(all)/4], rare[:len(rare)/4], zoned, stampForms)
}
