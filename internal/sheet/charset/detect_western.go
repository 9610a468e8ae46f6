package charset

import "strings"

// The characters of windows-1252 by how often they occur in text.
const (
	commonAccents = "äöüßéèêàçñáíóúåøæâîôûëïìòùãõ"
	capitals      = "ÄÖÜÉÈÊÀÇÑÁÍÓÚÅØÆÂÎÔÛËÏÌÒÙÃÕÝÐÞŠŽŒŸ"
	rareAccents   = "ýÿðþšžœ"
	commonSymbols = "’‘“”„–—…€•\u00a0«»°§®©™½²³µ·£¡¿ºª´"
)

// westernKind is the kind of a character of windows-1252.
type westernKind uint8

const (
	undefined westernKind = iota
	accent
	rareAccent
	capital
	symbol
	rareSymbol
)

// westernKinds are the kinds of 0x80–0xFF.
var westernKinds = func() (kinds [128]westernKind) {
	for i, r := range windows1252.high {
		switch {
		case r == 0:
		case strings.ContainsRune(commonAccents, r):
			kinds[i] = accent
		case strings.ContainsRune(rareAccents, r):
			kinds[i] = rareAccent
		case strings.ContainsRune(capitals, r):
			kinds[i] = capital
		case strings.ContainsRune(commonSymbols, r):
			kinds[i] = symbol
		default:
			kinds[i] = rareSymbol
		}
	}
	return kinds
}()

// westernBits are the surprises of the kinds.
var westernBits = [...]int{
	accent:     accentBits,
	rareAccent: rareAccentBits,
	capital:    capitalBits,
	symbol:     symbolBits,
	rareSymbol: rareSymbolBits,
}

func (e *evidence) addWindows1252(b []byte) {
	for i := asciiLen(b); i < len(b); i += asciiLen(b[i:]) {
		kind := westernKinds[b[i]-0x80]
		if kind == undefined {
			e.addBad()
		} else {
			e.addGood(westernBits[kind] + companyBits(b, i, kind))
			if kind >= symbol {
				e.symbols++
			}
		}
		i++
	}
}

// neverFirst is a capital that no word begins with, so that no small letter follows it: ü in Mac Roman.
const neverFirst = 'Ÿ'

// companyBits returns the surprise of the neighbours of byte i: few non-ASCII characters follow one another, and no
// capital follows a lower-case letter.
func companyBits(b []byte, i int, kind westernKind) int {
	var before, after byte
	if i > 0 {
		before = b[i-1]
	}
	if i+1 < len(b) {
		after = b[i+1]
	}
	bits := 0
	if before >= 0x80 {
		bits += besideBits
		if i > 1 && b[i-2] >= 0x80 {
			bits += besideTwoBits
		}
	}
	if kind >= symbol {
		if isLetter(before) && isLetter(after) && !strings.ContainsRune(innerSigns, windows1252.high[b[i]-0x80]) {
			bits += strangeBits
		}
		return bits
	}
	if kind == capital && (isLower(before) || isLower(after) && (isUpper(before) || windows1252.high[b[i]-0x80] == neverFirst)) {
		bits += strangeBits
	}
	if kind != capital && isUpper(after) {
		bits += strangeBits
	}
	return bits
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
