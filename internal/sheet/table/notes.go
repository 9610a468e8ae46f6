package table

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sheetdrop/internal/sheet/csv"
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

// isItem reports whether the cell begins with a number, a point or a bracket, a blank and a capital letter, as notes in a list do: 2. Break
// in series.
func isItem(cell []byte) bool {
	mark, text, found := bytes.Cut(cell, []byte(" "))
	n := kind.LeadingDigits(mark)
	if !found || n == 0 || n > footnoteMark || len(mark) != n+1 || mark[n] != '.' && mark[n] != ')' {
		return false
	}
	first, _ := utf8.DecodeRune(text)
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

// explained returns the hash of the short text that the cell explains: X = offered, or F: early shift. It is 0 if there is none.
func explained(cell []byte) uint64 {
	i := bytes.IndexAny(cell[:min(len(cell), longestMark+1)], "=:")
	if i <= 0 || i == len(cell)-1 {
		return 0
	}
	return hash(bytes.TrimSpace(cell[:i]))
}

// pageLine is a line that a printed report has at the end of each page: Page 2 of 5, - 2 -, 2 / 5 ページ.
var pageLine = regexp.MustCompile(`(?i)^[-–—\s]*(` +
	`(page|seite|página|pagina|pág\.?|pag\.?|str\.|strona|strana|sida|side|sivu|sayfa|страница|стр\.|ページ|頁)[\s:#]*\d{1,5}(\s*(ページ|頁|页|von|of|de|di|van|z|av|af|из|/)\s*\d{0,5})?` +
	`|(sheet|blatt)[\s:]*\d{1,5}\s*(of|von|/)\s*\d{1,5}` +
	`|\d{1,5}\s*/\s*\d{1,5}\s*(ページ|頁|页|pages?|seiten?|페이지|쪽)|第?\s*\d{1,5}\s*(ページ|頁|页|페이지|쪽)(\s*[/／,，]?\s*(共|全|총)\s*\d{1,5}\s*(ページ|頁|页|페이지|쪽))?|[-–—]\s*\d{1,5}\s*[-–—])[-–—\s.]*$`)

// isPageLine reports whether the cell, the only one of its record, is such a line.
func isPageLine(cell []byte) bool {
	return len(cell) <= longestPageLine && bytes.ContainsAny(cell, "0123456789") && pageLine.Match(cell)
}

// isProse reports whether the cell is a sentence rather than a name.
func isProse(cell []byte) bool {
	return hasWords(cell, proseWords) || bytes.IndexByte(cell, ':') >= 0 && (cell[len(cell)-1] == ':' || bytes.Contains(cell, []byte(": "))) ||
		bytes.ContainsRune(cell, '。') || bytes.ContainsRune(cell, '：')
}

// isSplit reports whether a sentence of seven words or more was split by its commas: each further cell goes on with a blank, a small letter
// and more than a word.
func isSplit(raw []byte, fields []csv.Field) bool {
	if len(fields) < narrow || !hasWords(raw, sentenceWords) {
		return false
	}
	for _, f := range fields[1:] {
		cell, blank := bytes.CutPrefix(raw[f.Start:f.End], []byte(" "))
		first, _ := utf8.DecodeRune(cell)
		if !blank || !unicode.IsLower(first) || !hasWords(cell, narrow) {
			return false
		}
	}
	return true
}
