package types

import "strings"

// formatOf returns the name of how a candidate's values are written.
func formatOf(candidate set, seen trait) string {
	switch {
	case candidate&numbers != 0:
		return numberFormat(candidate, seen)
	case candidate&dateCompact != 0:
		return compactFormat
	case candidate&dates != 0:
		return dateFormat(candidate, seen)
	case candidate&stamps != 0:
		return dateFormat(candidate, seen) + " " + clockFormat(seen)
	case candidate&zoned != 0:
		return dateFormat(candidate, seen) + " " + clockFormat(seen) + zoneFormat
	case candidate&elapsed != 0 && seen>>alone&isoDurationSeen != 0:
		return isoDuration
	case candidate&clocks != 0:
		return clockFormat(seen >> alone)
	}
	return booleanFormats[candidate]
}

const (
	compactFormat = "YYYYMMDD"
	zoneFormat    = "±hh:mm"
	isoDuration   = "PThHmMsS"
)

var booleanFormats = map[set]string{
	boolTrueFalse:  "true/false",
	boolWahrFalsch: "wahr/falsch",
	boolVraiFaux:   "vrai/faux",
	boolJaNein:     "ja/nein",
	boolOuiNon:     "oui/non",
	boolYesNo:      "yes/no",
	boolOnOff:      "on/off",
	boolHaiIie:     "はい/いいえ",
	boolMaruBatsu:  "○/×",
	boolAriNashi:   "あり/なし",
	boolUmu:        "有/無",
	boolYN:         "y/n",
	boolTF:         "t/f",
	boolOneZero:    "1/0",
	boolSiNo:       "sí/no",
	boolSimNao:     "sim/não",
	boolJaNee:      "ja/nee",
	boolJaNej:      "ja/nej",
	boolDaNet:      "да/нет",
	boolTakNi:      "так/ні",
	boolTakNie:     "tak/nie",
	boolAnoNe:      "ano/ne",
	boolIgenNem:    "igen/nem",
	boolEvetHayir:  "evet/hayır",
	boolKyllaEi:    "kyllä/ei",
	boolNaiOchi:    "ναι/όχι",
	boolNaamLa:     "نعم/لا",
	boolShiFou:     "是/否",
	boolYeAniyo:    "예/아니요",

	boolOtherTrueFalse: "true/false",
	boolOtherYesNo:     "yes/no",
}

// dateFormats are the ways to write a date, several of which may occur in one column.
var dateFormats = []struct {
	order order
	seen  trait
	text  string
}{
	{evident, dashSeen, "YYYY-MM-DD"},
	{evident, slashSeen, "YYYY/MM/DD"},
	{evident, dotSeen, "YYYY.MM.DD"},
	{evident, kanjiSeen, "YYYY年MM月DD日"},
	{evident, eraSeen, "era"},
	{evident, monthNameSeen, "month name"},
	{dayFirst, dashSeen, "DD-MM-YYYY"},
	{dayFirst, slashSeen, "DD/MM/YYYY"},
	{dayFirst, dotSeen, "DD.MM.YYYY"},
	{monthFirst, dashSeen, "MM-DD-YYYY"},
	{monthFirst, slashSeen, "MM/DD/YYYY"},
	{shortYearFirst, dashSeen, "YY-MM-DD"},
	{shortYearFirst, slashSeen, "YY/MM/DD"},
	{shortYearFirst, dotSeen, "YY.MM.DD"},
	{shortDayFirst, dashSeen, "DD-MM-YY"},
	{shortDayFirst, slashSeen, "DD/MM/YY"},
	{shortDayFirst, dotSeen, "DD.MM.YY"},
	{shortMonthFirst, dashSeen, "MM-DD-YY"},
	{shortMonthFirst, slashSeen, "MM/DD/YY"},
}

func dateFormat(candidate set, seen trait) string {
	order := evident
	switch {
	case candidate&yearFirsts != 0:
		order = shortYearFirst
	case candidate&dayFirsts&shorts != 0:
		order = shortDayFirst
	case candidate&dayFirsts != 0:
		order = dayFirst
	case candidate&shorts != 0:
		order = shortMonthFirst
	case candidate&monthFirsts != 0:
		order = monthFirst
	}
	var found []string
	for _, f := range dateFormats {
		if f.order == order && seen&f.seen != 0 {
			found = append(found, f.text)
		}
	}
	return strings.Join(found, "|")
}

// clockParts may follow each other after hh:mm.
var clockParts = []struct {
	seen trait
	text string
}{{secondsSeen, ":ss"}, {fractionSeen, ".fff"}, {meridiemSeen, " AM/PM"}}

func clockFormat(seen trait) string {
	format := []byte("hh:mm")
	for _, p := range clockParts {
		if seen&p.seen != 0 {
			format = append(format, p.text...)
		}
	}
	return string(format)
}

// currencies are signs that may precede a number's format, whether they precede or follow the numbers themselves.
var currencies = []struct {
	seen trait
	sign string
}{{yenSeen, "¥"}, {dollarSeen, "$"}, {euroSeen, "€"}, {poundSeen, "£"}, {kroneSeen, krone + " "}}

func init() {
	for code := range eachCode(otherCurrencies) {
		currencies = append(currencies, struct {
			seen trait
			sign string
		}{currencyOf(code), code + " "})
	}
}

// numberFormat returns a pattern like a spreadsheet's: # and 0 stand for digits, the last 0 for any number of decimal
// places.
func numberFormat(candidate set, seen trait) string {
	mark, group, grouped := ".", ",", groupedInPoint
	if candidate&commaNumbers != 0 {
		mark, group, grouped = ",", ".", groupedInComma
	}
	format := "0"
	switch {
	case seen&grouped != 0:
		format = "#" + group + "##0"
	case seen&groupedByOther != 0:
		format = "# ##0"
	}
	if candidate&(integerPoint|integerComma) == 0 {
		format += mark + "0"
	}
	if candidate&(percentPoint|percentComma) != 0 {
		return format + "%"
	}
	for _, c := range currencies {
		if seen&c.seen == c.seen {
			return c.sign + format
		}
	}
	return format
}
