package table

import (
	"slices"
	"strconv"

	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/words"
)

// isClosingLine reports whether the record's shape tells that it stands below the table: it names an amount where the others have numbers,
// sums up for a unit, or explains marks; or, below a blank record, it weighs the columns, or has a name and its value alone, above others
// that may be none of the table.
func (f *closingBlock) isClosingLine(r row, apart bool) bool {
	if f.width <= narrow || r.filled < listCells {
		return false
	}
	first := f.waiting > 0 || f.line > 0 // of several
	if (r.extra || f.extra) && r.isNameWithValue() && f.lacksFirst(r) {
		f.extra = true
		return true
	}
	return f.namesSum(r) || f.sumsUpUnit(r) || f.explainsMarks(r) ||
		apart && (f.lacks(r) && f.hasOnlyShares(r) || first && r.isNameWithValue() && f.lacksFirst(r))
}

// namesSum reports whether the record has nothing but a name, where all rows with a first value have numbers, and a number behind it.
//
//	1,K-4,Rope,  20,1.50,30.00
//	 ,   ,    ,    ,Net, 30.00
func (f *closingBlock) namesSum(r row) bool {
	if !r.isNameWithValue() || !f.lacksFirst(r) {
		return false
	}
	name, numbers := slices.Index(r.kinds, kind.Word), 0
	for _, other := range f.rows {
		if len(other.kinds) != len(r.kinds) || other.kinds[0] == kind.Empty || other.filled <= 1 {
			continue
		}
		switch other.kinds[name] {
		case kind.Number:
			numbers++
		case kind.Empty:
		default:
			return false
		}
	}
	return numbers >= evidence
}

// sumsUpUnit reports whether the record has nothing but numbers and, right behind one, a unit that rows have in this column, too. So
// programs sum up for each unit or currency.
//
//	3198,2024-03-25,Kari,66,PC,1.5
//	3199,2024-03-26,Nest, 8,KG,2.5
//	    ,          ,    ,66,PC,1.5
//	    ,          ,    , 8,KG,2.5
func (f *closingBlock) sumsUpUnit(r row) bool {
	unit := slices.IndexFunc(r.kinds, func(k kind.Kind) bool { return k != kind.Empty && k != kind.Number })
	if unit < 1 || r.kinds[unit-1] != kind.Number || r.numbers() != r.filled-1 || !f.lacksFirst(r) {
		return false
	}
	_, other := f.compare(r)
	return other == 0 && slices.ContainsFunc(upper(f.rows), func(o row) bool {
		return len(o.texts) == len(r.texts) && o.kinds[0] != kind.Empty && o.texts[unit] == r.texts[unit]
	})
}

// namesNumbersEach reports whether the record has two names or more, each right before its number, and nothing else.
//
//	Business km,160,,Private km,0
func (r row) namesNumbersEach() bool {
	pairs := 0
	for i := 0; i < len(r.kinds); i++ {
		switch {
		case r.kinds[i] == kind.Empty:
		case r.kinds[i] != kind.Word || i+1 == len(r.kinds) || r.kinds[i+1] != kind.Number:
			return false
		default:
			pairs, i = pairs+1, i+1
		}
	}
	return 2*pairs >= formCells
}

// explainsMarks reports whether all cells of the record explain a mark, as those of no row do.
//
//	E = early 07-15,L = late 15-23
func (f *closingBlock) explainsMarks(r row) bool {
	return r.explains && f.n >= evidence && !slices.ContainsFunc(upper(f.rows), func(other row) bool { return other.explains })
}

// hasOnlyShares reports whether the record has a name and otherwise nothing but shares, of which no other record has any, as where it
// weighs the columns.
//
//	Brise,  3,   3,   5,   3.4
//	Weights,40 %,40 %,20 %,
func (f *closingBlock) hasOnlyShares(r row) bool {
	if r.kinds[0] != kind.Word || r.percents < listCells || int(r.percents) != r.filled-1 {
		return false
	}
	return !slices.ContainsFunc(f.rows, func(other row) bool { return other.percents > 0 && !sameTexts(other, r) })
}

// countsMarks reports whether the record counts the marks above it: it has a name and numbers, of which three or more stand in columns of
// texts or days in which no other record has one. So that it is no row, it stands below days, has a word for their number, or lacks a
// column in which nearly all have a value; or all records below a blank one are such.
//
//	Name, Since,     Fire,First aid,Welding
//	Ahmed,2019-03-01,x,   x,
//	Bruno,2021-07-15,x,   ,         x
//	Done, ,          100%,50%,      50%
func (f *closingBlock) countsMarks(r row) bool {
	n, days := f.marksCounted(r)
	if n < evidence {
		return false
	}
	counts := f.hasNumberOfOtherColumn
	told := f.lacks(r) || days > 0 || r.counting || r.isSum()
	if told && !slices.ContainsFunc(f.rows, func(o row) bool { return !sameTexts(o, r) && counts(o) }) {
		return true
	}
	blank := len(f.rows) - 1
	for blank >= 0 && !f.rows[blank].blank {
		blank--
	}
	return blank >= evidence && !slices.ContainsFunc(f.rows[:blank], counts) && !slices.ContainsFunc(f.rows[blank+1:], func(o row) bool {
		n, _ := f.marksCounted(o)
		return n < evidence
	})
}

