package sums

import "sheetdrop/internal/sheet/dialect"

// The thresholds of these rules, with their reasons. Behind each stands what the corpus requires of it, as in package table.
const (
	evidence = dialect.Evidence
	narrow   = dialect.Narrow

	// LeastRows stand above one that sums up all of them, whatever it is called.
	LeastRows = 3 // free .. 3 TestSumsOfAllRows
	// rows above one that says how far their numbers are apart
	leastApart = 2 // free
	// sums of a record that are none by chance, whatever else it has
	severalSums = 3
	// digits of the numbers of such a sum, without zeros at their ends: small ones may be sums by chance
	sumDigits = 5 // 3 last-row-that-is-no-sum-stays .. 5 TestUnseenFiles
	// likewise, where a word says that it is one, or the row has nothing else and others have more
	bareDigits = 3 // free
	// rows that stand above the parts that they sum up
	severalParts = 2 // free
)
