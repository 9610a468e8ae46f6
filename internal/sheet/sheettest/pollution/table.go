package pollution

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
)

// table is a clean table.
type table struct {
	name    string
	header  []string
	records [][]string
	places  []int // records to pollute: the first, the last and some between
}

func tables() []table {
	return append([]table{stations(), contracts(), facilities(), budget()}, unseen()...)
}

func newTable(name, header string, rows int, record func(r *rand.Rand, i int) []string) table {
	r := rand.New(rand.NewPCG(uint64(len(name)), uint64(rows))) //nolint:gosec // the same files each time
	t := table{name: name, header: strings.Split(header, "|")}
	for i := range rows {
		t.records = append(t.records, record(r, i))
	}
	t.places = []int{0, 1, rows / 3, rows / 2, rows - 1}
	return t
}

func pick(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }

func date(r *rand.Rand, layout string) string {
	return fmt.Sprintf(layout, 2015+r.IntN(9), 1+r.IntN(12), 1+r.IntN(28))
}

// stations are measurements, nearly all numbers.
func stations() table {
	return newTable("stations", "station_id|name|region|latitude|longitude|height_m|opened|sensors|mean_temp|max_temp|rain_mm|remark", 120,
		func(r *rand.Rand, i int) []string {
			remark := pick(r, "", "", "", "moved in 2012", "data gap, see log", `called "the old one"`, "exposed\nto wind, hill")
			return []string{
				fmt.Sprintf("%05d", 10001+i*7), pick(r, "Zürich Fluntern", "São Paulo", "Åre", "Genève", "Łódź", "Portsmouth", "Köln-Bonn", "Brest"),
				pick(r, "North", "South", "East", "West"), fmt.Sprintf("%.4f", 40+r.Float64()*20), fmt.Sprintf("%.4f", -5+r.Float64()*20),
				fmt.Sprint(r.IntN(2400)), date(r, "%d-%02d-%02d"), fmt.Sprint(1 + r.IntN(9)), fmt.Sprintf("%.1f", -5+r.Float64()*25),
				fmt.Sprintf("%.1f", 20+r.Float64()*22), fmt.Sprintf("%.1f", r.Float64()*2100), remark,
			}
		})
}

// contracts are texts, codes and amounts.
func contracts() table {
	return newTable("contracts", "Contract No|Title|Supplier|Buyer|Published|Ends|Amount|Currency|CPV Code|Status|Contact|Website|Notes", 90,
		func(r *rand.Rand, i int) []string {
			return []string{
				fmt.Sprintf("C-%d-%04d", 2015+r.IntN(9), i+1),
				pick(
					r,
					"Road maintenance, northern district",
					"Supply of office chairs",
					"IT support & hosting",
					"School meals 2019/20",
					`Repair of the "Old Mill" bridge`,
					"Snow clearing, winter season",
				),
				pick(
					r,
					"Smith & Sons Ltd",
					"Müller GmbH",
					"O'Neill Construction",
					"Société Générale d'Électricité",
					"Acme, Inc.",
				), pick(r, "City Council", "County Hospital", "University"),
				date(
					r,
					"%d-%02d-%02d",
				), date(r, "%d-%02d-%02d"), fmt.Sprintf("%d.%02d", r.IntN(900000)+1000, r.IntN(100)), pick(r, "EUR", "GBP", "USD"),
				fmt.Sprintf("%08d-%d", r.IntN(100000000), r.IntN(10)), pick(r, "open", "awarded", "cancelled"),
				fmt.Sprintf(
					"office%d@example.org",
					r.IntN(40),
				), fmt.Sprintf("https://example.org/t/%d", 1000+i), pick(r, "", "", "extended; see annex", "two lots\nawarded apart", "none given"),
			}
		})
}

// facilities are Japanese places.
func facilities() table {
	return newTable("facilities", "都道府県コード|番号|都道府県名|市区町村名|名称|名称_カナ|住所|緯度|経度|電話番号|開館日|定員|料金|備考", 150,
		func(r *rand.Rand, i int) []string {
			return []string{
				"222127", fmt.Sprintf("%010d", i+1), "静岡県", pick(r, "焼津市", "藤枝市", "島田市"),
				pick(r, "中央公民館", "総合体育館", "図書館", "ソニー記念館", "表町ポンプ場") + fmt.Sprint(1+r.IntN(20)),
				pick(r, "チュウオウコウミンカン", "ソウゴウタイイクカン", "トショカン"), fmt.Sprintf("本町%d丁目%d-%d", 1+r.IntN(6), 1+r.IntN(30), 1+r.IntN(20)),
				fmt.Sprintf(
					"%.6f",
					34.8+r.Float64()/10,
				), fmt.Sprintf("%.6f", 138.2+r.Float64()/10), fmt.Sprintf("054-%03d-%04d", r.IntN(1000), r.IntN(10000)),
				date(
					r,
					"%d/%d/%d",
				), fmt.Sprint(10 + r.IntN(500)), pick(r, "100", "1,200", "無料", "500"),
				pick(r, "", "", "月曜休館", "駐車場あり、要予約", "昼休み\n12時から", "正門は\"東口\"のみ"),
			}
		})
}

// budget is wide, with years as columns and without text that needs quotes.
func budget() table {
	return newTable("budget", "Dept|Programme|Line|Type|2015|2016|2017|2018|2019|2020|2021|2022|2023|Change %|Owner", 84,
		func(r *rand.Rand, i int) []string {
			rec := []string{
				fmt.Sprint(100 + i/10),
				pick(r, "Health", "Transport", "Education", "Housing"),
				fmt.Sprintf("L%03d", i),
				pick(r, "capital", "current"),
			}
			for range 9 {
				rec = append(rec, fmt.Sprint(r.IntN(5_000_000)))
			}
			return append(rec, fmt.Sprintf("%.1f", -10+r.Float64()*30), pick(r, "A. Jones", "B. Lee", "C. Åberg"))
		})
}

func (t table) isJapanese() bool {
	return strings.ContainsFunc(strings.Join(t.header, ""), func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Katakana) })
}

// plain is the table without line ends, quotes and the delimiters in its cells, for dialects that cannot write them.
func (t table) plain(delimiter string) table {
	clean := strings.NewReplacer("\n", " ", `"`, "", "'", "", delimiter, "_", "\t", " ", `\`, "")
	if delimiter == " " {
		clean = strings.NewReplacer("\n", "_", `"`, "", "'", "", " ", "_")
	}
	row := func(cells []string) []string {
		out := make([]string, len(cells))
		for i, c := range cells {
			out[i] = clean.Replace(c)
		}
		return out
	}
	p := table{name: t.name, header: row(t.header), places: t.places}
	for _, rec := range t.records {
		p.records = append(p.records, row(rec))
	}
	return p
}

func (t table) content() Content { return Content{[][]string{t.header}, slices.Clone(t.records)} }
