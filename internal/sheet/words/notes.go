package words

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sheetdrop/internal/sheet/kind"
)

// notes are the words and marks that notes begin with.
var notes = [][]byte{
	[]byte("※"), []byte("注"), []byte("*"), []byte("#"), []byte("©"), []byte("出典"), []byte("備考"),
	[]byte("凡例"), []byte("图例"), []byte("범례"), []byte("資料"), []byte("以上"), []byte("\x1a"),
	[]byte("（注"), []byte("(注"), []byte("（出典"), []byte("(出典"), []byte("（備考"), []byte("(備考"), []byte("（資料"), []byte("(資料"),
	[]byte("source:"), []byte("source :"), []byte("sources:"), []byte("note:"), []byte("notes:"),
	[]byte("quelle:"), []byte("anmerkung:"), []byte("hinweis:"), []byte("fuente:"), []byte("nota:"), []byte("fonte:"), []byte("bron:"),
	[]byte("źródło:"), []byte("uwaga:"), []byte("zdroj:"), []byte("poznámka:"), []byte("pozn.:"), []byte("källa:"), []byte("anm.:"),
	[]byte("kilde:"),
	[]byte("lähde:"), []byte("forrás:"), []byte("kaynak:"), []byte("sursa:"), []byte("izvor:"), []byte("vir:"), []byte("nguồn:"),
	[]byte("sumber:"),
	[]byte("legend:"), []byte("legende:"), []byte("légende :"), []byte("note :"), []byte("notes :"), []byte("leyenda:"), []byte("legenda:"),
	[]byte("источник:"), []byte("примечание:"), []byte("джерело:"), []byte("източник:"), []byte("πηγή:"), []byte("المصدر:"), []byte("מקור:"),
	[]byte("end of report"), []byte("end of run"), []byte("end of data"), []byte("end of test"), []byte("end of export"),
	[]byte("end of list"), []byte("end of file"), []byte("ende der messung"), []byte("ende der daten"),
	[]byte("ende der liste"), []byte("ende des berichts"),
	[]byte("fin du rapport"), []byte("fin del informe"), []byte("fine del rapporto"), []byte("einde rapport"), []byte("koniec raportu"),
	[]byte("data as of "), []byte("data as at "), []byte("figures as of "), []byte("figures as at "), []byte("as of "), []byte("as at "),
	[]byte("all amounts in "), []byte("all figures in "), []byte("all values in "), []byte("all prices in "), []byte("amounts in "),
	[]byte("figures in "), []byte("prices in "), []byte("stand: "), []byte("stand vom "), []byte("datenstand"), []byte("alle angaben in "),
	[]byte("alle beträge in "), []byte("alle preise in "), []byte("angaben in "), []byte("beträge in "), []byte("données au "),
	[]byte("montants en "), []byte("tous les montants en "), []byte("datos al "), []byte("cifras en "), []byte("dados de "),
	[]byte("valores em "), []byte("dati al "), []byte("importi in "), []byte("数据截至"), []byte("截至"),
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

// IsNote reports whether the cell begins as notes do.
func IsNote(cell []byte) bool {
	if IsRuler(cell) || isFootnote(cell) || isEndMark(cell) {
		return true
	}
	return len(cell) > 0 && noteInitials[cell[0]] && slices.ContainsFunc(notes, func(mark []byte) bool {
		return len(cell) >= len(mark) && bytes.EqualFold(cell[:len(mark)], mark)
	})
}

// endMarks are what programs write behind the last record of a text.
var endMarks = listOf([]string{"end", "eof", "[eof]", "<eof>", `\.`, "ende", "*ende*", "fin", "fine", "einde", "koniec", "конец"})

// isEndMark reports whether the cell says that the records end, or how many there are: END, (5 rows).
func isEndMark(cell []byte) bool {
	cell = bytes.TrimSuffix(bytes.TrimPrefix(cell, []byte("(")), []byte(")"))
	if len(cell) == 0 {
		return false
	}
	no, unit, found := bytes.Cut(cell, []byte(" "))
	return endMarks.is(cell) || found && kind.Of(no) == kind.Number && IsOfRecords(unit)
}

// HasWords reports whether the text has at least n words.
func HasWords(text []byte, n int) bool {
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
	return found && len(mark) > 0 && len(mark) <= FootnoteMark && len(text) > 1 && bytes.IndexFunc(mark, other) < 0
}

// IsNumberedNote reports whether the cell begins with a number of one or two digits, a blank and a capital letter, as notes do below the
// tables of yearbooks: 1 The figures of this year are provisional.
func IsNumberedNote(cell []byte) bool {
	mark, text, found := bytes.Cut(cell, []byte(" "))
	isLetter := len(mark) == 1 && mark[0] >= 'a' && mark[0] <= 'z'
	if !found || len(mark) > FootnoteMark || !isLetter && bytes.IndexFunc(mark, func(r rune) bool { return !unicode.IsDigit(r) }) >= 0 {
		return false
	}
	first, _ := utf8.DecodeRune(bytes.TrimLeft(text, " "))
	return unicode.IsUpper(first)
}

// IsItem reports whether the cell begins with a number, a point or a bracket, a blank and a capital letter, as notes in a list do: 2. Break
// in series.
func IsItem(cell []byte) bool {
	mark, text, found := bytes.Cut(cell, []byte(" "))
	n := kind.LeadingDigits(mark)
	if !found || n == 0 || n > FootnoteMark || len(mark) != n+1 || mark[n] != '.' && mark[n] != ')' {
		return false
	}
	first, _ := utf8.DecodeRune(text)
	return unicode.IsUpper(first)
}

// IsUnit reports whether the cell names the unit of the numbers, as it appears above many tables: Unit: EUR, （単位：人）.
func IsUnit(cell []byte) bool {
	cell = bytes.TrimLeft(cell, "([（ ")
	if bytes.HasPrefix(cell, []byte("単位")) {
		return true
	}
	word, _, found := bytes.Cut(cell, []byte(":"))
	if !found {
		word, _, found = bytes.Cut(cell, []byte("："))
	}
	return found && len(word) <= longestUnitWord && unitWords[strings.ToLower(string(bytes.TrimSpace(word)))]
}

// unitWords are words for a unit that stand before it.
var unitWords = map[string]bool{
	"unit": true, "units": true, "einheit": true, "unité": true, "unités": true, "unidad": true, "unidades": true, "unidade": true,
	"unità": true, "eenheid": true, "enhet": true, "enhed": true, "jednostka": true, "jednotka": true, "единица измерения": true,
	"ед. изм.": true, "birim": true,
	"單位": true, "单位": true, "단위": true,
}

// longestUnitWord is how many bytes the longest of them has, and blanks beside it.
const longestUnitWord = 40

// IsStroke reports whether the cell is a line drawn with - or =, however short.
func IsStroke(cell []byte) bool {
	return len(cell) > 1 && (cell[0] == '-' || cell[0] == '=') && len(bytes.Trim(cell, "-=")) == 0
}

// IsToFill reports whether the cell is a name with nothing behind its colon, or a line to write on: Date:, Name ________.
func IsToFill(cell []byte) bool {
	last := cell[len(cell)-1]
	return last == ':' || last == '_' && bytes.HasSuffix(cell, []byte("____")) || last == 0x9a && bytes.HasSuffix(cell, []byte("："))
}

// IsWriteLine reports whether the cell is nothing but a line to write on.
func IsWriteLine(cell []byte) bool {
	return cell[0] == '_' && len(cell) >= shortestRuler && len(bytes.Trim(cell, "_")) == 0
}

// IsBracketed reports whether the cell stands in brackets.
func IsBracketed(cell []byte) bool {
	first, last := cell[0], cell[len(cell)-1]
	return len(cell) > 2 && (first == '[' && last == ']' || first == '(' && last == ')')
}

// IsRuler reports whether the cell is a line drawn with characters.
func IsRuler(cell []byte) bool {
	const strokes = "-=_+*|"
	return len(cell) >= shortestRuler && strings.IndexByte(strokes, cell[0]) >= 0 && len(bytes.Trim(cell, strokes)) == 0
}

// Explained returns the short text that the cell explains: X = offered, or F: early shift. It is nil if there is none.
func Explained(cell []byte) []byte {
	i := bytes.IndexAny(cell[:min(len(cell), longestMark+1)], "=:")
	if i <= 0 || i == len(cell)-1 {
		return nil
	}
	return bytes.TrimSpace(cell[:i])
}

// pageLine is a line that a printed report has at the end of each page: Page 2 of 5, - 2 -, 2 / 5 ページ.
var pageLine = regexp.MustCompile(`(?i)^[-–—\s]*(` +
	`(page|seite|página|pagina|pág\.?|pag\.?|str\.|strona|strana|sida|side|sivu|sayfa|страница|стр\.|ページ|頁)[\s:#]*\d{1,5}(\s*(ページ|頁|页|von|of|de|di|van|z|av|af|из|/)\s*\d{0,5})?` +
	`|(sheet|blatt)[\s:]*\d{1,5}\s*(of|von|/)\s*\d{1,5}` +
	`|\d{1,5}\s*/\s*\d{1,5}\s*(ページ|頁|页|pages?|seiten?|페이지|쪽)|第?\s*\d{1,5}\s*(ページ|頁|页|페이지|쪽)(\s*[/／,，]?\s*(共|全|총)\s*\d{1,5}\s*(ページ|頁|页|페이지|쪽))?|[-–—]\s*\d{1,5}\s*[-–—])[-–—\s.]*$`)

// IsPageLine reports whether the cell, the only one of its record, is such a line.
func IsPageLine(cell []byte) bool {
	return len(cell) <= longestPageLine && bytes.ContainsAny(cell, "0123456789") && pageLine.Match(cell)
}

// pageOfPages is a line between pages that only counts them: 1/12.
var pageOfPages = regexp.MustCompile(`^(\d{1,4})\s?/\s?(\d{1,4})$`)

// IsPageOfPages reports whether the cell, the only one of its record, may be the number of a page and that of all pages. It may be a day as
// well, or a share.
func IsPageOfPages(cell []byte) bool {
	if len(cell) > longestPageLine || bytes.IndexByte(cell, '/') < 0 {
		return false
	}
	found := pageOfPages.FindSubmatch(cell)
	if found == nil {
		return false
	}
	page, _ := strconv.Atoi(string(found[1]))
	pages, _ := strconv.Atoi(string(found[2]))
	return 0 < page && page <= pages && pages > 1
}

// IsSentence reports whether the cell is no name, as it has seven words, or five and a full stop, or ends with that of East Asia.
func IsSentence(cell []byte) bool {
	return HasWords(cell, SentenceWords) || HasWords(cell, stoppedWords) && cell[len(cell)-1] == '.' || bytes.HasSuffix(cell, []byte("。"))
}

// IsProse reports whether the cell is a sentence rather than a name.
func IsProse(cell []byte) bool {
	return HasWords(cell, proseWords) || bytes.IndexByte(cell, ':') >= 0 && (cell[len(cell)-1] == ':' || bytes.Contains(cell, []byte(": "))) ||
		bytes.ContainsRune(cell, '。') || bytes.ContainsRune(cell, '：')
}
