package dialect

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isImportID reports whether the cell is one of the third row of a header that Qualtrics writes, of which nothing is a name for people. Its
// quotes may still be doubled.
func isImportID(cell []byte) bool {
	return cell[0] == '{' && (bytes.HasPrefix(cell, []byte(`{"ImportId":`)) || bytes.HasPrefix(cell, []byte(`{""ImportId"":`)))
}

// totals are words for a sum, which stand alone in their cell.
var totals = []string{
	"total", "totals", "grand total", "sum", "sum of all", "合計", "総計", "計", "総数", "total général", "total general", "total geral",
	"totale generale",
	"summe", "gesamt", "gesamtsumme", "gesamtergebnis", "somme", "totale", "suma", "celkem", "razem", "totaal", "итого", "всего", "yekûn",
	"общо", "укупно", "ukupno", "skupaj", "spolu", "kopā", "iš viso", "kokku", "σύνολο", "tổng cộng", "jumlah",
	"totali", "totales", "totaux", "totais", "totalen", "summen",
	"zusammen", "ensemble", "σύνολα", "المجموع الكلي", "รวมทั้งสิ้น", "Σ", "σ", "∑",
	"toplam", "genel toplam", "összesen", "mindösszesen", "végösszeg", "ogółem", "razem ogółem", "suma końcowa", "eindtotaal",
	"totaal generaal", "gesamtbetrag", "rechnungsbetrag", "endsumme", "endbetrag", "total ht", "total ttc", "totale complessivo",
	"totale fattura",
	"gesamtkosten", "gesamtpreis", "total cost", "total costs", "total amount", "coût total", "coste total", "costo totale", "custo total",
	"insgesamt", "součet", "totalsumma", "المجموع", "الإجمالي", "الاجمالي", "جمع", "סה\"כ", "סה\"\"כ", "סה״כ", "סך הכל",
	"รวม", "总和", "共计", "總和", "共計",
	"importe total", "suma total", "celkem k úhradě", "всего к оплате", "итого к оплате", "общий итог", "総合計", "총합계",
	"yhteensä", "summa", "totalt", "i alt", "总计", "合计", "總計", "합계", "총계",
}

// subtotals are words for the sum of a part, or for what is carried to the next page. They may have more words behind them.
var subtotals = []string{
	"subtotal", "sub-total", "sub total", "zwischensumme", "teilsumme", "übertrag", "sous-total", "subtotale", "subtotaal", "mezisoučet",
	"suma częściowa", "подытог", "промежуточный итог", "小計", "中計", "累計", "月計", "小计", "累计", "소계", "*", "**", "***",
	"carried forward", "brought forward", "à reporter",
}

// partTotals are words that follow, or come before, the name of a part: North total.
var partTotals = []string{"total", "totals", "subtotal", "summe", "ergebnis", "gesamt", "totale", "totaal", "計", "小計", "合計", "итого",
	"小计", "合计", "总计", "소계", "합계", "총계", "月計", "累計", "年計", "期計", "日計", "本月合计", "本年累计", "累计",
	"sum", "somme", "suma", "summa", "totalt", "yhteensä", "összesen", "celkem", "razem", "spolu", "ukupno", "skupaj", "toplam", "toplamı",
	"всего", "σύνολο", "zusammen"}

// partPhrases are words for a sum that follow the name of a part.
var partPhrases = [][]byte{[]byte(" i alt"), []byte(" in total"), []byte(" en total"), []byte(" w sumie")}

// partSuffixes are words for a sum that follow the name of a part without a space.
var partSuffixes = [][]byte{[]byte("合计"), []byte("小计"), []byte("总计"), []byte("共计"), []byte("합계"), []byte("소계")}

// eastSuffixes are all such suffixes, the longer ones first; and partTitle is what the title of a part ends with: 資産の部, above 資産合計.
var eastSuffixes, partTitle = append([][]byte{[]byte("合計"), []byte("小計"), []byte("総計"), []byte("計")}, partSuffixes...), []byte("の部")

// extras are words in the names of what is added to a sum, or taken from it, and is no row: Sales tax, Versand.
var extras = []string{
	"tax", "taxes", "vat", "gst", "mwst", "ust", "mehrwertsteuer", "umsatzsteuer", "tva", "iva", "btw", "moms", "dph", "áfa", "ндс", "kdv",
	"discount", "rabatt", "skonto", "remise", "descuento", "sconto", "desconto", "korting", "rabat", "sleva", "скидка",
	"shipping", "delivery", "freight", "postage", "handling", "versand", "versandkosten", "porto", "fracht", "livraison", "port", "envío",
	"spedizione", "frete", "verzendkosten", "frakt", "doprava", "доставка", "tip", "rounding", "rundung", "deposit", "advance", "anzahlung",
	"acompte", "anticipo", "消費税", "税", "税額", "送料", "値引", "税额", "运费", "세금",
}

// isExtra reports whether the cell has such a word.
func isExtra(cell []byte) bool {
	for word := range bytes.FieldsSeq(cell) {
		if extraWords.is(word) {
			return true
		}
	}
	return false
}

