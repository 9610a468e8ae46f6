package types

import (
	"slices"
	"strings"
)

// codeLetters is the length of a currency's code in ISO 4217.
const codeLetters = 3

// otherCurrencies are the codes that are read besides those of the yen, the dollar, the euro and the pound. Codes that are words in
// capitals, such as ALL and TOP, are not among them.
const otherCurrencies = "CHFPLNCZKHUFSEKNOKDKKINRCNYCADAUDNZDBRLKRWRUBUAHRONTWDHKDSGDMXNZARTRYTHBVNDIDRILSAEDSARPHPMYR"

// krone is how amounts are written in three countries, so that it names none of their currencies.
const krone = "kr"

// currencySigns are how people write currencies, besides ¥, $, € and £, by their codes.
var currencySigns = []struct {
	code    string
	written string // separated by spaces
}{
	{"USD", "US$"}, {"CAD", "C$ CA$"}, {"AUD", "A$ AU$"}, {"NZD", "NZ$"}, {"HKD", "HK$"}, {"SGD", "S$"}, {"TWD", "NT$"}, {"MXN", "MX$"},
	{"BRL", "R$"}, {"INR", "₹ Rs. Rs"}, {"RUB", "₽ руб. руб"}, {"UAH", "₴ грн. грн"}, {"PLN", "zł"}, {"CZK", "Kč"}, {"HUF", "Ft"},
	{"RON", "lei"}, {"TRY", "₺ TL"}, {"KRW", "₩ 원"}, {"CNY", "元"}, {"THB", "฿"}, {"VND", "₫ đ"}, {"IDR", "Rp. Rp"}, {"ILS", "₪"},
	{"PHP", "₱"}, {"CHF", "SFr. Fr. Fr"}, {krone, "kr. kr Kr. Kr"},
}

// unit is a currency as it stands before or behind a number, folded.
type unit struct {
	word  string
	seen  trait
	apart bool // only with a space between it and the number: CAD100 is rather the code of a thing
}

// unitsBefore and unitsAfter are the currencies by the first and by the last byte of their words, the longer ones first.
var unitsBefore, unitsAfter = func() (before, after [256][]unit) {
	add := func(u unit) {
		first, last := u.word[0], u.word[len(u.word)-1]
		if u.word != "TRY" { // which begins with a word of English
			before[first] = append(before[first], u)
		}
		after[last] = append(after[last], u)
	}
	for _, code := range []string{"JPY", "USD", "EUR", "GBP"} {
		add(unit{code, currencyOf(code), true})
	}
	for i := 0; i < len(otherCurrencies); i += codeLetters {
		code := otherCurrencies[i : i+codeLetters]
		add(unit{code, currencyOf(code), true})
	}
	for _, s := range currencySigns {
		for word := range strings.FieldsSeq(s.written) {
			folded, _ := foldLetters(nil, []byte(word))
			add(unit{string(folded), currencyOf(s.code), false})
		}
	}
	for i := range before {
		longer := func(a, b unit) int { return len(b.word) - len(a.word) }
		slices.SortStableFunc(before[i], longer)
		slices.SortStableFunc(after[i], longer)
	}
	return before, after
}()

// currencyOf returns the trait of a currency's code, or of krone; 0 if it is none.
func currencyOf(code string) trait {
	switch code {
	case "JPY":
		return yenSeen
	case "USD":
		return dollarSeen
	case "EUR":
		return euroSeen
	case "GBP":
		return poundSeen
	case krone:
		return kroneSeen
	}
	for i := 0; i < len(otherCurrencies); i += codeLetters {
		if code == otherCurrencies[i:i+codeLetters] {
			return firstCurrency << (i / codeLetters)
		}
	}
	return 0
}

// cutUnitBefore cuts a currency and the space behind it off the beginning of a number.
func cutUnitBefore(s []byte) (rest []byte, seen trait) {
	for _, u := range unitsBefore[s[0]] {
		n := len(u.word)
		switch {
		case len(s) <= n || string(s[:n]) != u.word:
		case isSpaceOf(s[n]):
			return s[n+1:], u.seen
		case !u.apart && !isLetter(s[n]):
			return s[n:], u.seen
		}
	}
	return s, 0
}

// cutUnitAfter cuts it and the space before it off the end.
func cutUnitAfter(s []byte) (rest []byte, seen trait) {
	for _, u := range unitsAfter[s[len(s)-1]] {
		n := len(s) - len(u.word)
		switch {
		case n < 1 || string(s[n:]) != u.word:
		case isSpaceOf(s[n-1]):
			return s[:n-1], u.seen
		case !u.apart && !isLetter(s[n-1]):
			return s[:n], u.seen
		}
	}
	return s, 0
}

func isSpaceOf(c byte) bool { return c == ' ' || c == thinSpace }

// unitInitials are the first bytes of currencies.
var unitInitials = func() (initials string) {
	for i, units := range unitsBefore {
		if len(units) > 0 {
			initials += string([]byte{byte(i)})
		}
	}
	return initials
}()
