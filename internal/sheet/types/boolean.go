package types

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// booleanWords are the words that stand for true and for false, in lower case.
var booleanWords = []struct {
	fits         set
	truth, falsy string
}{
	{boolTrueFalse, "true", "false"},
	{boolYesNo, "yes", "no"},
	{boolOnOff, "on", "off"},
	{boolYN, "y", "n"},
	{boolTF, "t", "f"},
	{boolWahrFalsch, "wahr", "falsch"},
	{boolVraiFaux, "vrai", "faux"},
	{boolJaNein, "ja", "nein"},
	{boolOuiNon, "oui", "non"},
	{boolHaiIie, "はい", "いいえ"},
	{boolMaruBatsu, "○ 〇 ◯", "× ✕ ✖"},
	{boolUmu, "有", "無"},
	{boolAriNashi, "あり", "なし"},
	{boolOneZero, "1", "0"},
	{boolSiNo, "sí sì si", "no"},
	{boolSimNao, "sim", "não nao"},
	{boolJaNee, "ja", "nee"},
	{boolJaNej, "ja", "nej"},
	{boolDaNet, "да", "нет"},
	{boolTakNi, "так", "ні"},
	{boolTakNie, "tak", "nie"},
	{boolAnoNe, "ano", "ne"},
	{boolIgenNem, "igen", "nem"},
	{boolEvetHayir, "evet", "hayır"},
	{boolKyllaEi, "kyllä", "ei"},
	{boolNaiOchi, "ναι", "όχι οχι"},
	{boolNaamLa, "نعم", "لا"},
	{boolShiFou, "是", "否"},
	{boolYeAniyo, "예 네", "아니요 아니오"},
	// Spanish, Portuguese, Italian, Dutch, Polish, Czech and Slovak, Hungarian, Swedish, Danish and Norwegian, Finnish, Turkish, Romanian,
	// Russian, Ukrainian, Greek; and marks
	{boolOtherTrueFalse, "verdadero verdadeiro vero waar prawda pravda igaz sant sand sann tosi doğru adevărat истина істина αληθες αληθεσ ✓ ✔ ☑",
		"falso onwaar fałsz nepravda hamis falskt falsk usann epätosi yanliş yanlış fals ложь хибність ψευδες ψευδεσ ✗ ✘ ☐"},
	// Romanian, Croatian, Serbian, Slovene and Bulgarian, Slovak, Norwegian and Icelandic, Lithuanian, Latvian, Estonian, Vietnamese,
	// Indonesian, Hebrew
	{boolOtherYesNo, "da да áno ja já taip jā jah có ya כן", "nu ne не nie nei nē ei không tidak לא"},
}

// meaning is what a word is as a boolean: in columns of which words, and which of the two values. No word stands for both.
type meaning struct {
	fits  set
	value bool
}

// meanings are those of booleanWords by their word, whose letters of ASCII are in lower case.
var meanings = func() map[string]meaning {
	all := map[string]meaning{}
	add := func(words string, fits set, value bool) {
		for word := range strings.FieldsSeq(words) {
			first, size := utf8.DecodeRuneInString(word)
			for _, written := range []string{word, string(unicode.ToUpper(first)) + word[size:], strings.ToUpper(word)} {
				key := string(lowerASCII(nil, []byte(written)))
				all[key] = meaning{all[key].fits | fits, value}
			}
		}
	}
	for _, w := range booleanWords {
		add(w.truth, w.fits, true)
		add(w.falsy, w.fits, false)
	}
	return all
}()

// longestWord is the length, in bytes, of the longest boolean.
const longestWord = len("хибність")

// parseBoolean reads the whole text, which is trimmed and not folded, as one of the words that stand for true and false.
func parseBoolean(text []byte) (fits set, value, ok bool) {
	if len(text) > longestWord {
		return 0, false, false
	}
	var buffer [longestWord]byte
	m, ok := meanings[string(lowerASCII(buffer[:0], text))]
	return m.fits, m.value, ok
}
