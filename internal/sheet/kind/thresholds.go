package kind

// The thresholds of kinds. Behind each stands what the corpus requires of it, as in the thresholds of package dialect.
const (
	// bytes of a number or moment; with units and eras they stay far below
	longestValue = 40 // 20 log-file .. free
	// letters: a@b.co is the shortest that is no typing error
	addressLetters = 4 // free
	// letters behind the point of a file's name
	longestEnding = 5 // free
	// spaces: 1 234 567, or date, time and zone; a text has more
	valueSpaces = 2 // free .. 2 log-file
	// letters: T and Z, or am; a third makes a code such as 5-MAR-2024
	momentLetters = 2 // 2 log-file .. free
	// bytes of a day with points and a year of four digits: 1.2.2023, 31.12.2023
	shortestDay, longestDay = 8, 10 // free
	// letters of a month in days such as 06-Jul-1975 01:00
	shortMonth = 3 // free
	// digits of an exponent, as programs for Windows write it: 1.5e-003
	exponentDigits = 3 // free
	// digits: 1:30; a ratio such as 1:3 has fewer
	momentDigits = 3 // free .. 14 log-file
	// bytes of the moment that a line of a log begins with: 08:15:30
	shortestStamp = 8 // free .. 20 log-file
	// bytes of it with nanoseconds and zone
	longestStamp = 32 // 20 log-file .. free
)
