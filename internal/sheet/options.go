package sheet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/table"
	"sheetdrop/internal/sheet/types"
)

// Options override what the engine would detect from the content; a zero field leaves the decision to the engine. They
// also say what the rows must be. Options about text have no effect on workbooks. As JSON, unknown names and values are
// rejected.
type Options struct {
	Encoding  string `json:"encoding,omitempty"`   // one of charset.Names
	Delimiter string `json:"delimiter,omitempty"`  // one or more characters other than letters, digits, quotes and line ends
	Quote     string `json:"quote,omitempty"`      // one ASCII character, or "none"
	Escape    string `json:"escape,omitempty"`     // the quote, if it is doubled, or a backslash
	SkipSpace *bool  `json:"skip_space,omitempty"` // ignore spaces after delimiters
	Header    *int   `json:"header,omitempty"`     // number of header rows
	Skip      *int   `json:"skip,omitempty"`       // records before the header

	// What is decided along with the delimiter and the header, and is off if the options set these, unless it is set as well.
	MixedDelimiters bool `json:"mixed_delimiters,omitempty"` // split a record that only makes sense with another delimiter by that one
	HeaderRule      bool `json:"header_rule,omitempty"`      // skip a line of dashes below the header
	RowNames        bool `json:"row_names,omitempty"`        // the header lacks the first column's cell

	Footer   string       `json:"footer,omitempty"`    // "none": no notes or totals follow the table
	Tables   string       `json:"tables,omitempty"`    // "all": each further table of a text or worksheet is a sheet of its own
	Sheet    string       `json:"sheet,omitempty"`     // the only sheet of a workbook to read: its name, or its position from 1
	Hidden   bool         `json:"hidden,omitempty"`    // also read a workbook's hidden sheets
	FillDown bool         `json:"fill_down,omitempty"` // repeat the value of vertically merged cells in each of their rows
	Null     []string     `json:"null,omitempty"`      // words that stand for no value, in every column; a cell that is one of them but for white space around it is null
	Pad      *bool        `json:"pad,omitempty"`       // cells that a text's record lacks at its end are null; nil if its records tell
	Columns  []types.Rule `json:"columns,omitempty"`   // rules for the cells of columns; a row with a cell that breaks one is a reject
	Policy   string       `json:"policy,omitempty"`    // "reject" (the default), "fail", "limit:10" or "limit:2.5%"; see policy
	DryRun   bool         `json:"dry_run,omitempty"`   // rows are to be read but not stored; the engine itself ignores it
	Corrects string       `json:"corrects,omitempty"`  // the sheet whose rejects the file corrects, TASK/NUMBER; the engine itself ignores it
}

// OptionError says which option is invalid, and why.
type OptionError struct {
	Option  string
	Message string // one English sentence
}

func (e *OptionError) Error() string { return "option " + e.Option + ": " + e.Message }

// OptionNames returns the names of the options that ParseOptions knows.
func OptionNames() []string {
	return []string{
		"encoding",
		"delimiter",
		"quote",
		"escape",
		"skip_space",
		"mixed_delimiters",
		"header",
		"header_rule",
		"row_names",
		"skip",
		"footer",
		"tables",
		"sheet",
		"hidden",
		"fill_down",
		nullOption,
		"pad",
		columnOption,
		"policy",
		"dry_run",
		"corrects",
		wholeOption,
	}
}

// wholeOption has several options at once, as the JSON of an Options. Those that are set by their own names replace those in it.
const wholeOption = "options"

// columnOption declares a column and may be repeated.
const columnOption = "column"

// nullOption names a word for no value and may be repeated.
const nullOption = "null"

// maxDeclared is the maximum number of declared columns.
const maxDeclared = 1000

// ParseOptions parses options from a URL's query or a form. The values "" and "auto" leave the decision to the engine;
// a delimiter may be given by name, such as comma or tab; column has the syntax of types.ParseRule. Any unknown or
// repeated option is an *OptionError.
func ParseOptions(query map[string][]string) (Options, error) {
	opt, err := parseWhole(query)
	if err != nil {
		return Options{}, err
	}
	for name, values := range query {
		if name == wholeOption {
			continue
		}
		if !slices.Contains(OptionNames(), name) {
			return Options{}, &OptionError{name, "Unknown option; the options are " + strings.Join(OptionNames(), ", ") + "."}
		}
		if len(values) != 1 && name != columnOption && name != nullOption {
			return Options{}, &OptionError{name, "The option must be set only once."}
		}
		for _, value := range values {
			if err := opt.set(name, value); err != nil {
				return Options{}, err
			}
		}
	}
	if opt.Corrects != "" && len(opt.Columns) > 0 {
		return Options{}, &OptionError{columnOption, "The columns of a file of corrections are those of the sheet that it corrects."}
	}
	_, err = opt.compile()
	return opt, err
}

