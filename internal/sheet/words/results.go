package words

import (
	"bytes"
	"slices"
)

// records are words for records, as programs say how many they have written.
var records = []string{
	"record", "records", "row", "rows", "line", "lines", "item", "items", "datensatz", "datensätze", "zeilen", "einträge", "enregistrements",
	"lignes", "registros", "filas", "righe", "registrazioni", "regels", "rekordów", "wierszy", "záznamů", "записей", "строк", "件", "条记录",
}

// results are words in the names of what is computed of several sums: Gross Profit, Net Income, Jahresüberschuss.
var results = []string{
	"net", "gross", "profit", "loss", "result", "margin", "surplus", "deficit", "ebit", "ebitda",
	"ergebnis", "überschuss", "gewinn", "verlust", "rohertrag", "résultat", "marge", "bénéfice", "utile", "risultato", "resultado",
	"resultaat", "winst", "resultat", "wynik", "zysk", "výsledek", "прибыль", "убыток", "利益", "利润", "净额", "差引",
}

// resultPhrases are what such names begin with: the word income alone is that of a part.
var resultPhrases = [][]byte{[]byte("operating income"), []byte("income before"), []byte("income from op"), []byte("earnings before")}

// IsResultName reports whether the cell has such a word.
func IsResultName(cell []byte) bool {
	if len(cell) > longestTotalOf {
		return false
	}
	if slices.ContainsFunc(resultPhrases, func(phrase []byte) bool {
		return len(cell) >= len(phrase) && bytes.EqualFold(cell[:len(phrase)], phrase)
	}) {
		return true
	}
	for word := range bytes.FieldsSeq(cell) {
		if resultWords.is(word) || resultWords.mayBegin(word, longestTotal) && hasSuffix(word, resultSuffixes) {
			return true
		}
	}
	return false
}

func hasSuffix(cell []byte, suffixes [][]byte) bool {
	return slices.ContainsFunc(suffixes, func(suffix []byte) bool { return bytes.HasSuffix(cell, suffix) })
}

// resultSuffixes are those of the results of East Asia, which have no blanks between words.
var resultSuffixes = [][]byte{[]byte("利益"), []byte("利润"), []byte("净额"), []byte("损益"), []byte("損益"), []byte("収支差額"), []byte("正味財産")}

// IsOfRecords reports whether the cell begins with a word for records, as it stands behind their number.
func IsOfRecords(cell []byte) bool {
	first, _, _ := bytes.Cut(cell, []byte(" "))
	return recordWords.is(bytes.TrimSuffix(first, []byte("(s)")))
}

// IsSumWord reports whether the cell is a word for the sum of all records or of a part, and nothing else.
func IsSumWord(cell []byte) bool {
	total, subtotal := ReadSumWord(cell)
	return total || subtotal
}

// ReadSumWord reports whether a cell is a word for a total, and whether it is one for a subtotal.
func ReadSumWord(cell []byte) (total, subtotal bool) {
	return totalWords.is(cell), subtotalWords.is(cell)
}

var recordWords, resultWords = listOf(records), listOf(results)