// countings are words for a number of records, which stand below a sum.
var countings = []string{
	"count", "record count", "anzahl", "nombre", "recuento", "conteggio", "contagem", "aantal", "liczba", "počet", "antal", "количество",
	"件数", "個数", "个数", "건수",
}

// words are those of a list, in lower case.
type words map[string]bool

func wordsOf(list []string) words {
	set := words{}
	for _, word := range list {
		set[word] = true
	}
	return set
}

var totalWords, subtotalWords, partWords, extraWords = wordsOf(totals), wordsOf(subtotals), wordsOf(partTotals), wordsOf(extras)

var meanWords, extremeWords, countWords = wordsOf(means), wordsOf(extremes), wordsOf(countings)

// balances are parts of words for what an account holds.
var balances = []string{
	"balance", "saldo", "solde", "kontostand", "bestand", "残高", "остаток", "сальдо", "zůstatek",
	"zostatok", "egyenleg", "bakiye", "잔액", "余额", "餘額", "kassenstand", "繰越", "结余", "結餘", "结存", "이월",
}

// isBalance reports whether the cell names what an account holds: Closing balance, Saldo final.
func isBalance(cell []byte) bool {
	if len(cell) > longestTotalOf {
		return false
	}
	text := strings.ToLower(string(cell))
	return slices.ContainsFunc(balances, func(word string) bool { return strings.Contains(text, word) })
}

// openings and closings are words that the names of such balances begin with, where an account is opened and closed.
var (
	openings = []string{"anfang", "opening", "beginning", "initial", "saldo inicial", "solde initial", "solde d'ouverture", "vortrag",
		"saldovortrag",
		"saldo iniziale", "stan początkowy", "期首", "前月繰越", "前期繰越", "начальный остаток", "остаток на начало"}
	closings = []string{"endbestand", "endsaldo", "schlussbestand", "schlusssaldo", "closing", "ending balance", "saldo final", "solde final",
		"solde de clôture", "saldo finale", "stan końcowy", "期末", "翌月繰越", "次期繰越", "次月繰越", "конечный остаток", "остаток на конец"}
)

func opensAccount(cell []byte) bool  { return isBalance(cell) && beginsWith(openings, cell) }
func closesAccount(cell []byte) bool { return isBalance(cell) && beginsWith(closings, cell) }

func beginsWith(words []string, cell []byte) bool {
	text := strings.ToLower(string(cell))
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(text, word) })
}

// is reports whether a cell is one of the words, in any case, with or without a colon or a point behind it, or spaces between the
// characters of East Asia: 合 計.
func (w words) is(cell []byte) bool {
	var buffer [2 * longestTotalOf]byte
	return w[string(folded(buffer[:0], cell))]
}

// folded appends a cell as the words of lists are written.
func folded(lower, cell []byte) []byte {
	cell = bytes.TrimRight(cell, ": .")
	for len(cell) > 0 && len(lower) < longestTotalOf {
		if c := cell[0]; c < utf8.RuneSelf {
			if c >= 'A' && c <= 'Z' {
				c |= 0x20
			}
			lower, cell = append(lower, c), cell[1:]
			continue
		}
		r, size := utf8.DecodeRune(cell)
		if lower, cell = utf8.AppendRune(lower, unicode.ToLower(r)), cell[size:]; r >= hangul {
			cell = bytes.TrimLeft(cell, " \u3000")
		}
	}
	return lower
}

// hangul is the first letter of those of East Asia.
const hangul = 0x1100

// mayBeLabel rules most cells out, by their first letter and length.
func mayBeLabel(cell []byte, longest int, initials string) bool {
	return len(cell) <= longest && (cell[0] >= 0x80 || strings.IndexByte(initials, cell[0]) >= 0)
}

// isTotal reports whether the cell is a word for a sum.
func isTotal(cell []byte) bool {
	return mayBeLabel(cell, longestTotal, totalInitials) && totalWords.is(cell)
}

// isTotalOf reports whether the cell says of what it is the total: Total: all, or Total for stock.
func isTotalOf(cell []byte) bool {
	if !mayBeLabel(cell, longestTotalOf, totalInitials) {
		return false
	}
	i := bytes.IndexByte(cell, ':')
	if i < 0 {
		if i = bytes.Index(cell, []byte(" for ")); i < 0 && len(cell) > 1 && cell[1] >= 'A' && cell[1] <= 'Z' {
			i = bytes.Index(cell, []byte(" FOR "))
		}
	}
	return i > 0 && i < len(cell)-1 && isTotal(cell[:i])
}

// ofWhat are the words between Total and what it is the total of.
var ofWhat = wordsOf([]string{"of", "in", "for", "de", "do", "da", "no", "na", "dos", "das", "del", "des", "der", "die", "van", "w"})

