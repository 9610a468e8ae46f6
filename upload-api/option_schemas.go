package upload

import "github.com/danielgtaylor/huma/v2"

// targetSchemas describes the options about a target, of the query and of forms.
var targetSchemas = map[string]*huma.Schema{
	"target": {
		Type: huma.TypeString, Examples: []any{"prices"},
		Description: "Load the rows into this target, by its name or its id, instead of keeping them as rows of the sheet.",
	},
	"mode": {
		Type: huma.TypeString, Enum: []any{"insert", "upsert", "replace"}, Examples: []any{"upsert"},
		Description: "What to do with rows whose key is in the target; the mode of its definition by default.",
	},
	"mapping": {
		Type: huma.TypeString, Examples: []any{`{"Preis": "net", "Datum": {"column": "day", "format": "DD.MM.YYYY"}, "Notiz": null}`},
		Description: "A JSON object: for each header, as it stands in the file, the target's column, or null to leave it out. " +
			"Headers that are not named are matched by what was chosen before, and by names, labels and synonyms.",
	},
	"series": {
		Type: huma.TypeString, MaxLength: new(200), Examples: []any{"tokyo"},
		Description: "The load takes the place of the earlier one of its series in the target: the rows of that one are out of the table, " +
			"and return if this load is undone.",
	},
	"earlier": {
		Type: huma.TypeString, Enum: []any{"replace", "keep"}, Default: "replace", Examples: []any{"keep"},
		Description: "What the same sheet of the same file has loaded into the target before: replace takes it back, keep loads the rows besides it.",
	},
}

// optionSchemas describes the parse options of the query and of forms.
var optionSchemas = map[string]*huma.Schema{
	"encoding": {
		Type: huma.TypeString, Examples: []any{
			"cp932", "utf-8", "utf-16le", "euc-jp", "iso-2022-jp", "windows-1250", "windows-1251", "windows-1252", "gb18030", "big5", "euc-kr",
		},
		Description: "The text encoding, by its name or a common alias such as shift_jis.",
	},
	"delimiter": {
		Type: huma.TypeString, Examples: []any{",", "comma", "semicolon", "tab", "pipe", "||"},
		Description: "The separator between cells: one or more characters, or the name of one.",
	},
	"quote": {
		Type: huma.TypeString, Examples: []any{`"`, "'", "none"},
		Description: "The character that encloses cells with delimiters or line ends; none if the file does not quote.",
	},
	"escape": {
		Type: huma.TypeString, Examples: []any{`"`, "backslash"},
		Description: "The character before a quote inside a quoted cell: another quote, or a backslash.",
	},
	"skip_space": {
		Type: huma.TypeBoolean, Examples: []any{true},
		Description: "true ignores spaces after delimiters, false keeps them.",
	},
	"mixed_delimiters": {
		Type: huma.TypeBoolean, Default: false, Examples: []any{true},
		Description: "With a set delimiter: split a record that only makes sense with another one by that. If the delimiter is detected, this is done anyway.",
	},
	"header": {
		Type: huma.TypeInteger, Minimum: new(0.0), Maximum: new(20.0), Examples: []any{1},
		Description: "The number of header rows; with 0 the columns are named column_1, column_2 and so on. If set, a line of dashes below the header counts as a row, unless header_rule is true.",
	},
	"header_rule": {
		Type: huma.TypeBoolean, Default: false, Examples: []any{true},
		Description: "With a set header: skip a line of dashes below it. If the header is detected, this is done anyway.",
	},
	"row_names": {
		Type: huma.TypeBoolean, Default: false, Examples: []any{true},
		Description: "The header lacks the first column's cell: its cells are the names of the columns from the second on.",
	},
	"skip": {
		Type: huma.TypeInteger, Minimum: new(0.0), Maximum: new(1e6), Examples: []any{3},
		Description: "The number of records before the header.",
	},
	"footer": {
		Type: huma.TypeString, Enum: []any{"auto", "none"}, Default: "auto", Examples: []any{"none"},
		Description: "auto skips notes and totals below the table; none treats them as records.",
	},
	"tables": {
		Type: huma.TypeString, Enum: []any{"first", "all"}, Default: "first", Examples: []any{"all"},
		Description: "all makes each further table of a text or worksheet, below the first one or beside it, a sheet of its own, " +
			"named table 2 or Orders (table 2); first rejects or leaves out what is in them.",
	},
	"sheet": {
		Type: huma.TypeString, Examples: []any{"Orders", "2", "Orders (table 2)"},
		Description: "Read only this sheet of a workbook, hidden or not: its name, or its position from 1. With tables=all the name of a table as well.",
	},
	"hidden": {
		Type: huma.TypeBoolean, Default: false, Examples: []any{true},
		Description: "Also read the hidden sheets of a workbook.",
	},
	"fill_down": {
		Type: huma.TypeBoolean, Default: false, Examples: []any{true},
		Description: "Repeat the value of vertically merged cells in each of their rows.",
	},
	"null": {
		Type: huma.TypeArray, MaxItems: new(100),
		Items: &huma.Schema{Type: huma.TypeString, MaxLength: new(100), Examples: []any{"N/A", "-", "該当なし"}},
		Description: "A word for no value: cells that are it, but for white space around it, are null in every column, declared ones too. Repeat the parameter for each further word. " +
			"Without it common words count as no value where everything else in a column is of one type.",
	},
	"pad": {
		Type: huma.TypeBoolean, Examples: []any{true},
		Description: "Cells that a text's record lacks at its end are null; with false such a record is a reject. Without it the records tell.",
	},
	"column": {
		Type: huma.TypeArray, MaxItems: new(1000),
		Items: &huma.Schema{Type: huma.TypeString, Examples: []any{
			"id:integer;required;unique", "day:date;format=DD/MM/YYYY;min=2024-01-01", "state:text;allowed=open|paid",
			"code:text;pattern=[A-Z]{2}[0-9]+",
		}},
		Description: "A declared column, NAME:TYPE[;required][;unique][;format=F][;min=V][;max=V][;allowed=A|B|C][;pattern=RE2]; repeat the parameter for each further column. " +
			"Types are integer, decimal, boolean, date, time, timestamp, duration and text. A row with a cell that does not fit is a reject.",
	},
	"policy": {
		Type: huma.TypeString, Pattern: `^(reject|fail|limit:[0-9]+(\.[0-9]+)?%?)$`, Default: "reject", Examples: []any{"reject", "fail",
			"limit:10", "limit:2.5%"},
		Description: "How many records may be rejected before the whole file is refused: reject (any number), fail (none), limit:N (N records) or limit:P% (P percent of them).",
	},
	"options": {
		Type: huma.TypeString, Examples: []any{`{"encoding":"cp932","delimiter":";","header":1}`},
		Description: "Several options at once, as the JSON object that previews and tasks have as their options. Those that are set by their own names replace those in it.",
	},
	"corrects": {
		Type: huma.TypeString, Pattern: `^[0-9a-f-]{36}/[0-9]+$`, Examples: []any{"01939d2e-0000-7000-8000-000000000000/1"},
		Description: "The file has corrected rejects of this sheet, TASK/NUMBER: the accepted ones become rows of it, or of the target into which it was loaded, in place of their rejects.",
	},
	"dry_run": {
		Type: huma.TypeBoolean, Default: false, Examples: []any{true},
		Description: "Read everything and load nothing: the task ends with counts, types and rejects, but without rows.",
	},
}
