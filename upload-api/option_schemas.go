package upload

import "github.com/danielgtaylor/huma/v2"

// optionSchemas describe the parse options, as the query and the form take them.
var optionSchemas = map[string]*huma.Schema{
	"encoding": {
		Type: huma.TypeString, Examples: []any{"cp932", "utf-8", "utf-16le", "euc-jp", "iso-2022-jp", "windows-1252"},
		Description: "The text's encoding, by its name or a usual alias such as shift_jis.",
	},
	"delimiter": {
		Type: huma.TypeString, Examples: []any{",", "comma", "semicolon", "tab", "pipe", "||"},
		Description: "What stands between cells: one character or several, or the name of one.",
	},
	"quote": {
		Type: huma.TypeString, Examples: []any{`"`, "'", "none"},
		Description: "What stands around cells that hold delimiters or line ends; none where nothing does.",
	},
	"escape": {
		Type: huma.TypeString, Examples: []any{`"`, "backslash"},
		Description: "What stands before a quote that is text: another quote, or a backslash.",
	},
	"header": {
		Type: huma.TypeInteger, Minimum: new(0.0), Maximum: new(20.0), Examples: []any{1},
		Description: "How many rows the header has; 0 names the columns column_1, column_2 and so on. Where it is given, a line of dashes below the header is a row.",
	},
	"skip": {
		Type: huma.TypeInteger, Minimum: new(0.0), Maximum: new(1e6), Examples: []any{3},
		Description: "How many records stand before the header.",
	},
	"footer": {
		Type: huma.TypeString, Enum: []any{"auto", "none"}, Default: "auto", Examples: []any{"none"},
		Description: "Whether notes and totals below the table are looked for, which are skipped; none takes all of them for records.",
	},
	"sheet": {
		Type: huma.TypeString, Examples: []any{"Orders", "2"},
		Description: "Of a workbook only this sheet, hidden or not: its name, or its place from 1.",
	},
	"hidden": {
		Type: huma.TypeBoolean, Default: false, Examples: []any{true},
		Description: "Of a workbook the hidden sheets, too.",
	},
	"fill_down": {
		Type: huma.TypeBoolean, Default: false, Examples: []any{true},
		Description: "The value of merged cells counts for each of their rows.",
	},
	"column": {
		Type: huma.TypeArray, MaxItems: new(1000),
		Items: &huma.Schema{Type: huma.TypeString, Examples: []any{
			"id:integer;required;unique", "day:date;format=DD/MM/YYYY;min=2024-01-01", "state:text;allowed=open|paid",
			"code:text;pattern=[A-Z]{2}[0-9]+",
		}},
		Description: "A declared column, NAME:TYPE[;required][;unique][;format=F][;min=V][;max=V][;allowed=A|B|C][;pattern=RE2]; given again for each further one. " +
			"Types are integer, decimal, boolean, date, time, timestamp, duration and text. A row with a cell that does not fit is a reject.",
	},
	"policy": {
		Type: huma.TypeString, Pattern: `^(reject|fail|limit:[0-9]+(\.[0-9]+)?%?)$`, Default: "reject", Examples: []any{"reject", "fail",
			"limit:10", "limit:2.5%"},
		Description: "How many records may be rejected before the whole file is refused: reject (any number), fail (none), limit:N (N records) or limit:P% (P percent of them).",
	},
	"dry_run": {
		Type: huma.TypeBoolean, Default: false, Examples: []any{true},
		Description: "Read everything and load nothing: the task ends with counts, types and rejects, and has no rows.",
	},
}
