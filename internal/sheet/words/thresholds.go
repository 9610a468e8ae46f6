package words

// The thresholds of all rules. Behind each stands what the corpus requires of it, as in the thresholds of package dialect.
const (
	// bytes of a word for a total, with what is behind it; a list may have longer words
	longestTotal = 24 // 6 footer-total-japanese .. free
	// bytes of it with what it is the total of
	longestTotalOf = 60 // free
	// words: names of people and places have two
	proseWords = 3 // 2 bank-zengin-like-records .. free
	// words: no key has so many
	SentenceWords = 7 // free
	// words of a text that ends with a full stop
	stoppedWords = 5 // free
	// characters of a footnote's mark: 12) or (a)
	FootnoteMark = 2 // 1 open-data-footnote-numbers .. free
	// bytes of a mark in cells that a legend explains, with a blank behind it
	longestMark = 4 // free
	// strokes of a drawn line: placeholders and negative signs have fewer
	shortestRuler = 5 // free .. 23 mysql-boxed
	// bytes of a line between two pages
	longestPageLine = 40 // free
	// bytes of a hint below the name of a column: required, max. 80 characters
	longestHint = 60 // free
	// digits of the width of a column before its letter: 15s
	typeWidth = 4 // free
)