// isTotalIn reports whether the cell is a total with a bracket or a word such as of behind it: Total (EUR), Total of all towns. Sums of
// words other than Total may as well be names.
func isTotalIn(cell []byte) bool {
	if i := bytes.IndexAny(cell[:min(len(cell), longestTotal)], "(（"); i > 0 && len(cell) <= longestTotalOf {
		return isTotal(bytes.TrimSpace(cell[:i]))
	}
	if len(cell) > longestTotalOf || cell[0]|0x20 != 't' {
		return false
	}
	first, rest, found := bytes.Cut(cell, []byte(" "))
	second, _, more := bytes.Cut(rest, []byte(" "))
	return found && more && isTotal(first) && ofWhat.is(second)
}

// isSubtotal reports whether the cell is a word for the sum of a part, alone or with the part's name behind it.
func isSubtotal(cell []byte) bool {
	if !mayBeLabel(cell, longestTotalOf, subtotalInitials) {
		return false
	}
	i := bytes.IndexAny(cell, " :(（")
	if text := bytes.TrimLeft(cell, "*"); len(text) < len(cell) && bytes.HasPrefix(text, []byte("  ")) { // *   Debit, as SAP writes sums
		return true
	}
	return subtotalWords.is(cell) || i > 0 && cell[0] != '*' && subtotalWords.is(cell[:i]) // * sold out is a remark
}

// carried are the subtotals that say what is carried from one page to the next.
var carried = wordsOf([]string{"übertrag", "carried forward", "brought forward", "à reporter"})

// IsCarried reports whether the record begins with the name of what is carried from page to page.
func IsCarried(cells [][]byte) bool {
	first := slices.IndexFunc(cells, func(cell []byte) bool { return len(cell) > 0 })
	return first >= 0 && isCarried(bytes.TrimSpace(cells[first]))
}

// isCarried reports whether the cell is such a word, or begins or ends with it: Übertrag Vormonat.
func isCarried(cell []byte) bool {
	if carried.is(cell) || len(cell) > longestTotalOf {
		return carried.is(cell)
	}
	text := strings.ToLower(string(cell))
	for word := range carried {
		rest, found := strings.CutPrefix(text, word)
		if found && (rest[0] == ' ' || rest[0] == ':') || strings.HasSuffix(text, " "+word) {
			return true
		}
	}
	return false
}

// isPartTotal reports whether the cell has the name of a part and a word for its sum: North total, Total North, 東京 計.
func isPartTotal(cell []byte) bool {
	if len(cell) > longestTotalOf {
		return false
	}
	first := bytes.IndexByte(cell, ' ')
	if first < 0 && (len(cell) == 0 || cell[len(cell)-1] < utf8.RuneSelf) {
		return false
	}
	if first < 0 {
		return bytes.HasSuffix(cell, []byte("計")) && !bytes.HasSuffix(cell, []byte("時計")) && len(cell) > len("計") ||
			slices.ContainsFunc(partSuffixes, func(word []byte) bool { return len(cell) > len(word) && bytes.HasSuffix(cell, word) })
	}
	return first > 0 && (isPartWord(cell[:first]) || isPartWord(cell[bytes.LastIndexByte(cell, ' ')+1:]) || phraseOf(cell) > 0)
}

// phraseOf returns how long the phrase for a sum is that follows the name of a part; 0 if none does.
func phraseOf(cell []byte) int {
	for _, phrase := range partPhrases {
		if len(cell) > len(phrase) && bytes.EqualFold(cell[len(cell)-len(phrase):], phrase) {
			return len(phrase)
		}
	}
	return 0
}

// partOf returns the hash of the part's name in such a cell.
func partOf(cell []byte) uint64 {
	first := bytes.IndexByte(cell, ' ')
	switch {
	case first < 0:
		for _, suffix := range eastSuffixes {
			if part, found := bytes.CutSuffix(cell, suffix); found {
				return hash(part)
			}
		}
		return 0
	case isPartWord(cell[:first]):
		return hash(bytes.TrimSpace(cell[first:]))
	case phraseOf(cell) > 0:
		return hash(cell[:len(cell)-phraseOf(cell)])
	}
	return hash(bytes.TrimSpace(cell[:bytes.LastIndexByte(cell, ' ')]))
}

// hasSumWord reports whether one of the words of the cell is one for a sum: Montant total TTC.
func hasSumWord(cell []byte) bool {
	if len(cell) > longestTotalOf {
		return false
	}
	for word := range bytes.FieldsSeq(cell) {
		if isPartWord(word) || isTotal(word) {
			return true
		}
	}
	return false
}

func isPartWord(word []byte) bool {
	return len(word) > 0 && mayBeLabel(word, longestTotal, partInitials) && partWords.is(word)
}

// isCounting reports whether the cell is a word for a number of records.
func isCounting(cell []byte) bool {
	return mayBeLabel(cell, longestTotal, countInitials) && countWords.is(cell)
}

// The first letters, in ASCII, of the words of each list.
const (
	countInitials    = "cranlpCRANLP"
	partInitials     = "tsegycruzTSEGYCRUZ"
	meanInitials     = "amdpgsrkon%AMDPGSRKON"
	extremeInitials  = "mlhkgiscnvrapu%MLHKGISCNVRAPUedED"
	totalInitials    = "tgscryiukjemovzTGSCRYIUKJEMOVZ"
	subtotalInitials = "sztcbmSZTCBM*"
)
