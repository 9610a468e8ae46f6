package sheet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/types"
)

// Options override what the engine would decide from the content, where a zero field leaves the decision to it, and say what the rows must
// be. Workbooks take no notice of those about text. As JSON, unknown names and values are refused.
type Options struct {
	Encoding  string       `json:"encoding,omitempty"`  // one of charset.Names
	Delimiter string       `json:"delimiter,omitempty"` // one character or several, no letter, digit, quote or line end
	Quote     string       `json:"quote,omitempty"`     // one ASCII character, or "none"
	Escape    string       `json:"escape,omitempty"`    // the quote, where it is doubled, or a backslash
	Header    *int         `json:"header,omitempty"`    // rows of the header
	Skip      *int         `json:"skip,omitempty"`      // records before the header
	Sheet     string       `json:"sheet,omitempty"`     // the only sheet of a workbook to read: its name, or its place from 1
	Hidden    bool         `json:"hidden,omitempty"`    // a workbook's hidden sheets are read as well
	FillDown  bool         `json:"fill_down,omitempty"` // the value of merged cells counts for each of their rows
	Columns   []types.Rule `json:"columns,omitempty"`   // what the cells of columns must be; a row with another cell is a reject
	Policy    string       `json:"policy,omitempty"`    // "reject", which is the default, "fail", "limit:10" or "limit:2.5%": see tally
	DryRun    bool         `json:"dry_run,omitempty"`   // the rows are to be read and not to be kept: a word to who calls the engine
}

// OptionError says which option was not understood, and why.
type OptionError struct {
	Option  string
	Message string // one English sentence for people
}

func (e *OptionError) Error() string { return "option " + e.Option + ": " + e.Message }

// OptionNames lists the options that ParseOptions knows.
func OptionNames() []string {
	return []string{"encoding", "delimiter", "quote", "escape", "header", "skip", "sheet", "hidden", "fill_down", columnOption, "policy", "dry_run"}
}

// columnOption declares a column and may be given several times.
const columnOption = "column"

// maxDeclared is how many columns can be declared.
const maxDeclared = 1000

// ParseOptions reads options as a URL's query or a form holds them. The values "" and "auto" leave the decision to the engine; a
// delimiter may be called by its name, such as comma or tab; column is as types.ParseRule has it. Anything unknown, or given twice, is an
// *OptionError.
func ParseOptions(query map[string][]string) (Options, error) {
	var opt Options
	for name, values := range query {
		if !slices.Contains(OptionNames(), name) {
			return Options{}, &OptionError{name, "There is no such option; there are " + strings.Join(OptionNames(), ", ") + "."}
		}
		if len(values) != 1 && name != columnOption {
			return Options{}, &OptionError{name, "The option must be given once."}
		}
		for _, value := range values {
			if err := opt.set(name, value); err != nil {
				return Options{}, err
			}
		}
	}
	_, err := opt.compile()
	return opt, err
}

// compiled is the part of the options that the rows are held against.
type compiled struct {
	declared declared
	policy   policy
}

func (o Options) compile() (c compiled, err error) {
	if len(o.Columns) > maxDeclared {
		return c, &OptionError{columnOption, fmt.Sprintf("%d columns are declared; %d can be.", len(o.Columns), maxDeclared)}
	}
	var ok bool
	if c.policy, ok = parsePolicy(o.Policy); !ok {
		return c, &OptionError{"policy", fmt.Sprintf("%q is no policy; there are reject, fail, limit:N and limit:P%%.", o.Policy)}
	}
	c.declared, err = compileRules(o.Columns)
	return c, err
}

