package sheet

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/types"
)

// characterNames are the names of characters in options.
var characterNames = map[string]string{
	"comma": ",", "semicolon": ";", "tab": "\t", `\t`: "\t", "pipe": "|",
	"colon": ":", "space": " ", "double": `"`, "single": "'", "backslash": `\`,
}

// allTables is the option tables by which each table is a sheet.
const allTables = "all"

// none is the quote of a text without quoted cells, and the footer of one without a footer.
const none = "none"

func (o *Options) set(name, value string) error {
	if name == "sheet" { // which may have any name
		o.Sheet = value
		return checkSheet(value)
	}
	if name == nullOption { // which may be any word, auto and tab among them
		return o.addNull(value)
	}
	if value == "" || strings.EqualFold(value, "auto") {
		return nil
	}
	var err error
	if character, ok := characterNames[strings.ToLower(value)]; ok {
		value = character
	}
	switch name {
	case "encoding":
		enc, ok := charset.Lookup(value)
		if !ok {
			return &OptionError{name, fmt.Sprintf("%q is not a supported encoding; use one of %s.", value, strings.Join(charset.Names(), ", "))}
		}
		o.Encoding = enc.Name()
	case "delimiter":
		if !isDelimiter(value) {
			return &OptionError{
				name,
				fmt.Sprintf("%q is not a delimiter: use up to %d characters other than letters, digits, quotes and line ends.", value, maxDelimiter),
			}
		}
		o.Delimiter = value
	case "quote":
		if o.Quote = strings.ToLower(value); o.Quote != none && !isMark(value) {
			return &OptionError{name, fmt.Sprintf("%q is not a quote: use one ASCII punctuation character, or none.", value)}
		}
	case "escape":
		if o.Escape = value; !isMark(value) {
			return &OptionError{name, fmt.Sprintf("%q is not an escape character: use one ASCII punctuation character.", value)}
		}
	case "skip_space":
		var on bool
		on, err = parseSwitch(name, value)
		o.SkipSpace = &on
	case "mixed_delimiters":
		o.MixedDelimiters, err = parseSwitch(name, value)
	case "header_rule":
		o.HeaderRule, err = parseSwitch(name, value)
	case "row_names":
		o.RowNames, err = parseSwitch(name, value)
	case "header":
		o.Header, err = parseCount(name, value, maxHeaderRows)
	case "footer":
		if o.Footer = strings.ToLower(value); o.Footer != none {
			return &OptionError{name, fmt.Sprintf("%q is neither auto nor none.", value)}
		}
	case "tables":
		switch strings.ToLower(value) {
		case "first":
			o.Tables = ""
		case allTables:
			o.Tables = allTables
		default:
			return &OptionError{name, fmt.Sprintf("%q is neither first nor all.", value)}
		}
	case "skip":
		o.Skip, err = parseCount(name, value, maxSkip)
	case "hidden":
		o.Hidden, err = parseSwitch(name, value)
	case "fill_down":
		o.FillDown, err = parseSwitch(name, value)
	case "pad":
		var on bool
		on, err = parseSwitch(name, value)
		o.Pad = &on
	case columnOption:
		err = o.declare(value)
	case "policy":
		o.Policy = strings.ToLower(value)
	case "dry_run":
		o.DryRun, err = parseSwitch(name, value)
	case "corrects":
		o.Corrects, err = parseTarget(name, value)
	}
	return err
}

// declare adds a declared column.
func (o *Options) declare(text string) error {
	rule, err := types.ParseRule(text)
	if wrong, ok := errors.AsType[*types.RuleError](err); ok {
		return &OptionError{columnOption, wrong.Error()}
	}
	o.Columns = append(o.Columns, rule)
	return err
}

// addNull adds a word for no value; an empty cell is none without it.
func (o *Options) addNull(value string) error {
	word := strings.TrimSpace(value)
	switch {
	case word == "" || slices.Contains(o.Null, word):
		return nil
	case len(word) > maxNullWord || !utf8.ValidString(word) || strings.ContainsRune(word, 0):
		return &OptionError{nullOption, fmt.Sprintf("A word for no value is text of at most %d bytes.", maxNullWord)}
	case len(o.Null) == maxNullWords:
		return &OptionError{nullOption, fmt.Sprintf("There are more than %d words for no value.", maxNullWords)}
	}
	o.Null = append(o.Null, word)
	return nil
}

// The limits of options.
const (
	maxDelimiter  = 8
	maxHeaderRows = 20
	maxSkip       = 1_000_000
	maxNullWord   = 100 // bytes
	maxNullWords  = 100
	maxSheetName  = 256 // Excel has 31 characters; other programs may allow more
)

func parseCount(name, value string, limit int) (*int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > limit {
		return nil, &OptionError{name, fmt.Sprintf("%q is not a number from 0 to %d.", value, limit)}
	}
	return &n, nil
}

func parseSwitch(name, value string) (bool, error) {
	on, err := strconv.ParseBool(value)
	if err != nil {
		return false, &OptionError{name, fmt.Sprintf("%q is neither true nor false.", value)}
	}
	return on, nil
}

// target matches a task's id and a sheet's number.
var target = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/[1-9][0-9]{0,8}$`)

