package target

// The codes of files that cannot be loaded, besides those of mappings.
const (
	FormatAmbiguous Code = "format_ambiguous" // a column can be read in several ways
	SheetNeeded     Code = "sheet_needed"     // several sheets of the workbook have a table
	Dropped         Code = "target_dropped"   // the target was deleted
	Refuses         Code = "target_refuses"   // the table refuses the load, and no row is to blame
	NewerLoad       Code = "newer_load"       // a newer file of the series counts than the one that was parsed again
	UndoExpired     Code = "undo_expired"     // a load was to be taken back that no longer can be
)

// The codes of rows that the database cannot take.
const (
	DuplicateKey Code = "duplicate_key" // another row of the file has the same key
	KeyExists    Code = "key_exists"    // a row of the target has the same key, and the mode is insert
	Replaced     Code = "replaced"      // a corrected reject, and a later load has replaced the rows of its partition
	Constraint   Code = "constraint"    // a constraint or a trigger of the table refuses it
)
