package words

import (
	"bytes"
	"slices"
	"strings"
)

// means are words for what is computed beside a sum.
var means = []string{
	"average", "avg", "mean", "median", "std dev", "stdev", "standard deviation", "rsd", "rsd %", "% rsd", "standardabweichung", "écart-type",
	"desviación estándar", "標準偏差", "标准差", "durchschnitt", "mittelwert", "klassenschnitt", "notenschnitt", "moyenne", "promedio",
	"moyenne générale", "media general", "media generale", "nota media", "promedio general",
	"ø", "schnitt", "media", "média", "medel", "medelvärde", "gennemsnit", "gjennomsnitt", "keskiarvo", "ortalama", "átlag", "평균",
	"gemiddelde", "średnia", "průměr", "среднее", "μέσος όρος", "μ.ο", "medie", "prosjek", "povprečje", "vidurkis", "平均", "平均値", "平均值",
}

// extremes are words for the least and the greatest value, the deviation and the number, which stand beside averages, and for shares and
// places, which stand below sums.
var extremes = []string{
	"sd", "s.d.", "se", "sem", "cv", "cv %", "cv%", "% cv", "n", "count", "variance", "range", "anzahl", "varianz", "件数", "人数", "範囲",
	"min", "max", "minimum", "maximum", "lowest", "highest", "kleinster wert", "größter wert", "mínimo", "máximo", "minimo", "massimo",
	"%", "in %", "share", "percent", "percentage", "anteil", "pourcentage", "porcentaje", "percentuale", "udział", "rank",
	"vorjahr", "vormonat", "previous year", "prior year", "last year", "previous month", "année précédente", "año anterior", "anno precedente",
	"rok poprzedni", "前年", "前年同月", "昨年", "構成比", "割合", "占比", "비율",
	"最小", "最大", "最小値", "最大値", "最低", "最高", "最低点", "最高点",
}

// IsMean reports whether the cell is a word for an average, or the like.
func IsMean(cell []byte) bool {
	return meanWords.is(cell)
}

// IsMeanOf reports whether the cell begins or ends with such a word: Class average, Moyenne de la classe, Klassendurchschnitt, 学年平均.
func IsMeanOf(cell []byte) bool {
	if len(cell) > longestTotalOf {
		return false
	}
	if first, rest, found := bytes.Cut(cell, []byte(" ")); found {
		second, _, more := bytes.Cut(rest, []byte(" "))
		return more && IsMean(first) && ofWhat.is(second) || IsMean(cell[bytes.LastIndexByte(cell, ' ')+1:])
	}
	return slices.ContainsFunc(meanSuffixes, func(word []byte) bool { return bytes.HasSuffix(cell, word) })
}

// meanSuffixes are such words that follow what they are the average of without a space.
var meanSuffixes = [][]byte{[]byte("durchschnitt"), []byte("mittelwert"), []byte("平均"), []byte("平均点"), []byte("平均值"), []byte("평균")}

// IsExtreme reports whether the cell is a word for the least or the greatest value, or begins or ends with one: Lowest score.
func IsExtreme(cell []byte) bool {
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
	return extremeWords.is(word)
}

// everybody are parts of words for all that a table lists.
var everybody = []string{
	"class", "klasse", "clase", "třídy", "klasy", "overall", "all ", "gesamt", "alle ", "général", "generale", "group", "grupp", "grupo",
	"学年", "学級", "クラス", "全体", "班级", "全班", "年级", "반 ", "전체",
}

// IsMeanOfAll reports whether the cell, which is an average of what it names, is one of all records: Class average, Overall mean. An
// average of anything else, such as a country's, may be a row.
func IsMeanOfAll(cell []byte) bool {
	text := strings.ToLower(string(cell))
	return slices.ContainsFunc(everybody, func(word string) bool { return strings.Contains(text, word) })
}
