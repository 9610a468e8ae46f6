package types

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sheetdrop/internal/sheet/types/distinct"
)

// NullWord is a word that stands for no value in a column whose other values are of one type.
type NullWord struct {
	Word  string `json:"word"` // as it stands in the file
	Count int64  `json:"count"`
}

// nullWords are what people and programs write for no value, in lower case where they are ASCII, with the candidates in whose columns they
// do: hardly any has a digit, and that only behind a #, or in a date of nothing but zeros. Readers in SQL rely on that.
var nullWords = func() map[string]set {
	words := map[string]set{}
	for _, list := range []struct {
		among set
		words string
	}{
		{everything, "null|(null)|<null>|[null]|nil|none|nan|-nan|na|<na>|n/a|n.a.|n. a.|#n/a|#na|\\n|undefined|" +
			"-|--|---|–|—|―|−|－|‐|ー|.|..|...|…|?|??|???|*|**|***|missing|not available|not applicable|not specified|not provided|no data|" +
			"n.v.|n. v.|n.c.|nicht vorhanden|nicht zutreffend|nicht anwendbar|non applicable|non communiqué|no aplica|não aplicável|nao aplicavel|" +
			"non applicabile|niet van toepassing|nie dotyczy|ej tillämpligt|ikke relevant|не применимо|неприменимо|" + //nolint:misspell // Italian
			"blank|(blank)|empty|(empty)|k.a.|k. a.|k.a|keine angabe|ohne angabe|entfällt|n.d.|n. d.|nd|n/d|s/d|s.d.|sin datos|n.v.t.|nvt|b.d.|brak|brak danych|" +
			"non renseigné|non disponible|nicht verfügbar|fehlt|keine daten|saknas|uppgift saknas|puuttuu|ei tietoa|ei saatavilla|mangler|ikke oppgitt|ikke oplyst|" +
			"není k dispozici|neuvedeno|bez údaje|nincs adat|n.a|n/b|geen gegevens|niet beschikbaar|sem dados|não informado|não disponível|sin dato|no disponible|dato mancante|non disponibili|" +
			"veri yok|belirtilmemiş|nuk ka|غير متوفر|غير متاح|لا يوجد|אין נתונים|לא ידוע|ไม่มีข้อมูล|không có|không có dữ liệu|tidak ada|tiada data|δ/υ|μ/δ|nicht angegeben|н/д|Н/Д|нет данных|Нет данных|немає даних|няма данни|" +
			"該当なし|なし|無し|不明|未定|未入力|未記入|未回答|データなし|ｎ／ａ|Ｎ／Ａ|无|暂无|未知|不详|无数据|不适用|無資料|없음|해당없음|해당 없음|미상|미정"},
		// where there are two answers, these are a third one
		{everything &^ booleans, "unknown|unbekannt|inconnu|desconocido|desconocida|desconhecido|sconosciuto|onbekend|okänd|ukendt|ukjent|nieznany|неизвестно|невідомо|" +
			"tbd|tba|tbc|tbd.|keine|leer|対象外"},
		{everything &^ booleans, errorWords},
		// errors of a calculation, and how accountants write nothing
		{moments, "0000-00-00|0000/00/00|0000.00.00|00000000|00-00-0000|00/00/0000|00.00.0000|" +
			"0000-00-00 00:00:00|0000-00-00 00:00|0000-00-00t00:00:00|00/00/0000 00:00:00|00/00/0000 00:00|00.00.0000 00:00:00|00.00.0000 00:00|" +
			"/ /|/  /|- -|-  -|.  .|. .|__/__/____|__.__.____|__-__-____|____-__-__|dd/mm/yyyy|mm/dd/yyyy|yyyy-mm-dd|dd.mm.yyyy|tt.mm.jjjj|jj/mm/aaaa|dd/mm/aaaa|gg/mm/aaaa"},
		{numbers, "inf|-inf|+inf|infinity|-infinity|+infinity|∞|-∞|−∞|+∞|:|" + divisionWords + "|$-|$ -|-$|- $|€-|€ -|-€|- €|£-|£ -|¥-|¥ -|-円|r$ -|r$-|chf -|- kr|- zł|-.-|-,-"},
	} {
		for word := range strings.SplitSeq(list.words, "|") {
			words[string(lowerASCII(nil, []byte(word)))] = list.among
		}
	}
	for n := 2; n <= widest; n++ { // a column that was too narrow when somebody copied what it displays
		words[strings.Repeat("#", n)] = everything &^ booleans
	}
	for n := 4; n <= widest; n++ { // a number that was too wide for its format, of Fortran; fewer are marks as well
		words[strings.Repeat("*", n)] = numbers
	}
	words[falseWord] = everything &^ booleans
	return words
}()

