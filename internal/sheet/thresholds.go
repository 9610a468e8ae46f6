package sheet

// The thresholds of what a file or a record is held for, with their reasons, as packages dialect and charset have theirs. Behind each stand
// the least and the greatest value with which all files of testdata/corpus are read as they should be, each with a file that is read
// otherwise beyond it, or the test that holds it. All other numbers of this package bound memory, time or output.
const (
	// strokes of a line that is drawn below a header: two stand for a missing value
	shortestLine = 3 // 3 dashes-in-the-first-row .. 3 header-underlined-short-names
	// control characters in the head of a binary file: a broken text has some
	binaryControls = 16 // TestControlCharactersOfBinaryFiles
	// bytes of the head for each of them
	bytesPerControl = 50 // TestControlCharactersOfBinaryFiles
)
