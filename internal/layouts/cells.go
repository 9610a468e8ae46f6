package main

import "fmt"

// columns is how many cells a row has.
const columns = 10

// quantity and price are the columns, from 1, that are summed: integers, and amounts such as 1,234.50.
const (
	quantity = 7
	price    = 8
)

var (
	names  = []string{"髙橋", "田中", "佐々木", "みどり", "Müller", "鈴木", "Schäfer", "小林", "山本", "Acme", "中村", "渡辺", "Weiß"}
	kinds  = []string{"商店", "工業株式会社", "製作所", " GmbH", "薬局", " Supplies Ltd.", "建設株式会社"}
	places = []string{"東京都千代田区丸の内", "大阪府大阪市北区梅田", "愛知県名古屋市中村区名駅", "Hauptstraße ", "福岡県福岡市博多区博多駅前", "札幌市中央区北三条西"}
	notes  = []string{"", "", "", "至急", "午前中に配達", "Lieferung frei Haus, bitte klingeln", "前回と同じ"}
)

// appendRow appends the cells of a row, which its number alone decides, and returns them; they are parts of text.
func appendRow(cells [][]byte, text []byte, n int) (row [][]byte, rest []byte) {
	add := func(format string, args ...any) {
		start := len(text)
		text = fmt.Appendf(text, format, args...)
		cells = append(cells, text[start:len(text):len(text)])
	}
	mixed := n * 2654435761 >> 8 & 0xffff // for values that do not repeat with the row number
	add("%d", 20240001+n)
	add("2024-%02d-%02d", 1+n/28%12, 1+n%28)
	add("%06d", mixed%5000)
	add("%s%s", names[mixed%len(names)], kinds[mixed/13%len(kinds)])
	add("%s%d-%d-%d", places[mixed/7%len(places)], 1+mixed%40, 1+mixed/3%30, 1+mixed/5%25)
	add("%c-%03d", 'A'+rune(mixed%26), mixed%1000)
	add("%d", 1+mixed%240)
	add("%d,%03d.%02d", 1+mixed%98, mixed/3%1000, mixed%100)
	add("%t", mixed%3 == 0)
	add("%s", notes[mixed/11%len(notes)])
	return cells, text
}
