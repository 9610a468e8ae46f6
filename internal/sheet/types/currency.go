package types

import "strings"

// codeLetters is the length of a currency's code in ISO 4217.
const codeLetters = 3

// otherCurrencies are the codes that are read besides those of the yen, the dollar, the euro and the pound. Codes that are words in
// capitals, such as ALL, TOP and TRY, are not among them.
const otherCurrencies = "CHFPLNCZKHUFSEKNOKDKKINRCNYCADAUDNZDBRLKRWRUBUAHRONTWDHKDSGDMXNZAR"

// currencyOf returns the trait of a currency's code; 0 if it is none.
func currencyOf(code []byte) trait {
	switch string(code) {
	case "JPY":
		return yenSeen
	case "USD":
		return dollarSeen
	case "EUR":
		return euroSeen
	case "GBP":
		return poundSeen
	}
	for i := 0; i < len(otherCurrencies); i += codeLetters {
		if string(code) == otherCurrencies[i:i+codeLetters] {
			return firstCurrency << (i / codeLetters)
		}
	}
	return 0
}

// cutCodeBefore cuts the code of a currency and the space behind it off the beginning of a number. Without the space it is rather the
// code of a thing, such as CAD100.
func cutCodeBefore(s []byte) (rest []byte, unit trait) {
	if len(s) <= codeLetters || !isSpaceOf(s[codeLetters]) {
		return s, 0
	}
	return s[codeLetters+1:], currencyOf(s[:codeLetters])
}

// cutCodeAfter cuts it and the space before it off the end.
func cutCodeAfter(s []byte) (rest []byte, unit trait) {
	n := len(s) - codeLetters
	if n < 1 || !isSpaceOf(s[n-1]) {
		return s, 0
	}
	return s[:n-1], currencyOf(s[n:])
}

func isSpaceOf(c byte) bool { return c == ' ' || c == thinSpace }

// codeInitials are the first letters of the codes.
var codeInitials = func() string {
	initials := "JUEG"
	for i := 0; i < len(otherCurrencies); i += codeLetters {
		if c := otherCurrencies[i : i+1]; !strings.Contains(initials, c) {
			initials += c
		}
	}
	return initials
}()
