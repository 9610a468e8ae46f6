package types

import "math/bits"

// Type is the type of a column's values.
type Type string

// The types. Every column has exactly one; Text is the type of a column that has no other.
const (
	Integer   Type = "integer"
	Decimal   Type = "decimal"
	Boolean   Type = "boolean"
	Date      Type = "date"
	Time      Type = "time"
	Timestamp Type = "timestamp"
	Duration  Type = "duration"
	Text      Type = "text"
)

// names lists the types.
var names = []Type{Integer, Decimal, Boolean, Date, Time, Timestamp, Duration, Text}

// set is a set of candidates. A candidate is one way to read every value of a column: a type together with what must be
// known to read it. A column begins with all of them, and a value removes those that cannot read it.
type set uint64

// The candidates. Those of a group are ordered by preference, the narrowest first.
const (
	integerPoint set = 1 << iota // 1,234
	integerComma                 // 1.234
	decimalPoint                 // 1,234.56
	decimalComma                 // 1.234,56
	percentPoint
	percentComma

	dateEvident // the text itself shows its parts: the year first, an era, a month's name
	dateDayFirst
	dateMonthFirst
	dateShortYearFirst // years of two digits
	dateShortDayFirst
	dateShortMonthFirst
	stampEvident // a date with a time; a date alone means midnight
	stampDayFirst
	stampMonthFirst
	stampShortYearFirst
	stampShortDayFirst
	stampShortMonthFirst
	zonedEvident // a date with a time and an offset
	zonedDayFirst
	zonedMonthFirst
	zonedShortYearFirst
	zonedShortDayFirst
	zonedShortMonthFirst
	dateCompact // 20240131

	timeOfDay
	elapsed // hours, possibly more than 24, minutes and seconds

	boolTrueFalse
	boolHaiIie
	boolMaruBatsu
	boolUmu
	boolWahrFalsch
	boolVraiFaux
	boolJaNein
	boolOuiNon
	boolYesNo
	boolOnOff
	boolAriNashi
	boolYN
	boolTF
	boolSiNo
	boolSimNao
	boolJaNee
	boolJaNej
	boolDaNet
	boolTakNi
	boolTakNie
	boolAnoNe
	boolIgenNem
	boolEvetHayir
	boolKyllaEi
	boolNaiOchi
	boolNaamLa
	boolShiFou
	boolYeAniyo
	boolOtherTrueFalse // what spreadsheets write for true and false in other languages
	boolOtherYesNo
	boolOneZero // only in declared columns: otherwise it is an integer

	endOfCandidates
)

const (
	pointNumbers = integerPoint | decimalPoint | percentPoint
	commaNumbers = integerComma | decimalComma | percentComma
	numbers      = pointNumbers | commaNumbers

	dates       = stampEvident - dateEvident
	stamps      = zonedEvident - stampEvident
	zoned       = dateCompact - zonedEvident
	dayFirsts   = dateDayFirst | stampDayFirst | zonedDayFirst | dateShortDayFirst | stampShortDayFirst | zonedShortDayFirst
	monthFirsts = dateMonthFirst | stampMonthFirst | zonedMonthFirst | dateShortMonthFirst | stampShortMonthFirst | zonedShortMonthFirst
	shorts      = yearFirsts * 7                                                 // their years have two digits
	yearFirsts  = dateShortYearFirst | stampShortYearFirst | zonedShortYearFirst // of two digits; others are evident
	moments     = dates | stamps | zoned | dateCompact
	clocks      = timeOfDay | elapsed

	booleans = endOfCandidates - boolTrueFalse
	// codes are those whose words have other meanings too: NO is Norway, ON is Ontario, なし means no remark.
	codes = boolJaNein | boolOuiNon | boolYesNo | boolOnOff | boolAriNashi | boolYN | boolTF | boolOfLanguages
	// boolOfLanguages have words that people of other languages take for something else.
	boolOfLanguages = boolOneZero - boolSiNo

	everything = endOfCandidates - 1
	inferred   = everything &^ boolOneZero
)

// typeOf returns a candidate's type.
func typeOf(candidate set) Type {
	switch {
	case candidate&(integerPoint|integerComma) != 0:
		return Integer
	case candidate&numbers != 0:
		return Decimal
	case candidate&(dates|dateCompact) != 0:
		return Date
	case candidate&(stamps|zoned) != 0:
		return Timestamp
	case candidate&timeOfDay != 0:
		return Time
	case candidate&elapsed != 0:
		return Duration
	case candidate&booleans != 0:
		return Boolean
	}
	return Text
}

// narrowest returns the first candidate of the set.
func (s set) narrowest() set { return s & -s }

// each calls f with each candidate of the set.
func (s set) each(f func(index int)) {
	for ; s != 0; s &= s - 1 {
		f(bits.TrailingZeros64(uint64(s)))
	}
}

// trait is a set of things seen in a column's values, which determine the format's name and what only the whole column
// can tell.
type trait uint64

const (
	yenSeen trait = 1 << iota
	dollarSeen
	euroSeen
	poundSeen
	groupedInPoint // with thousands separators if the point is the decimal mark
	groupedInComma
	groupedByOther // spaces or apostrophes, whatever the decimal mark
	marked         // a number that means different values with point and comma as decimal mark
	doubtful       // (5) and 5-, 192.168.100.200: numbers only in a column that also has others
	usual          // any other number

	dashSeen
	slashSeen
	dotSeen
	kanjiSeen
	eraSeen
	monthNameSeen

	affirmed // a boolean's true
	denied   // a boolean's false

	secondsSeen
	fractionSeen
	meridiemSeen
	isoDurationSeen

	clockTraits = secondsSeen | fractionSeen | meridiemSeen | isoDurationSeen
	// alone shifts the traits of times without a date.
	alone = 4

	kroneSeen trait = 1 << 26
	// Other currencies have two bits from here on: see currencyTrait.
	firstCurrency trait = 1 << 27

	oneBitUnits = yenSeen | dollarSeen | euroSeen | poundSeen | kroneSeen
	twoBitUnits = lastUnit - firstCurrency
	lastUnit    = firstCurrency << 20

	// A date with points and a year of two digits whose day or month has one, 5.1.24, and one whose first part can be nothing but its day.
	oneDigitSeen  = lastUnit
	certainlyDays = lastUnit << 1
)
