package words

import (
	"slices"
	"strings"
)

// balances are parts of words for what an account holds.
var balances = []string{
	"balance", "saldo", "solde", "kontostand", "bestand", "残高", "остаток", "сальдо", "zůstatek",
	"zostatok", "egyenleg", "bakiye", "잔액", "余额", "餘額", "kassenstand", "繰越", "结余", "結餘", "结存", "이월",
}

// IsBalance reports whether the cell names what an account holds: Closing balance, Saldo final.
func IsBalance(cell []byte) bool {
	if len(cell) > longestTotalOf {
		return false
	}
	text := strings.ToLower(string(cell))
	return slices.ContainsFunc(balances, func(word string) bool { return strings.Contains(text, word) })
}

// openings and closings are words that the names of such balances begin with, where an account is opened and closed.
var (
	openings = []string{"anfang", "opening", "beginning", "initial", "saldo inicial", "solde initial", "solde d'ouverture", "vortrag",
		"saldovortrag",
		"saldo iniziale", "stan początkowy", "期首", "前月繰越", "前期繰越", "начальный остаток", "остаток на начало"}
	closings = []string{"endbestand", "endsaldo", "schlussbestand", "schlusssaldo", "closing", "ending balance", "saldo final", "solde final",
		"solde de clôture", "saldo finale", "stan końcowy", "期末", "翌月繰越", "次期繰越", "次月繰越", "конечный остаток", "остаток на конец"}
)

// OpensAccount reports whether the cell names what an account begins with.
func OpensAccount(cell []byte) bool { return IsBalance(cell) && beginsWith(openings, cell) }

// ClosesAccount reports whether the cell names what an account ends with.
func ClosesAccount(cell []byte) bool { return IsBalance(cell) && beginsWith(closings, cell) }

func beginsWith(words []string, cell []byte) bool {
	text := strings.ToLower(string(cell))
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(text, word) })
}