func parseTarget(name, value string) (string, error) {
	if !target.MatchString(value) {
		return "", &OptionError{name, fmt.Sprintf("%q does not name a sheet: use the id of a task, a slash, and the sheet's number.", value)}
	}
	return value, nil
}

// checkSheet rejects names that no Excel sheet can have.
func checkSheet(name string) error {
	if len(name) > maxSheetName || !utf8.ValidString(name) || strings.ContainsRune(name, 0) {
		return &OptionError{"sheet", fmt.Sprintf("The name of a sheet is text of at most %d bytes.", maxSheetName)}
	}
	return nil
}

func isDelimiter(s string) bool {
	bad := func(r rune) bool {
		return r == 0 || r == '\r' || r == '\n' || r == '"' || r == utf8.RuneError || unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	return s != "" && len(s) <= maxDelimiter && !strings.ContainsFunc(s, bad)
}

// isMark reports whether s is one ASCII punctuation character.
func isMark(s string) bool {
	return len(s) == 1 && s[0] > ' ' && s[0] < 0x7F && !unicode.IsLetter(rune(s[0])) && !unicode.IsDigit(rune(s[0]))
}

// declared maps column names to the rules of declared columns.
type declared map[string]*types.Check

// maxInstructions limits the compiled patterns of all declared columns together: some megabytes.
const maxInstructions = 50 * types.MaxPatternInstructions

// compileRules compiles the options' rules.
func compileRules(rules []types.Rule) (declared, error) {
	checks, instructions := make(declared, len(rules)), 0
	for _, rule := range rules {
		check, err := rule.Compile()
		if wrong, ok := errors.AsType[*types.RuleError](err); ok {
			return nil, &OptionError{"column", wrong.Error()}
		}
		if err != nil {
			return nil, err
		}
		if checks[rule.Name] != nil {
			return nil, &OptionError{"column", "The column " + rule.Name + " is declared twice."}
		}
		if instructions += check.Instructions(); instructions > maxInstructions {
			return nil, &OptionError{columnOption, "The patterns of all columns together are too complex."}
		}
		checks[rule.Name] = check
	}
	return checks, nil
}

// checker returns the checker of a sheet's rows, or nil if no columns are declared. A sheet without one of the declared
// columns refuses the file, because its rows could not be checked.
func (d declared) checker(columns []Column) (*types.Checker, *Refusal) {
	if len(d) == 0 {
		return nil, nil
	}
	checks := make([]*types.Check, len(columns))
	names := make([]string, len(columns))
	left := len(d)
	for i, c := range columns {
		names[i] = c.Name
		if checks[i] = d[c.Name]; checks[i] != nil {
			left--
		}
	}
	if left > 0 {
		return nil, noColumn.refuse(listed(d.missing(names)), listed(names))
	}
	return types.NewChecker(checks, types.MaxUnique), nil
}

// missing returns the declared columns that the sheet does not have, sorted.
func (d declared) missing(names []string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(d)), func(name string) bool { return slices.Contains(names, name) })
}

// listed formats column names for a message; of many it lists the first ones.
func listed(names []string) string {
	const shown = 20
	if len(names) > shown {
		names = append(slices.Clone(names[:shown]), "…")
	}
	return strings.Join(names, ", ")
}
