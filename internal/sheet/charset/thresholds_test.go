package charset

import (
	"strings"
	"testing"
)

// A text of UTF-8 with a few broken bytes is still one.
func TestShareOfBrokenBytes(t *testing.T) {
	t.Parallel()
	if !(&evidence{good: 10, bad: 1}).fits() || (&evidence{good: 9, bad: 1}).fits() {
		t.Error("one broken byte beside ten characters fits, beside nine it does not")
	}
}

// What is read as UTF-16 by mistake is lost as a whole.
func TestThresholdsOfUTF16(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		separators int // bytes
		little     orderEvidence
		want       Encoding
	}{
		"a third of the delimiters":         {30, orderEvidence{separators: 10}, UTF16LE},
		"less than a third":                 {30, orderEvidence{separators: 9}, nil},
		"bad units, one of fifty":           {30, orderEvidence{separators: 10, bad: 2}, UTF16LE},
		"bad units, more":                   {30, orderEvidence{separators: 10, bad: 3}, nil},
		"no delimiter, a fourth of letters": {0, orderEvidence{ascii: 25}, UTF16LE},
		"no delimiter, fewer letters":       {0, orderEvidence{ascii: 24}, nil},
	} {
		e := utf16Evidence{zeros: true, units: 100, separators: c.separators, little: c.little}
		if got, _ := e.decide(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	// A delimiter in one order counts for more than three letters in the other.
	e := utf16Evidence{zeros: true, units: 10, separators: 1, little: orderEvidence{separators: 1}, big: orderEvidence{ascii: 3}}
	if got, _ := e.decide(); got != UTF16LE {
		t.Errorf("a delimiter against three letters: %v", got)
	}
}

func TestThresholdsOfScripts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		e                    scriptEvidence
		units, control, high int
		want                 bool
	}{
		"one unit of twenty is unknown":        {scriptEvidence{known: 95}, 100, 4, 0, true},
		"more are unknown":                     {scriptEvidence{known: 94}, 100, 4, 0, false},
		"few control characters":               {scriptEvidence{known: 100}, 100, 3, 0, false},
		"two control characters":               {scriptEvidence{known: 50}, 50, 2, 0, true},
		"one control character":                {scriptEvidence{known: 25}, 25, 1, 0, false},
		"a fourth of the kanji are common":     {scriptEvidence{known: 100, kanji: 60, commonKanji: 15}, 100, 4, 0, true},
		"fewer kanji are common":               {scriptEvidence{known: 100, kanji: 60, commonKanji: 14}, 100, 4, 0, false},
		"Japanese but for one of five":         {scriptEvidence{known: 100, kana: 40, commonKanji: 40, kanji: 40}, 100, 0, 4, true},
		"Japanese but for more":                {scriptEvidence{known: 100, kana: 39, commonKanji: 40, kanji: 40}, 100, 0, 4, false},
		"Japanese with few bytes beyond ASCII": {scriptEvidence{known: 100, kana: 80}, 100, 0, 3, false},
		"four units of Japanese":               {scriptEvidence{known: 4, kana: 4}, 4, 0, 4, true},
		"three units of Japanese":              {scriptEvidence{known: 3, kana: 3}, 3, 0, 3, false},
		"emoji in half of the units":           {scriptEvidence{known: 100, pictures: 50}, 100, 0, 0, true},
		"emoji in fewer":                       {scriptEvidence{known: 100, pictures: 49}, 100, 0, 0, false},
	} {
		if got := c.e.fits(c.units, c.control, c.high); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// More kanji in a row than an address has are a sign of another encoding.
func TestKanjiInARow(t *testing.T) {
	t.Parallel()
	bits := func(n int) int {
		var e evidence
		run := japaneseRun{evidence: &e}
		for _, r := range strings.Repeat("日", n) {
			run.add(r)
		}
		return e.bits
	}
	if bits(10) != 10*bits(1) || bits(11) <= 11*bits(1) {
		t.Errorf("one has %d bits, ten %d, eleven %d", bits(1), bits(10), bits(11))
	}
}

func TestConfidenceOfALead(t *testing.T) {
	t.Parallel()
	if confidence(-1) != 0.5 || confidence(4) != 0.75 || confidence(8) != 0.875 {
		t.Errorf("%v %v %v", confidence(-1), confidence(4), confidence(8))
	}
	if !(Decision{Confidence: 0.999, Found: true}).Sure() || (Decision{Confidence: 0.998, Found: true}).Sure() || (Decision{Confidence: 1}).Sure() {
		t.Error("only a decision of 0.999 and more on what was found is sure")
	}
}