// characterNames are what characters are called in options.
var characterNames = map[string]string{
	"comma": ",", "semicolon": ";", "tab": "\t", `\t`: "\t", "pipe": "|", "colon": ":", "space": " ", "double": `"`, "single": "'", "backslash": `\`,
}

// none is the quote of a text in which nothing is quoted.
const none = "none"

func (o *Options) set(name, value string) error {
	if name == "sheet" { // which may have any name
		o.Sheet = value
		return checkSheet(value)
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
			return &OptionError{name, fmt.Sprintf("%q is no encoding that can be read; there are %s.", value, strings.Join(charset.Names(), ", "))}
		}
		o.Encoding = enc.Name()
	case "delimiter":
		if !isDelimiter(value) {
			return &OptionError{name, fmt.Sprintf("%q is no delimiter: it has up to %d characters and no letter, digit, quote or line end.", value, maxDelimiter)}
		}
		o.Delimiter = value
	case "quote":
		if o.Quote = strings.ToLower(value); o.Quote != none && !isMark(value) {
			return &OptionError{name, fmt.Sprintf("%q is no quote: it is one punctuation character of ASCII, or none.", value)}
		}
	case "escape":
		if o.Escape = value; !isMark(value) {
			return &OptionError{name, fmt.Sprintf("%q is no escape character: it is one punctuation character of ASCII.", value)}
		}
	case "header":
		o.Header, err = parseCount(name, value, maxHeaderRows)
	case "skip":
		o.Skip, err = parseCount(name, value, maxSkip)
	case "hidden":
		o.Hidden, err = parseSwitch(name, value)
	case "fill_down":
		o.FillDown, err = parseSwitch(name, value)
	case columnOption:
		err = o.declare(value)
	case "policy":
		o.Policy = strings.ToLower(value)
	case "dry_run":
		o.DryRun, err = parseSwitch(name, value)
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

// The bounds of options.
const (
	maxDelimiter  = 8
	maxHeaderRows = 20
	maxSkip       = 1_000_000
	maxSheetName  = 256 // Excel has 31 characters, other programs may have more
)

func parseCount(name, value string, limit int) (*int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > limit {
		return nil, &OptionError{name, fmt.Sprintf("%q is no number from 0 to %d.", value, limit)}
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

// checkSheet refuses what no sheet of Excel's can be called.
func checkSheet(name string) error {
	if len(name) > maxSheetName || !utf8.ValidString(name) || strings.ContainsRune(name, 0) {
		return &OptionError{"sheet", fmt.Sprintf("A sheet's name has at most %d bytes of text.", maxSheetName)}
	}
	return nil
}

func isDelimiter(s string) bool {
	bad := func(r rune) bool {
		return r == 0 || r == '\r' || r == '\n' || r == '"' || r == utf8.RuneError || unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	return s != "" && len(s) <= maxDelimiter && !strings.ContainsFunc(s, bad)
}

// isMark reports whether s is one punctuation character of ASCII.
func isMark(s string) bool {
	return len(s) == 1 && s[0] > ' ' && s[0] < 0x7F && !unicode.IsLetter(rune(s[0])) && !unicode.IsDigit(rune(s[0]))
}

// UnmarshalJSON refuses unknown fields and values, with an *OptionError for the latter.
func (o *Options) UnmarshalJSON(b []byte) error {
	type plain Options
	var p plain
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil {
		return err
	}
	*o = Options{Columns: p.Columns, Hidden: p.Hidden, FillDown: p.FillDown, DryRun: p.DryRun}
	values := map[string]string{
		"encoding": p.Encoding, "delimiter": p.Delimiter, "quote": p.Quote, "escape": p.Escape, "sheet": p.Sheet, "policy": p.Policy,
	}
	for name, n := range map[string]*int{"header": p.Header, "skip": p.Skip} {
		if n != nil {
			values[name] = strconv.Itoa(*n)
		}
	}
	for name, value := range values {
		if err := o.set(name, value); err != nil {
			return err
		}
	}
	_, err := o.compile()
	return err
}

// hints are the options about the dialect.
func (o Options) hints() dialect.Hints {
	h := dialect.Hints{Header: o.Header, Preamble: o.Skip}
	if o.Delimiter != "" {
		h.Delimiter = &o.Delimiter
	}
	if o.Quote != "" {
		quote := byte(0)
		if o.Quote != none {
			quote = o.Quote[0]
		}
		h.Quote = &quote
	}
	if o.Escape != "" {
		escape := o.Escape[0]
		h.Escape = &escape
	}
	return h
}
