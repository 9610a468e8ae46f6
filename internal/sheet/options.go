package sheet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/dialect"
)

// Options override what the engine would decide from the content; a zero field leaves the decision to it. Workbooks take no notice of
// them. As JSON, unknown names and values are refused.
type Options struct {
	Encoding  string `json:"encoding,omitempty"`  // one of charset.Names
	Delimiter string `json:"delimiter,omitempty"` // one character or several, no letter, digit, quote or line end
	Quote     string `json:"quote,omitempty"`     // one ASCII character, or "none"
	Escape    string `json:"escape,omitempty"`    // the quote, where it is doubled, or a backslash
	Header    *int   `json:"header,omitempty"`    // rows of the header
	Skip      *int   `json:"skip,omitempty"`      // records before the header
	Sheet     string `json:"sheet,omitempty"`     // the only sheet of a workbook to read: its name, or its place from 1
	Hidden    bool   `json:"hidden,omitempty"`    // a workbook's hidden sheets are read as well
	FillDown  bool   `json:"fill_down,omitempty"` // the value of merged cells counts for each of their rows
}

// OptionError says which option was not understood, and why.
type OptionError struct {
	Option  string
	Message string // one English sentence for people
}

func (e *OptionError) Error() string { return "option " + e.Option + ": " + e.Message }

// OptionNames lists the options that ParseOptions knows.
func OptionNames() []string {
	return []string{"encoding", "delimiter", "quote", "escape", "header", "skip", "sheet", "hidden", "fill_down"}
}

// ParseOptions reads options as a URL's query or a form holds them. The values "" and "auto" leave the decision to the engine; a
// delimiter may be called by its name, such as comma or tab. Anything unknown, or given twice, is an *OptionError.
func ParseOptions(query map[string][]string) (Options, error) {
	var opt Options
	for name, values := range query {
		if !slices.Contains(OptionNames(), name) {
			return Options{}, &OptionError{name, "There is no such option; there are " + strings.Join(OptionNames(), ", ") + "."}
		}
		if len(values) != 1 {
			return Options{}, &OptionError{name, "The option must be given once."}
		}
		if err := opt.set(name, values[0]); err != nil {
			return Options{}, err
		}
	}
	return opt, nil
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
	}
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
	*o = Options{}
	values := map[string]string{
		"encoding": p.Encoding, "delimiter": p.Delimiter, "quote": p.Quote, "escape": p.Escape, "sheet": p.Sheet,
		"hidden": strconv.FormatBool(p.Hidden), "fill_down": strconv.FormatBool(p.FillDown),
	}
	for name, n := range map[string]*int{"header": p.Header, "skip": p.Skip} {
		if n != nil {
			values[name] = strconv.Itoa(*n)
		}
	}
	for _, name := range OptionNames() {
		if err := o.set(name, values[name]); err != nil {
			return err
		}
	}
	return nil
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
