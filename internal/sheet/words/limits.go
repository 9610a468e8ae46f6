package words

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
	"points possible", "out of", "max points", "maximum points", "max. points", "possible points", "maximum score", "max score", "max. punkte",
	"maximale punkte", "max. punktzahl", "maximale punktzahl", "höchstpunktzahl", "mögliche punkte", "barème", "puntuación máxima",
	"pontuação máxima", "punteggio massimo", "maks. punktów", "максимум баллов", "満点", "配点", "满分", "만점",
}

var limitWords, reachableWords = listOf(limits), listOf(reachable)

// IsLimit reports whether the cell is a word for what the values of the columns are held against.
func IsLimit(cell []byte) bool { return limitWords.is(cell) }

// IsReachable reports whether the cell is a word for what can be reached.
func IsReachable(cell []byte) bool { return reachableWords.is(cell) }
