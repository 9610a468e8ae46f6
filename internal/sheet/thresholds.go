package sheet

// The thresholds that decide what a file or a record is, with their reasons, like those of packages dialect and
// charset. Each is followed by the lowest and highest value with which all files of testdata/corpus are read correctly,
// each with a file that is misread beyond it, or by the test that holds it; free is what no file limits. All other
// constants of this package limit memory, time or output.
const (
	// strokes of a line drawn below a header: two stand for a missing value
	shortestLine = 3 // 3 dashes-in-the-first-row .. 3 header-underlined-short-names
	// control characters in the head of a binary file: a damaged text has a few
	binaryControls = 16 // TestControlCharactersOfBinaryFiles
	// bytes of the head for each of them
	bytesPerControl = 50 // TestControlCharactersOfBinaryFiles
	// of the first lines, how many must be objects for a text to be JSON whose first line is none
	leastJSONLines = 2 // TestTablesThatLookLikeSomethingElse .. TestFirstLineOfJSONIsBroken
	// lines below a first line that is an object, none of which is JSON, for it to stand above a table
	leastBelow = 3 // free
	// confidence below which an encoding is a guess that people are told about
	leastCertainty = 0.8 // TestUncertainEncodingIsSaid
	// of a worksheet's columns over which a note below its table is merged
	noteColumns = 3.0 / 4 // free
	// last rows that may be such notes
	mergedNotes = 8 // 2 note-merged-over-the-table .. free
)
