package charset

import (
	"math"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// languageTable is how often the letters of a language are neighbours. A row of costs is for a left neighbour, a character of it for a
// right one: first everything but letters, then a to z, then the alphabet. '0' is no surprise, each next character half a bit more, and a
// blank stands for pairs without a letter of the alphabet.
type languageTable struct {
	name     string
	alphabet string // the letters beyond ASCII, in lower case
	costs    []string
}

// westernLanguages are those of Western Europe, and all of them together.
const westernLanguages = "western de fr es pt it nl sv da fi is ca"

// written is a single-byte encoding with its languages, and the bits that it has to lead by: in doubt a text is in a more common one.
type written struct {
	enc       *singleByte
	rare      int
	languages string
}

// writtenIn are the single-byte encodings that programs write today.
var writtenIn = []written{
	{windows1252, 0, westernLanguages},
	{windows1250, rareEncodingBits, "pl cs sk hu hr sl ro"},
	{windows1251, otherScriptBits, "ru uk bg sr be"},
	{windows1253, otherScriptBits, "el"},
	{windows1254, rareEncodingBits, "tr"},
	{windows1256, otherScriptBits, "ar"},
	{windows1257, rareEncodingBits, "lt lv et"},
	{koi8r, otherScriptBits + 2, "ru bg"},
	{latin9, rareEncodingBits, westernLanguages + " et"},
	{macintosh, rarestEncodingBits, westernLanguages},
	{windows1255, otherScriptBits, "he"},
	{windows1258, otherScriptBits + oldEncodingBits, "vi"},
	{windows874, otherScriptBits, "th"},
}

// oldEncodings are those of programs before Windows and of other systems.
var oldEncodings = []written{
	{latin2, rarestEncodingBits, "pl cs sk hu hr sl ro"},
	{iso88595, otherScriptBits + oldEncodingBits, "ru uk bg sr be"},
	{iso88596, otherScriptBits + oldEncodingBits, "ar"},
	{iso88597, otherScriptBits + oldEncodingBits, "el"},
	{koi8u, otherScriptBits + oldEncodingBits, "uk"},
	{cp850, oldEncodingBits, westernLanguages},
	{cp437, oldEncodingBits + 2, westernLanguages},
	{cp852, oldEncodingBits, "pl cs sk hu hr sl ro"},
	{cp862, otherScriptBits + oldEncodingBits, "he"},
	{cp866, otherScriptBits + oldEncodingBits, "ru uk bg be"},
	{macCyrillic, otherScriptBits + oldEncodingBits, "ru uk bg"},
	{iso88594, oldEncodingBits, "lt lv et"},
	{cp737, otherScriptBits + oldEncodingBits, "el"},
	{xMacGreek, otherScriptBits + oldEncodingBits + 2, "el"},
	{cp775, oldEncodingBits + 2, "lt lv et"},
	{cp855, otherScriptBits + oldEncodingBits + 2, "ru uk bg sr be"},
	{cp857, oldEncodingBits, "tr"},
	{macTurkish, oldEncodingBits + 2, "tr"},
	{xMacCE, oldEncodingBits, "pl cs sk hu"},
	{cp860, oldEncodingBits + 2, "pt"},
	{cp861, oldEncodingBits + 2, "is"},
	{cp863, oldEncodingBits + 2, "fr"},
	{cp865, oldEncodingBits + 2, "da"},
}

// model is a language as an encoding writes it.
type model struct {
	enc   *singleByte
	rare  int        // as in candidate
	costs [][]int    // in halves of a bit
	class [256]uint8 // the row and column of costs
	kind  [256]characterKind
	among []*model // where a text is in several languages: those of its encoding, in place of costs
}

// characterKind is what a byte is in a model.
type characterKind uint8

const (
	otherASCII characterKind = iota
	lowerASCII
	upperASCII
	lowerLetter // of the language's alphabet
	upperLetter
	lowerForeign // of another language
	upperForeign
	commonSymbol
	strangeSymbol
	noCharacterAtAll
)

// models are all languages in all their encodings.
var models = sync.OnceValue(func() []*model { return modelsOf(writtenIn, true) })

// oldModels are those of oldEncodings.
var oldModels = sync.OnceValue(func() []*model { return modelsOf(oldEncodings, false) })

// modelsOf returns the models of encodings; with mixed, those of texts in several languages, too.
func modelsOf(encodings []written, mixed bool) (list []*model) {
	for _, w := range encodings {
		var among []*model
		for name := range strings.FieldsSeq(w.languages) {
			for i := range languageTables {
				if t := &languageTables[i]; t.name == name {
					among = append(among, newModel(w.enc, w.rare, t))
				}
			}
		}
		list = append(list, among...)
		if mixed && len(among) > 1 && !strings.HasPrefix(w.languages, westernLanguages) { // which has a table of all its languages
			all := *among[0]
			all.among = among
			list = append(list, &all)
		}
	}
	return list
}

func newModel(enc *singleByte, rare int, t *languageTable) *model {
	m := &model{enc: enc, rare: rare, costs: make([][]int, len(t.costs))}
	for i, row := range t.costs {
		for _, c := range []byte(row) {
			m.costs[i] = append(m.costs[i], int(c)-'0')
		}
	}
	for c := range m.class {
		r := rune(c)
		if c >= utf8.RuneSelf {
			r = enc.high[c-utf8.RuneSelf]
		}
		m.class[c], m.kind[c] = classify(r, t.alphabet)
	}
	if m.kind[0xFF] == commonSymbol { // of DOS, whose programs did not write it
		m.kind[0xFF] = strangeSymbol
	}
	return m
}

// letters is how many classes are not of the alphabet: everything but letters, and a to z.
const letters = 27

func classify(r rune, alphabet string) (uint8, characterKind) {
	lower := unicode.ToLower(r)
	upper := characterKind(0)
	if lower != r {
		upper = 1
	}
	at := strings.IndexRune(alphabet, lower)
	switch {
	case lower >= 'a' && lower <= 'z':
		return uint8(lower-'a') + 1, lowerASCII + upper
	case r > 0 && r < utf8.RuneSelf:
		return 0, otherASCII
	case r == 0 || unicode.IsControl(r):
		return 0, noCharacterAtAll
	case at >= 0:
		return letters + uint8(utf8.RuneCountInString(alphabet[:at])), lowerLetter + upper
	case (unicode.IsLetter(r) || unicode.Is(unicode.Mn, r)) && !unicode.Is(unicode.Lm, r) && !strings.ContainsRune(commonSymbols, r):
		return 0, lowerForeign + upper
	case strings.ContainsRune(commonSymbols, r):
		return 0, commonSymbol
	}
	return 0, strangeSymbol
}

func (k characterKind) isLower() bool {
	return k == lowerASCII || k == lowerLetter || k == lowerForeign
}

func (k characterKind) isLetter() bool { return k.isLower() || k.isUpper() }

func (k characterKind) isUpper() bool {
	return k == upperASCII || k == upperLetter || k == upperForeign
}

// kindBits is the surprise of characters that have no place in the language.
var kindBits = [...]int{
	lowerForeign:     foreignBits,
	upperForeign:     foreignBits,
	commonSymbol:     symbolBits,
	strangeSymbol:    rareSymbolBits,
	noCharacterAtAll: badBits,
}

// neighbourBits returns the surprise of neighbours of which at least one is beyond ASCII: a capital after a small letter, a letter beside
// a digit, and signs in a row that text seldom has at all.
func (m *model) neighbourBits(p bytePair) int {
	left, right := m.kind[p.left], m.kind[p.right]
	switch {
	case left == strangeSymbol && right == strangeSymbol:
		return 2 * strangeBits
	case left.isLower() && right.isUpper() && p.left >= utf8.RuneSelf && p.right >= utf8.RuneSelf:
		return 2 * strangeBits
	case right.isLower() && p.left >= utf8.RuneSelf && m.enc.high[p.left-utf8.RuneSelf] == neverFirst:
		return strangeBits
	case left.isLower() && right.isUpper(), left.isLetter() && isDigit(p.right), right.isLetter() && isDigit(p.left):
		return strangeBits
	}
	return 0
}

// words of one letter beyond ASCII, in lower case
const shortWords = "àáåæèéêíìóòôöøú"

// companyBits returns the surprise of a character besides that of its pairs: without letters beside it, since few words of Latin letters
// have one, or inside a word.
func (m *model) companyBits(c byte, alone, inside int) int {
	kind, r := m.kind[c], m.enc.high[c-utf8.RuneSelf]
	switch {
	case r == noBreak:
		return inside*strangeBits - alone*noBreakBits
	case r == apostrophe:
		return -inside * apostropheBits
	case kind.isLetter() && r < latinEnd && !(kind == lowerLetter && strings.ContainsRune(shortWords, r)):
		return alone * strangeBits
	case !kind.isLetter() && !strings.ContainsRune(innerSigns, r):
		return inside * strangeBits
	}
	return 0
}

// innerSigns may stand between two letters.
const innerSigns = "’‘´·\u00ad…–—"

// noBreak is a blank that does not break, as web pages and spreadsheets write it: the most common of all signs.
const noBreak = '\u00a0'

// apostrophe is the one that word processors write: it’s.
const apostrophe = '’'

// latinEnd is where Latin letters end.
const latinEnd = 0x250

// start returns how surprising it is that a text is of the model's languages, in quarters of a bit.
func (m *model) start() int {
	if len(m.among) > 0 {
		return 4 * mixedBits
	}
	return 0
}

// quarters returns the surprise of neighbours by their language, in quarters of a bit; in several languages that of the best one.
func (m *model) quarters(p bytePair) int {
	if len(m.among) > 0 {
		least := math.MaxInt
		for _, language := range m.among {
			least = min(least, language.quarters(p))
		}
		return least + mixedQuarters
	}
	q := 0
	if l, r := m.class[p.left], m.class[p.right]; l >= letters || r >= letters {
		q = m.costs[l][r]
	}
	if p.right >= utf8.RuneSelf {
		q += 4 * kindBits[m.kind[p.right]]
	}
	return q
}

// evidence is what the model makes of pairs of bytes, which are those of the counts.
func (m *model) evidence(counts *pairCounts, pairs []bytePair) evidence {
	var e evidence
	lone := 0 // letters that may be words
	for c := utf8.RuneSelf; c < len(counts.alone); c++ {
		if alone, inside := counts.alone[c], counts.inside[c]; alone+inside > 0 {
			bits := m.companyBits(byte(c), int(alone), int(inside))
			if e.bits += bits; bits == 0 && m.kind[c].isLetter() {
				lone += int(alone)
			}
		}
	}
	for c, n := range &counts.second { // no word is MŠder, as Mäder of Mac Roman is in windows-1252
		if m.kind[c].isUpper() {
			e.bits += int(n) * strangeBits
		}
	}
	for _, c := range []byte{0xB2, 0xB3} { // no word is mł
		if m.kind[c].isLetter() {
			e.bits += int(counts.powers[c]) * strangeBits
		}
	}
	quarters, letterBars := m.start(), counts.barsSeparate() && m.enc.high[brokenBar-utf8.RuneSelf] != '¦'
	for _, p := range pairs {
		n := int(p.n)
		if letterBars && p.right == brokenBar { // no letter comes as often in each line, beside digits
			e.bits += n * badBits
		}
		quarters += n * m.quarters(p)
		e.bits += n * m.neighbourBits(p)
		if p.right < utf8.RuneSelf {
			continue
		}
		right := m.kind[p.right]
		if right == noCharacterAtAll {
			e.bad += n
		} else {
			e.good += n
		}
		if right == commonSymbol || right == strangeSymbol {
			e.symbols += n
		}
	}
	e.bits += quarters / 4
	if lone*lettersPerLone > e.good-e.symbols { // a language that has words of one letter has others, too
		e.bits += lone * strangeBits
	}
	return e
}
