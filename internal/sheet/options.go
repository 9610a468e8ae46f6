package sheet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	Footer    string       `json:"footer,omitempty"`    // "none": nothing stands below the table
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
	return []string{"encoding", "delimiter", "quote", "escape", "header", "skip", "footer", "sheet", "hidden", "fill_down", columnOption, "policy", "dry_run"}
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
		"encoding": p.Encoding, "delimiter": p.Delimiter, "quote": p.Quote, "escape": p.Escape, "sheet": p.Sheet, "policy": p.Policy, "footer": p.Footer,
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
	h := dialect.Hints{Header: o.Header, Preamble: o.Skip, NoFooter: o.Footer == none}
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
