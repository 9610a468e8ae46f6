// Package target has named targets: a table with typed columns, and how the columns of a file are matched to them. It knows
// neither HTTP nor SQL.
package target

// Definition is what a target is, as its owner has written it and as it is stored.
type Definition struct {
	Name    string   `json:"name"`
	Columns []Column `json:"columns"`
	Key     []string `json:"key,omitempty"` // of the columns' names; rows with the same key are one row
	Mode    Mode     `json:"mode,omitempty"`
	// Partition has the columns by which a load of mode replace replaces: the rows that have the same values in them as a row of the file.
	// Without any it replaces all rows.
	Partition  []string   `json:"partition,omitempty"`
	Duplicates Duplicates `json:"duplicates,omitempty"`
	Missing    Missing    `json:"missing,omitempty"`
	Extra      Extra      `json:"extra,omitempty"`
}

// Adopted is the kind of a target whose table was there before, and is others'.
const Adopted = "ADOPTED"

// Mode is what a load does with rows whose key is there.
type Mode string

// The modes.
const (
	Insert  Mode = "insert"  // rejects them; the default
	Upsert  Mode = "upsert"  // sets their columns
	Replace Mode = "replace" // likewise, and deletes the rows that the file does not have
)

// Duplicates is which of a file's rows with the same key is loaded. The others are rejected.
type Duplicates string

// Which of the duplicates is loaded.
const (
	FirstOfDuplicates Duplicates = "first" // the default
	LastOfDuplicates  Duplicates = "last"
)

// Missing is what happens to a row's columns that the file does not have.
type Missing string

// What missing columns become.
const (
	KeepMissing    Missing = "keep" // the default
	DefaultMissing Missing = "default"
)

// Extra is what happens to a file's columns that nobody has matched.
type Extra string

// What extra columns become.
const (
	LeaveOutExtra Extra = "leave_out" // the default
	RefuseExtra   Extra = "refuse"    // the file FAILs
)

// Column is a typed column of a target.
type Column struct {
	Name      string   `json:"name"`
	Label     string   `json:"label,omitempty"`
	Type      Type     `json:"type"`
	Required  bool     `json:"required,omitempty"`
	MaxLength int      `json:"max_length,omitempty"` // characters, of text; 0: no limit
	Digits    int      `json:"digits,omitempty"`     // in all, of decimal; 0: no limit
	Scale     int      `json:"scale,omitempty"`      // digits behind the point, of decimal with Digits
	Min       string   `json:"min,omitempty"`        // in the type's own form
	Max       string   `json:"max,omitempty"`
	Pattern   string   `json:"pattern,omitempty"` // of text, a regular expression (RE2) that the whole cell matches
	Allowed   []string `json:"allowed,omitempty"` // of text, all its values
	Default   *string  `json:"default,omitempty"` // of cells that are empty; in the type's own form
	Format    string   `json:"format,omitempty"`  // of a file's cells, by the names that the engine reports; "": found for each file
	Zone      string   `json:"zone,omitempty"`    // of instant, for cells without an offset
	Synonyms  []string `json:"synonyms,omitempty"`
}

// Type is of a target's column.
type Type string

// The types.
const (
	Text      Type = "text"
	Integer   Type = "integer"
	Decimal   Type = "decimal"
	Boolean   Type = "boolean"
	Date      Type = "date"
	Time      Type = "time"
	Timestamp Type = "timestamp" // without offset
	Instant   Type = "instant"   // a moment, whatever the zone
	Duration  Type = "duration"
)
