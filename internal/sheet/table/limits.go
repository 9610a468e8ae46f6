package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// limits are words for what the values of the columns are held against: no value may be above it, or none below can be measured.
var limits = []string{
	"limit", "limits", "upper limit", "lower limit", "limit value", "limit values", "detection limit", "limit of detection", "lod",
	"mdl", "quantification limit", "limit of quantification", "loq", "reporting limit", "threshold", "reference range",
	"normal range", "target", "targets", "target value", "specification", "spec", "usl", "lsl", "grenzwert", "grenzwerte",
	"höchstwert", "höchstmenge", "bestimmungsgrenze", "nachweisgrenze", "richtwert", "prüfwert", "referenzbereich", "normbereich",
	"normwert", "soll", "sollwert", "sollwerte", "zielwert", "zielwerte", "vorgabe", "obergrenze", "untergrenze", "valeur limite",
	"valeurs limites", "limite", "limites", "seuil", "limite de détection", "limite de quantification", "lq", "valeur cible", "cible",
	"objectif", "valeurs de référence", "límite", "límites", "valor límite", "límite de detección", "límite de cuantificación",
	"objetivo", "valor limite", "limite di rilevabilità", "limite di legge", "valore limite", "obiettivo", "grenswaarde",
	"streefwaarde", "detectielimiet", "doel", "gränsvärde", "gränsvärden", "riktvärde", "målvärde", "detektionsgräns", "grænseværdi",
	"måltal", "grenseverdi", "raja-arvo", "tavoite", "wartość dopuszczalna", "norma", "granica oznaczalności", "cel", "mezní hodnota",
	"limitní hodnota", "mez stanovitelnosti", "cíl", "határérték", "célérték", "норма", "норматив", "пдк", "предел обнаружения",
	"план", "sınır değer", "hedef", "όριο", "στόχος", "基準値", "規格値", "規格", "規制値", "管理値", "定量下限", "定量下限値", "検出下限", "検出下限値", "目標", "目標値",
	"上限", "下限", "上限値", "下限値", "限值", "标准值", "目标", "目标值", "检出限", "기준값", "기준치", "목표",
}

// reachable are words for what can be reached: the points of a test.
var reachable = []string{
	"points possible", "max points", "maximum points", "max. points", "possible points", "maximum score", "max score", "max. punkte",
	"maximale punkte", "max. punktzahl", "maximale punktzahl", "höchstpunktzahl", "mögliche punkte", "barème", "puntuación máxima",
	"pontuação máxima", "punteggio massimo", "maks. punktów", "максимум баллов", "満点", "配点", "满分", "만점",
}

var limitWords, reachableWords = wordsOf(limits), wordsOf(reachable)

// limitsAbove returns how many of the first records, right below the names of the columns, are no rows, but say what their values are held
// against: in a first column of other values, or with gaps that hardly any row has.
//
//	Sample,Day,Lead,Zinc
//	Limit,,10,3000
//	P-1,2024-03-04,1.2,310
func (c columns) limitsAbove(rows []row) (n int) {
	for n < len(rows) && rows[n].limit && rows[n].width == c.width && !onlyWords(rows[n]) {
		n++
	}
	rest := rows[n:]
	if n == 0 || c.width < columnsAbove || slices.ContainsFunc(rest, func(r row) bool { return r.limit }) {
		return 0
	}
	body, usual := columnKinds(rest, c.width), c.usual(rest)
	if body.n < evidence || slices.ContainsFunc(rows[:n], func(r row) bool { return !body.isLimited(r, usual) }) {
		return 0
	}
	return n
}

// isLimited reports whether the record, which begins with a word for a limit or for points, has it where the others have a value, or lacks
// columns that nearly all others have: two, or one of days or codes, or of anything for points.
func (c columns) isLimited(r row, usual []bool) bool {
	if c.kinds[0] > kind.Word {
		return true
	}
	for i, k := range r.kinds {
		if k == kind.Empty && usual[i] && c.kinds[i] >= kind.Moment {
			return true
		}
	}
	return missing(usual, r) >= sumLacks || r.reachable && lacks(usual, r)
}
