package sheet

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// isProse reports whether a text is one to be read by people, such as the readme of an archive: at least half of its lines that are not
// blank are sentences. A list has a name or a number a line.
func isProse(text []byte) bool {
	all, sentences := 0, 0
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			all++
		}
		if isSentence(line) {
			sentences++
		}
	}
	return all > 0 && sentences*2 >= all
}

const (
	fewWords  = 3 // of a line that ends as a sentence does
	manyWords = 7 // of any other
)

// isSentence reports whether a line is a sentence, or a line of one. Japanese and Chinese have no blanks between words.
func isSentence(line []byte) bool {
	words := len(bytes.Fields(line))
	last, _ := utf8.DecodeLastRune(line)
	return words >= manyWords || words >= fewWords && strings.ContainsRune(".!?:", last) || strings.ContainsRune("。！？：", last)
}

// saysTable reports whether the name of a file in an archive says that it is a table, whatever is in it: a list of sentences is one.
func saysTable(name string) bool {
	return slices.Contains([]string{".csv", ".tsv", ".tab", ".psv"}, strings.ToLower(path.Ext(name)))
}