// widest is how many # or * a cell of a narrow column may have.
const widest = 32

// falseWord stands for false in a column that also has あり.
const falseWord = "なし"

// longestNullWord is the length in bytes of the longest one.
var longestNullWord = func() (longest int) {
	for word := range nullWords {
		longest = max(longest, len(word))
	}
	return longest
}()

// nullHints has the first and last bytes and the length of null words, so that hardly any other cell is looked at twice.
var nullHints = func() (hints [1 << 12]bool) {
	for word := range nullWords {
		hints[nullHint([]byte(word))] = true
	}
	return hints
}()

func nullHint(cell []byte) int {
	first, last := cell[0], cell[len(cell)-1]
	if isLetter(first) {
		first |= 0x20
	}
	if isLetter(last) {
		last |= 0x20
	}
	return (int(first)*7 + int(last)*37 + len(cell)*311) & (1<<12 - 1)
}

// mayBeNullWord rules most cells out. Whether white space surrounds the cell is told by a byte at each end, which hardly any
// letter of another script has there.
func mayBeNullWord(cell []byte) bool {
	first, last := cell[0], cell[len(cell)-1]
	if last <= ' ' || last == wideSpace[2] || last == hardSpace[1] || first <= ' ' || first == wideSpace[0] || first == hardSpace[0] {
		return true
	}
	return len(cell) <= longestNullWord && nullHints[nullHint(cell)]
}

// IsNullWord reports whether a cell, which is not empty, has nothing but a word that stands for no value in a column of some type.
func IsNullWord(cell []byte) bool { return readNullWord(cell) != 0 }

// readNullWord returns the candidates in whose columns a cell stands for no value; none if it is no such word.
func readNullWord(cell []byte) set {
	if !mayBeNullWord(cell) {
		return 0
	}
	word := trim(cell)
	if len(word) == 0 || len(word) > longestNullWord {
		return 0
	}
	var buffer [64]byte
	return nullWords[string(lowerASCII(buffer[:0], word))]
}

// lowerASCII appends the text to dst with the letters of ASCII in lower case.
func lowerASCII(dst, text []byte) []byte {
	for _, c := range text {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		dst = append(dst, c)
	}
	return dst
}

// wordCounts are how often the null words of a column occur, each as it is written, since it may turn out to be a value; of many or long
// spellings, in lower case as nullWords.
type wordCounts map[string]int64

const (
	mostSpellings   = distinct.MostExact
	longestSpelling = 64 // bytes
)

func (w *wordCounts) add(cell []byte, n int64) {
	if _, found := (*w)[string(cell)]; !found && (len(*w) >= mostSpellings || len(cell) > longestSpelling) {
		cell = []byte(nullWordOf(cell))
	}
	if *w == nil {
		*w = wordCounts{}
	}
	(*w)[string(cell)] += n
}

// nullWordOf returns a null word as it stands in nullWords.
func nullWordOf(cell []byte) string { return string(lowerASCII(nil, trim(cell))) }

// list returns the words, the most frequent first. Of several ways to write one it has the first in the order of bytes.
func (w wordCounts) list() []NullWord {
	words := map[string]NullWord{}
	for cell, n := range w {
		word, lower := string(trim([]byte(cell))), nullWordOf([]byte(cell))
		known, found := words[lower]
		if known.Count += n; !found || word < known.Word {
			known.Word = word
		}
		words[lower] = known
	}
	return slices.SortedFunc(maps.Values(words), func(a, b NullWord) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Word, b.Word))
	})
}

// addNullWord adds a cell that stands for no value in a column of some type, and reports whether it is one. As long as the column may have
// such a type, it is no value.
func (c *column) addNullWord(row int64, cell []byte) bool {
	fits := readNullWord(cell)
	if fits == 0 {
		return false
	}
	c.words.add(cell, 1)
	var r reading
	r.read(cell, c.watched&booleans)
	c.seen |= r.seen
	if missed := c.watched &^ (fits | r.fits); missed != 0 {
		c.miss(row, cell, missed)
		c.plain.turn(c.watched, c.seen)
	}
	return true
}

// keepWords makes values of the null words that a column of the candidate has as such: all of them if it is text.
func (c *column) keepWords(candidate set) {
	c.watched = 0 // so that they are not taken for null words again
	c.open &= candidate
	for _, cell := range slices.Sorted(maps.Keys(c.words)) {
		if candidate != 0 && (candidate != boolAriNashi || nullWordOf([]byte(cell)) != falseWord) {
			continue
		}
		c.values += c.words[cell] - 1
		delete(c.words, cell)
		c.addCell(0, []byte(cell))
	}
}
