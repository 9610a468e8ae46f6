package types

// longestWord is the length, in bytes, of the longest boolean.
const longestWord = len("いいえ")

// parseBoolean reads the whole text, which is trimmed and not folded, as one of the words that stand for true and false.
func parseBoolean(text []byte) (fits set, value, ok bool) {
	if len(text) > longestWord {
		return 0, false, false
	}
	var buffer [longestWord]byte
	word := append(buffer[:0], text...)
	for i, c := range word {
		if isLetter(c) {
			word[i] = c | 0x20
		}
	}
	switch string(word) {
	case "true":
		return boolTrueFalse, true, true
	case "false":
		return boolTrueFalse, false, true
	case "yes":
		return boolYesNo, true, true
	case "no":
		return boolYesNo, false, true
	case "on":
		return boolOnOff, true, true
	case "off":
		return boolOnOff, false, true
	case "y":
		return boolYN, true, true
	case "n":
		return boolYN, false, true
	case "t":
		return boolTF, true, true
	case "f":
		return boolTF, false, true
	case "wahr":
		return boolWahrFalsch, true, true
	case "falsch":
		return boolWahrFalsch, false, true
	case "vrai":
		return boolVraiFaux, true, true
	case "faux":
		return boolVraiFaux, false, true
	case "ja":
		return boolJaNein, true, true
	case "nein":
		return boolJaNein, false, true
	case "oui":
		return boolOuiNon, true, true
	case "non":
		return boolOuiNon, false, true
	case "はい":
		return boolHaiIie, true, true
	case "いいえ":
		return boolHaiIie, false, true
	case "○", "〇", "◯":
		return boolMaruBatsu, true, true
	case "×", "✕", "✖":
		return boolMaruBatsu, false, true
	case "有":
		return boolUmu, true, true
	case "無":
		return boolUmu, false, true
	case "あり":
		return boolAriNashi, true, true
	case "なし":
		return boolAriNashi, false, true
	case "1":
		return boolOneZero, true, true
	case "0":
		return boolOneZero, false, true
	}
	return 0, false, false
}
