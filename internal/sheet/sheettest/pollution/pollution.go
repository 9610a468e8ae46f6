// Package pollution generates CSV files, each defective or unusual in one way, from a few clean tables, together with
// what a person would expect to read from them, and scores what was read. It is only for tests, which measure the
// engine by kind of defect.
//
// The scoring follows G. Vitagliano et al., "Pollock: A Data Loading Benchmark" (PVLDB 16, 2023): success, and
// precision, recall and F1 of the header's cells, of the records and of the cells; the files and the kinds of pollution
// here are our own.
package pollution

// Case is a polluted file.
type Case struct {
	Name    string
	Family  string
	Content []byte
	Want    Content
	Dialect Dialect
}

// Content is the content of a file.
type Content struct {
	Header  [][]string // the header rows; none if the file has none
	Records [][]string
}

// Dialect is how the file is written; Quote is "" if the file shows none.
type Dialect struct {
	Encoding, Delimiter, Quote, Escape, Newline string
	HeaderRows, PreambleRows                    int
}

// Family is a kind of pollution, weighted by how often it occurs in real files.
type Family struct {
	Name   string
	Weight float64
	make   func(t table) []Case
}

// Families returns the kinds of pollution. The weights are estimates: what a program writes into every line is common
// (another delimiter, line end, encoding), what happens to a single record is rare.
func Families() []Family {
	return []Family{
		{"clean", 30, clean},
		{"delimiter", 12, delimiters},
		{"quoting", 8, quoting},
		{"escape", 3, escapes},
		{"newline", 10, newlines},
		{"last line end", 6, lastLineEnds},
		{"encoding", 10, encodings},
		{"byte order mark", 4, marks},
		{"header", 6, headers},
		{"header rows", 3, headerRows},
		{"preamble", 4, preambles},
		{"footer", 3, footers},
		{"second table", 1.5, secondTables},
		{"blank lines", 2, blankLines},
		{"trailing delimiter", 2, trailingDelimiters},
		{"spaces", 2, spaces},
		{"small file", 2, smallFiles},
		{"row width", 1.5, rowWidths},
		{"row delimiter", 0.5, rowDelimiters},
		{"row quote", 1, rowQuotes},
		{"row escape", 0.5, rowEscapes},
		{"row newline", 0.5, rowNewlines},
		{"doubled row", 0.5, doubledRows},
		{"said delimiter", 1, saidDelimiters},
		{"comment", 1, comments},
		{"padding", 2, paddings},
		{"pages", 0.5, pages},
		{"last character", 0.5, lastCharacters},
		{"several", 4, several},
		{"large", 2, large},
	}
}

// Cases returns all files of the family, the same ones for every call.
func (f Family) Cases() []Case {
	var list []Case
	for _, t := range tables() {
		for _, c := range f.make(t) {
			c.Name = t.name + ": " + c.Name
			c.Family = f.Name
			list = append(list, c)
		}
	}
	return list
}
