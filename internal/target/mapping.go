package target

// Rule is by what a header was matched.
type Rule string

// The rules, first ones first.
const (
	ByRequest Rule = "request"    // the request's mapping
	ByChoice  Rule = "remembered" // what the owner chose before
	ByName    Rule = "name"       // the column's name or label, as it stands
	ByFolded  Rule = "folded"     // the same, folded
	BySynonym Rule = "synonym"    // a synonym, folded
)

// Match is what became of one header of a file.
type Match struct {
	Header      string   `json:"header"`
	ColumnNo    int      `json:"column_no"`        // of the file, from 1
	Column      string   `json:"column,omitempty"` // of the target; "": none
	Format      string   `json:"format,omitempty"` // as which its cells are read; "": as found in the file
	Rule        Rule     `json:"rule,omitempty"`   // "": nobody has set it. With no Column: left out on purpose
	Suggestions []string `json:"suggestions,omitempty"`
	NullWords   bool     `json:"null_words,omitempty"` // N/A and the like are no values in the file's column, by all of its cells

	Candidates []Candidate `json:"-"` // the suggestions, with how likely each is
}

// Mapping is which column of a file goes into which column of the target.
type Mapping struct {
	Columns []Match  `json:"columns"`           // as they stand in the file
	Missing []string `json:"missing,omitempty"` // columns of the target that no header was matched to

	Profiled bool `json:"profiled,omitempty"` // all of the file was read for it: NullWords are known
}