// parseWhole parses what of the query's wholeOption is not set by other names.
func parseWhole(query map[string][]string) (opt Options, err error) {
	values, given := query[wholeOption]
	if !given {
		return opt, nil
	}
	var members map[string]json.RawMessage
	if len(values) != 1 || json.Unmarshal([]byte(values[0]), &members) != nil || members == nil {
		return opt, &OptionError{wholeOption, "It is one JSON object, as a preview or a task shows it."}
	}
	for name := range query {
		switch name {
		case wholeOption: // which cannot have itself
		case columnOption:
			delete(members, "columns")
		default:
			delete(members, name)
		}
	}
	text, err := json.Marshal(members)
	if err == nil {
		err = json.Unmarshal(text, &opt)
	}
	if _, known := errors.AsType[*OptionError](err); err != nil && !known {
		err = &OptionError{wholeOption, strings.TrimPrefix(err.Error(), "json: ") + "."}
	}
	return opt, err
}

// compiled has the compiled options that rows are checked against.
type compiled struct {
	declared declared
	policy   policy
}

func (o Options) compile() (c compiled, err error) {
	if len(o.Columns) > maxDeclared {
		return c, &OptionError{columnOption, fmt.Sprintf("%d columns are declared; the limit is %d.", len(o.Columns), maxDeclared)}
	}
	var ok bool
	if c.policy, ok = parsePolicy(o.Policy); !ok {
		return c, &OptionError{"policy", fmt.Sprintf("%q is not a policy; use reject, fail, limit:N or limit:P%%.", o.Policy)}
	}
	c.declared, err = compileRules(o.Columns)
	return c, err
}

// UnmarshalJSON rejects unknown fields and values, the latter with an *OptionError.
func (o *Options) UnmarshalJSON(b []byte) error {
	type plain Options
	var p plain
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil {
		return err
	}
	*o = Options{
		Columns: p.Columns, Pad: p.Pad, Hidden: p.Hidden, FillDown: p.FillDown, DryRun: p.DryRun,
		SkipSpace: p.SkipSpace, MixedDelimiters: p.MixedDelimiters, HeaderRule: p.HeaderRule, RowNames: p.RowNames,
	}
	values := map[string]string{
		"encoding": p.Encoding, "delimiter": p.Delimiter, "quote": p.Quote, "escape": p.Escape,
		"sheet": p.Sheet, "policy": p.Policy, "footer": p.Footer, "tables": p.Tables, "corrects": p.Corrects,
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
	for _, word := range p.Null {
		if err := o.set(nullOption, word); err != nil {
			return err
		}
	}
	_, err := o.compile()
	return err
}

// columnNames returns the names of the declared columns.
func (o Options) columnNames() []string {
	names := make([]string, len(o.Columns))
	for i, rule := range o.Columns {
		names[i] = rule.Name
	}
	return names
}

// hints returns the options about the dialect.
func (o Options) hints() table.Hints {
	h := table.Hints{Header: o.Header, Preamble: o.Skip, NoFooter: o.Footer == none, RowNames: o.RowNames}
	h.SkipSpace, h.Pad, h.Names = o.SkipSpace, o.Pad, o.columnNames()
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

// Found returns options by which a sheet is read as it is now, whatever else its file holds: those that were given, with what was detected
// filled in. The encoding stays open while only ASCII was read, and everything that follows the header is known only once that was.
func (b *Book) Found(s *Sheet) Options {
	o := b.options
	header, skip := s.dialect.HeaderRows, s.dialect.PreambleRows
	o.Header, o.Skip = &header, &skip
	o.HeaderRule = o.HeaderRule || s.ruled
	b.workbook.found(s.sheetInfo, &o)
	return o
}

func (f *csvFile) found(info sheetInfo, o *Options) {
	d := info.dialect
	if f.enc.Found {
		o.Encoding = f.enc.Encoding.Name()
	}
	o.Delimiter, o.Quote, o.Escape, o.SkipSpace = d.Delimiter, d.Quote, d.Escape, &d.SkipSpace
	if o.Quote == "" {
		o.Quote = none
	}
	o.MixedDelimiters, o.RowNames = f.repairs, info.rowNames
	if o.Pad == nil && info.pad {
		o.Pad = &info.pad
	}
}

// found names the sheet if others would be read as well.
func (f *gridFile) found(info sheetInfo, o *Options) {
	if o.Sheet != "" {
		return
	}
	for _, s := range f.sheets {
		if s.Number != info.number && s.Kind == grid.Worksheet && (s.Visibility == grid.Visible || f.opt.Hidden) {
			o.Sheet = info.name
			return
		}
	}
}
