package words

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

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

// IsPartTotal reports whether the cell has the name of a part and a word for its sum: North total, Total North, 東京 計.
func IsPartTotal(cell []byte) bool {
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

// PartOf returns the part's name in such a cell, nil if there is none.
func PartOf(cell []byte) []byte {
	first := bytes.IndexByte(cell, ' ')
	switch {
	case first < 0:
		for _, suffix := range eastSuffixes {
			if part, found := bytes.CutSuffix(cell, suffix); found {
				return part
			}
		}
		return nil
	case isPartWord(cell[:first]):
		return bytes.Trim(cell[first:], besideNames)
	case phraseOf(cell) > 0:
		return cell[:len(cell)-phraseOf(cell)]
	}
	return bytes.Trim(cell[:bytes.LastIndexByte(cell, ' ')], besideNames)
}

// besideNames may stand between the name of a part and the word for its sum: Total - Income.
const besideNames = " -–:"

// aroundTitles may stand around the title of a part: [Cash].
const aroundTitles = "[]【】〔〕<>＜＞"

// TitledPart returns the part's name in a cell that may be its title: what it may end with or stand in, as titles do, is none of it. It is
// nil if the cell is too long for one.
func TitledPart(cell []byte) []byte {
	if len(cell) > longestTotalOf {
		return nil
	}
	return bytes.Trim(bytes.TrimSuffix(cell, partTitle), aroundTitles)
}

func isPartWord(word []byte) bool { return partWords.is(word) }
