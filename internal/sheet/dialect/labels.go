package dialect

import (
	"bytes"
	"regexp"
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

// isProse reports whether the cell is a sentence rather than a name.
func isProse(cell []byte) bool {
	return hasWords(cell, proseWords) || bytes.IndexByte(cell, ':') >= 0 && (cell[len(cell)-1] == ':' || bytes.Contains(cell, []byte(": "))) ||
		bytes.ContainsRune(cell, '。') || bytes.ContainsRune(cell, '：')
}

// notes are the words and marks that notes begin with.
var notes = [][]byte{
	[]byte("※"), []byte("注"), []byte("*"), []byte("#"), []byte("©"), []byte("出典"), []byte("備考"),
	[]byte("凡例"), []byte("图例"), []byte("범례"), []byte("資料"), []byte("\x1a"),
	[]byte("source:"), []byte("source :"), []byte("sources:"), []byte("note:"), []byte("notes:"),
	[]byte("quelle:"), []byte("anmerkung:"), []byte("hinweis:"), []byte("fuente:"), []byte("nota:"), []byte("fonte:"), []byte("bron:"),
	[]byte("źródło:"), []byte("uwaga:"), []byte("zdroj:"), []byte("poznámka:"), []byte("pozn.:"), []byte("källa:"), []byte("anm.:"),
	[]byte("kilde:"),
	[]byte("lähde:"), []byte("forrás:"), []byte("kaynak:"), []byte("sursa:"), []byte("izvor:"), []byte("vir:"), []byte("nguồn:"),
	[]byte("sumber:"),
	[]byte("legend:"), []byte("legende:"), []byte("légende :"), []byte("note :"), []byte("notes :"), []byte("leyenda:"), []byte("legenda:"),
	[]byte("источник:"), []byte("примечание:"), []byte("джерело:"), []byte("източник:"), []byte("πηγή:"), []byte("المصدر:"), []byte("מקור:"),
	[]byte("end of report"), []byte("end of list"), []byte("end of file"), []byte("ende der liste"), []byte("ende des berichts"),
	[]byte("fin du rapport"), []byte("fin del informe"), []byte("fine del rapporto"), []byte("einde rapport"), []byte("koniec raportu"),
	[]byte("数据来源"), []byte("资料来源"), []byte("資料來源"), []byte("来源："), []byte("備註"), []byte("备注"), []byte("출처"), []byte("자료:"), []byte("주)"),
}

// noteInitials are the first bytes of notes, in any case.
var noteInitials = func() (initials [256]bool) {
	for _, mark := range notes {
		first, _ := utf8.DecodeRune(mark)
		initials[mark[0]] = true
		for r := unicode.SimpleFold(first); r != first; r = unicode.SimpleFold(r) {
			initials[string(r)[0]] = true
		}
	}
	return initials
}()

// isNote reports whether the cell begins as notes do.
func isNote(cell []byte) bool {
	return isRuler(cell) || isFootnote(cell) || len(cell) > 0 && noteInitials[cell[0]] && slices.ContainsFunc(notes, func(mark []byte) bool {
		return len(cell) >= len(mark) && bytes.EqualFold(cell[:len(mark)], mark)
	})
}

// hasWords reports whether the text has at least n words.
func hasWords(text []byte, n int) bool {
	for last := byte(' '); n > 0 && len(text) > 0; text = text[1:] {
		if text[0] != ' ' && last == ' ' {
			n--
		}
		last = text[0]
	}
	return n == 0
}

// isFootnote reports whether the cell begins with a footnote's mark: 1) or (a).
func isFootnote(cell []byte) bool {
	mark, text, found := bytes.Cut(bytes.TrimPrefix(cell, []byte("(")), []byte(")"))
	other := func(r rune) bool { return !unicode.IsDigit(r) && !unicode.IsLower(r) }
	return found && len(mark) > 0 && len(mark) <= footnoteMark && len(text) > 1 && bytes.IndexFunc(mark, other) < 0
}

// isNumberedNote reports whether the cell begins with a number of one or two digits, a blank and a capital letter, as notes do below the
// tables of yearbooks: 1 The figures of this year are provisional.
func isNumberedNote(cell []byte) bool {
	mark, text, found := bytes.Cut(cell, []byte(" "))
	isLetter := len(mark) == 1 && mark[0] >= 'a' && mark[0] <= 'z'
	if !found || len(mark) > footnoteMark || !isLetter && bytes.IndexFunc(mark, func(r rune) bool { return !unicode.IsDigit(r) }) >= 0 {
		return false
	}
	first, _ := utf8.DecodeRune(bytes.TrimLeft(text, " "))
	return unicode.IsUpper(first)
}

// isUnit reports whether the cell names the unit of the numbers, as it appears above many tables.
func isUnit(cell []byte) bool {
	if cell[0] < utf8.RuneSelf && cell[0] != '(' {
		return false
	}
	return bytes.HasPrefix(bytes.TrimLeft(cell, "(（"), []byte("単位"))
}

// isStroke reports whether the cell is a line drawn with - or =, however short.
func isStroke(cell []byte) bool {
	return len(cell) > 1 && (cell[0] == '-' || cell[0] == '=') && len(bytes.Trim(cell, "-=")) == 0
}

// isToFill reports whether the cell is a name with nothing behind its colon, or a line to write on: Date:, Name ________.
func isToFill(cell []byte) bool {
	last := cell[len(cell)-1]
	return last == ':' || last == '_' && bytes.HasSuffix(cell, []byte("____")) || last == 0x9a && bytes.HasSuffix(cell, []byte("："))
}

// isWriteLine reports whether the cell is nothing but a line to write on.
func isWriteLine(cell []byte) bool {
	return cell[0] == '_' && len(cell) >= shortestRuler && len(bytes.Trim(cell, "_")) == 0
}

// isBracketed reports whether the cell stands in brackets.
func isBracketed(cell []byte) bool {
	first, last := cell[0], cell[len(cell)-1]
	return len(cell) > 2 && (first == '[' && last == ']' || first == '(' && last == ')')
}

// isRuler reports whether the cell is a line drawn with characters.
func isRuler(cell []byte) bool {
	const strokes = "-=_+*|"
	return len(cell) >= shortestRuler && strings.IndexByte(strokes, cell[0]) >= 0 && len(bytes.Trim(cell, strokes)) == 0
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
	"insgesamt", "součet", "totalsumma", "المجموع", "الإجمالي", "الاجمالي", "جمع", "סה\"כ", "סה״כ", "סך הכל", "รวม", "总和", "共计", "總和", "共計",
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
	"小计", "合计", "总计", "소계", "합계", "총계", "月計", "累計", "年計", "期計", "日計", "本月合计", "本年累计", "累计"}

// partSuffixes are words for a sum that follow the name of a part without a space.
var partSuffixes = [][]byte{[]byte("合计"), []byte("小计"), []byte("总计"), []byte("共计"), []byte("합계"), []byte("소계")}

// means are words for what is computed beside a sum.
var means = []string{
	"average", "avg", "mean", "median", "std dev", "stdev", "standard deviation", "rsd", "rsd %", "% rsd", "standardabweichung", "écart-type",
	"desviación estándar", "標準偏差", "标准差", "durchschnitt", "mittelwert", "moyenne", "promedio",
	"moyenne générale", "media general", "media generale", "nota media", "promedio general",
	"ø", "schnitt", "media", "média", "medel", "medelvärde", "gennemsnit", "gjennomsnitt", "keskiarvo", "ortalama", "átlag", "평균",
	"gemiddelde", "średnia", "průměr", "среднее", "平均", "平均値", "平均值",
}

// countings are words for a number of records, which stand below a sum.
var countings = []string{
	"count", "record count", "anzahl", "nombre", "recuento", "conteggio", "contagem", "aantal", "liczba", "počet", "antal", "количество",
	"件数", "個数", "个数", "건수",
}

// extremes are words for the least and the greatest value, the deviation and the number, which stand beside averages, and for shares and
// places, which stand below sums.
var extremes = []string{
	"sd", "s.d.", "se", "sem", "cv", "cv %", "cv%", "% cv", "n", "count", "variance", "range", "anzahl", "varianz", "件数", "人数", "範囲",
	"min", "max", "minimum", "maximum", "lowest", "highest", "kleinster wert", "größter wert", "mínimo", "máximo", "minimo", "massimo",
	"%", "in %", "share", "percent", "percentage", "anteil", "pourcentage", "porcentaje", "percentuale", "udział", "rank",
	"構成比", "割合", "占比", "비율",
	"最小", "最大", "最小値", "最大値", "最低", "最高", "最低点", "最高点",
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

var totalWords, subtotalWords, partWords = wordsOf(totals), wordsOf(subtotals), wordsOf(partTotals)

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
	return first > 0 && (isPartWord(cell[:first]) || isPartWord(cell[bytes.LastIndexByte(cell, ' ')+1:]))
}

// partOf returns the hash of the part's name in such a cell.
func partOf(cell []byte) uint64 {
	first := bytes.IndexByte(cell, ' ')
	switch {
	case first < 0:
		return 0
	case isPartWord(cell[:first]):
		return hash(bytes.TrimSpace(cell[first:]))
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

// isMean reports whether the cell is a word for an average, or the like.
func isMean(cell []byte) bool {
	return mayBeLabel(cell, longestTotal, meanInitials) && meanWords.is(cell)
}

// isMeanOf reports whether the cell begins or ends with such a word: Class average, Moyenne de la classe, Klassendurchschnitt, 学年平均.
func isMeanOf(cell []byte) bool {
	if len(cell) > longestTotalOf {
		return false
	}
	if first, rest, found := bytes.Cut(cell, []byte(" ")); found {
		second, _, more := bytes.Cut(rest, []byte(" "))
		return more && isMean(first) && ofWhat.is(second) || isMean(cell[bytes.LastIndexByte(cell, ' ')+1:])
	}
	return slices.ContainsFunc(meanSuffixes, func(word []byte) bool { return bytes.HasSuffix(cell, word) })
}

// meanSuffixes are such words that follow what they are the average of without a space.
var meanSuffixes = [][]byte{[]byte("durchschnitt"), []byte("mittelwert"), []byte("平均"), []byte("平均点"), []byte("平均值"), []byte("평균")}

// explained returns the hash of the short text that the cell explains: X = offered, or F: early shift. It is 0 if there is none.
func explained(cell []byte) uint64 {
	i := bytes.IndexAny(cell[:min(len(cell), longestMark+1)], "=:")
	if i <= 0 || i == len(cell)-1 {
		return 0
	}
	return hash(bytes.TrimSpace(cell[:i]))
}

// isExtreme reports whether the cell is a word for the least or the greatest value, or begins or ends with one: Lowest score.
func isExtreme(cell []byte) bool {
	first, _, more := bytes.Cut(cell, []byte(" "))
	if !more {
		return isExtremeWord(cell)
	}
	last := cell[bytes.LastIndexByte(cell, ' ')+1:]
	long := func(word []byte) bool { return len(word) > shortestName || string(word) == "%" }
	return len(cell) <= longestTotalOf && (isExtremeWord(cell) || long(first) && isExtremeWord(first) || long(last) && isExtremeWord(last))
}

// shortestName is how many bytes a word has that may as well be the mark of a name: Plan N.
const shortestName = 2

func isExtremeWord(word []byte) bool {
	return len(word) > 0 && mayBeLabel(word, longestTotal, extremeInitials) && extremeWords.is(word)
}

// isCounting reports whether the cell is a word for a number of records.
func isCounting(cell []byte) bool {
	return mayBeLabel(cell, longestTotal, countInitials) && countWords.is(cell)
}

// The first letters, in ASCII, of the words of each list.
const (
	countInitials    = "cranlpCRANLP"
	partInitials     = "tsegTSEG"
	meanInitials     = "amdpgsrko%AMDPGSRKO"
	extremeInitials  = "mlhkgiscnvrapu%MLHKGISCNVRAPUedED"
	totalInitials    = "tgscryiukjemovzTGSCRYIUKJEMOVZ"
	subtotalInitials = "sztcbmSZTCBM*"
)

// pageLine is a line that a printed report has at the end of each page: Page 2 of 5, - 2 -, 2 / 5 ページ.
var pageLine = regexp.MustCompile(`(?i)^[-–—\s]*(` +
	`(page|seite|página|pagina|pág\.?|pag\.?|str\.|strona|strana|sida|side|sivu|sayfa|страница|стр\.|ページ|頁)[\s:#]*\d{1,5}(\s*(ページ|頁|页|von|of|de|di|van|z|av|af|из|/)\s*\d{0,5})?` +
	`|(sheet|blatt)[\s:]*\d{1,5}\s*(of|von|/)\s*\d{1,5}` +
	`|\d{1,5}\s*/\s*\d{1,5}\s*(ページ|頁|页|pages?|seiten?|페이지|쪽)|第?\s*\d{1,5}\s*(ページ|頁|页|페이지|쪽)(\s*[/／,，]?\s*(共|全|총)\s*\d{1,5}\s*(ページ|頁|页|페이지|쪽))?|[-–—]\s*\d{1,5}\s*[-–—])[-–—\s.]*$`)

// isPageLine reports whether the cell, the only one of its record, is such a line.
func isPageLine(cell []byte) bool {
	return len(cell) <= longestPageLine && bytes.ContainsAny(cell, "0123456789") && pageLine.Match(cell)
}