// hasNumberOfOtherColumn reports whether the record has a number behind the first column in one that is not of numbers.
func (f *closingBlock) hasNumberOfOtherColumn(r row) bool {
	for i, k := range r.kinds[:min(len(r.kinds), len(f.kinds))] {
		if i > 0 && k == kind.Number && f.kinds[i] != kind.Number {
			return true
		}
	}
	return false
}

// marksCounted returns in how many columns of texts or days the record has a number, and in how many of days, if it has a name and nothing
// else but numbers. The name may stand behind a first column of values.
func (f *closingBlock) marksCounted(r row) (n, days int) {
	name, ok := r.nameAndNumbers()
	if !ok || r.width != f.width || r.broken || name < 0 || name > 1 || name > 0 && f.kinds[0] <= kind.Word {
		return 0, 0
	}
	for i, k := range r.kinds {
		switch {
		case k != kind.Number || f.kinds[i] == kind.Number:
		case f.kinds[i] > kind.Moment: // codes or addresses
			return 0, 0
		default:
			if n++; f.kinds[i] == kind.Moment {
				days++
			}
		}
	}
	return n, days
}

// isNoteBehindNumber reports whether the record has nothing but the number or letter of a note and its text, where the others have values.
//
//	1,Prices are averages over the month.
func (f *closingBlock) isNoteBehindNumber(r row) bool {
	if r.filled != listCells || r.kinds[0] == kind.Empty || r.key > words.FootnoteMark ||
		f.kinds[0] != kind.Word {
		return false
	}
	return r.kinds[1] == kind.Word && f.kinds[1] > kind.Word && f.missing(r) >= sumLacks && !f.isUsualShape(r)
}

// countsRows reports whether the record has nothing but a name and the number of rows, or a word for their number and a number.
//
//	K-4;Rope;20;1.50
//	K-7;Hook;12;0.80
//	TRAILER;2
func (f *closingBlock) countsRows(r row) bool {
	if r.width != listCells || !r.isNameWithValue() {
		return false
	}
	return r.counting || r.texts[1] == hash(strconv.AppendInt(nil, int64(f.n), 10))
}

// bothBalances are the opening and the closing one.
const bothBalances = 2

// isClosingBalance reports whether the record has the closing balance of an account. It has the shape of the table's first row and of no
// other; both name a balance, and lack a first column of values. The first one says what the account held before, and is a row.
//
//	,         ,Opening balance,     ,1000.00
//	02.01.2024,1001,Rent,    -800.00, 200.00
//	,         ,Closing balance,     , 200.00
func (f *closingBlock) isClosingBalance(r row) bool {
	if f.closesAccount(r) || f.isDatedBalance(r) {
		return true
	}
	if !r.namesBalance || r.kinds[0] != kind.Empty || f.kinds[0] <= kind.Word {
		return false
	}
	first, alike := f.rows[pastBlank(f.rows, 0)], 0
	for _, b := range f.rows {
		if sameShape(b, r) {
			alike++
		}
	}
	return first.line != r.line && first.namesBalance && sameShape(first, r) && alike == bothBalances
}

// closesAccount reports whether the record has the name of a closing balance and numbers, and the first one that of an opening one.
//
//	Opening balance,15000,17200
//	Receipts,       42000,39500
//	Payments,      -39800,-43800
//	Closing balance,17200,12900
func (f *closingBlock) closesAccount(r row) bool {
	if !r.closes || r.kinds[0] != kind.Word || f.kinds[0] != kind.Word || !f.namesNumbers(r) {
		return false
	}
	first := pastBlank(f.rows, 0)
	return first < len(f.rows) && f.rows[first].opens && f.rows[first].kinds[0] == kind.Word
}

// isDatedBalance reports whether the record has a day and, behind gaps that no row has, the name of a closing balance, and another one of
// its shape that of an opening one; or whether it is that one right above the closing one.
//
//	2024-02-01,1001,Rent,              ,-800.00
//	2024-02-03,1002,Fees,              ,  -4.50
//
//	2024-02-01,    ,    ,Anfangssaldo,   950.00
//	2024-02-03,    ,    ,Endsaldo,       145.50
func (f *closingBlock) isDatedBalance(r row) bool {
	if r.kinds[0] != kind.Moment || !r.closes && !(r.opens && f.account) || f.isUsualShape(r) {
		return false
	}
	f.account = r.opens || slices.ContainsFunc(f.rows, func(o row) bool { return o.opens && sameShape(o, r) })
	return f.account
}

// isShortPair reports whether the record has nothing but a name and a number: that of a balance, or one that stands where the others have a
// value, in half of the table's columns or fewer.
//
//	02.01.2024;-250,00;CHF;Gym
//
//	Closing balance;12.540,00
func (f *closingBlock) isShortPair(r row) bool {
	if r.broken || r.width != listCells || !r.isNameWithValue() || r.width >= f.width {
		return false
	}
	return r.namesBalance || f.kinds[0] > kind.Word && share(r.width, f.width) <= noteWidth
}
