package types

import (
	"iter"
	"math/bits"
	"slices"
	"strings"
)

// codeLetters is the length of a currency's code in ISO 4217.
const codeLetters = 3

// otherCurrencies are the codes that are read besides those of the yen, the dollar, the euro and the pound.
const otherCurrencies = "CHFPLNCZKHUFSEKNOKDKKINRCNYCADAUDNZDBRLKRWRUBUAHRONTWDHKDSGDMXNZARTRYTHBVNDIDRILSAEDSARPHPMYR" +
	"ARSCLPCOPPENUYUPYGBOBCRCGTQHNLNIODOPJMDTTDKESNGNGHSTZSUGXRWFETBMADTNDDZDEGPXOFXAFZMWMURBWPNADMZNAOA" +
	"PKRLKRBDTNPRQARKWDBHDOMRJODLBPIQDIRRKZTUZSKGSAZNAMDGELMDLBYNRSDBAMMKDALLBGNISKHRKLAKKHRMMKMNTMOP"

// wordCodes are those that are words in capitals, too: TRY 1, TRY 2 may be attempts, and TRY 12.50 is an amount.
const wordCodes = "TRYALLMADPENCOPGELBAMMOP"

// krone is how amounts are written in three countries, so that it names none of their currencies.
const krone = "kr"

// currencySigns are how people write currencies, besides ¥, $, € and £, by their codes.
var currencySigns = []struct {
	code    string
	written string // separated by spaces
}{
	{"USD", "US$"}, {"CAD", "C$ CA$"}, {"AUD", "A$ AU$"}, {"NZD", "NZ$"}, {"HKD", "HK$"}, {"SGD", "S$"}, {"TWD", "NT$"}, {"MXN", "MX$"},
	{"BRL", "R$"}, {"INR", "₹ Rs. Rs"}, {"RUB", "₽ руб. руб"}, {"UAH", "₴ грн. грн"}, {"PLN", "zł"}, {"CZK", "Kč"}, {"HUF", "Ft"},
	{"RON", "lei"}, {"TRY", "₺ TL"}, {"KRW", "₩ 원"}, {"CNY", "元 CN¥"}, {"THB", "฿"}, {"VND", "₫ đ"}, {"IDR", "Rp. Rp"}, {"ILS", "₪"},
	{"PHP", "₱"}, {"CHF", "SFr. Fr. Fr"}, {krone, "kr. kr Kr. Kr"}, {"NGN", "₦"}, {"KZT", "₸"}, {"GEL", "₾"}, {"CRC", "₡"}, {"AMD", "֏"},
	{"AZN", "₼"}, {"BDT", "৳"}, {"KHR", "៛"}, {"PYG", "₲"}, {"GHS", "GH₵ ₵"}, {"MNT", "₮"}, {"LAK", "₭"}, {"BGN", "лв. лв"}, {"KES", "KSh"},
}

// letterSigns are signs of currencies with which the names of things begin as well: R12 and R1.10 are no amounts, and R1,234.50 is one.
// They stand before the number.
var letterSigns = []struct{ code, written string }{{"ZAR", "R"}, {"MYR", "RM"}, {"PEN", "S/."}, {"PEN", "S/"}}

// unit is a currency as it stands before or behind a number, folded.
type unit struct {
	word  string
	seen  trait
	tight doubt // if no space stands between it and the number: CAD100 is rather the code of a thing
	loose doubt // if one does
}

// doubt is what a number with a currency must have for its column to be one of amounts.
type doubt uint8

const (
	certain     doubt = iota
	wantsMark         // thousands or decimals
	wantsAmount       // both
)

// unitsBefore and unitsAfter are the currencies by the first and by the last byte of their words, the longer ones first.
var unitsBefore, unitsAfter = func() (before, after [256][]unit) {
	add := func(u unit) {
		first, last := u.word[0], u.word[len(u.word)-1]
		before[first] = append(before[first], u)
		if u.tight == wantsAmount {
			u.tight = wantsMark // 12.50EUR is no code
		}
		after[last] = append(after[last], u)
	}
	for _, code := range []string{"JPY", "USD", "EUR", "GBP"} {
		add(unit{word: code, seen: currencyOf(code), tight: wantsAmount})
	}
	for code := range eachCode(otherCurrencies) {
		u := unit{word: code, seen: currencyOf(code), tight: wantsAmount}
		if indexOfCode(wordCodes, code) >= 0 {
			u.loose = wantsMark
		}
		add(u)
	}
	for _, s := range currencySigns {
		for word := range strings.FieldsSeq(s.written) {
			folded, _ := foldLetters(nil, []byte(word))
			add(unit{word: string(folded), seen: currencyOf(s.code)})
		}
	}
	for _, s := range letterSigns {
		before[s.written[0]] = append(before[s.written[0]], unit{s.written, currencyOf(s.code), wantsAmount, wantsMark})
	}
	for i := range before {
		longer := func(a, b unit) int { return len(b.word) - len(a.word) }
		slices.SortStableFunc(before[i], longer)
		slices.SortStableFunc(after[i], longer)
	}
	return before, after
}()

// eachCode returns the codes that a text is made of.
func eachCode(codes string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; i < len(codes); i += codeLetters {
			if !yield(codes[i : i+codeLetters]) {
				return
			}
		}
	}
}

// indexOfCode returns which of the codes that a text is made of a code is; -1 if it is none.
func indexOfCode(codes, code string) int {
	for i := 0; i < len(codes); i += codeLetters {
		if codes[i:i+codeLetters] == code {
			return i / codeLetters
		}
	}
	return -1
}

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
	if i := indexOfCode(otherCurrencies, code); i >= 0 {
		return currencyTrait(i)
	}
	return 0
}

// currencyTrait returns the trait of the currency with this index among the others: two bits, which no other one has, so that there are
// enough for all, and that two currencies have more.
func currencyTrait(index int) trait {
	high := 1
	for ; index >= high; high++ {
		index -= high
	}
	return firstCurrency<<high | firstCurrency<<index
}

// currenciesIn returns how many currencies a column has, up to two.
func currenciesIn(seen trait) int {
	return min(2, bits.OnesCount64(uint64(seen&oneBitUnits))+(bits.OnesCount64(uint64(seen&twoBitUnits))+1)/2)
}

// cutUnitBefore cuts a currency and the space behind it off the beginning of a number.
func cutUnitBefore(s []byte) (rest []byte, seen trait, d doubt) {
	for _, u := range unitsBefore[s[0]] {
		n := len(u.word)
		switch {
		case len(s) <= n || string(s[:n]) != u.word:
		case isSpaceOf(s[n]):
			return s[n+1:], u.seen, u.loose
		case !isLetter(s[n]):
			return s[n:], u.seen, u.tight
		}
	}
	return s, 0, certain
}

// cutUnitAfter cuts it and the space before it off the end.
func cutUnitAfter(s []byte) (rest []byte, seen trait, d doubt) {
	for _, u := range unitsAfter[s[len(s)-1]] {
		n := len(s) - len(u.word)
		switch {
		case n < 1 || string(s[n:]) != u.word:
		case isSpaceOf(s[n-1]):
			return s[:n-1], u.seen, u.loose
		case !isLetter(s[n-1]):
			return s[:n], u.seen, u.tight
		}
	}
	return s, 0, certain
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
