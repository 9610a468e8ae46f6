package sheet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sheetdrop/internal/sheet/charset"
)

// Options override what the engine would decide from the content; a zero field leaves the decision to it. Workbooks take no notice of
// either. As JSON, unknown names and values are refused.
type Options struct {
	Encoding  string `json:"encoding,omitempty"`  // one of charset.Names
	Delimiter string `json:"delimiter,omitempty"` // "," or ";" or "\t"
}

// OptionError says which option was not understood, and why.
type OptionError struct {
	Option  string
	Message string // one English sentence for people
}

func (e *OptionError) Error() string { return "option " + e.Option + ": " + e.Message }

// delimiters are tried in this order, and the values that the option takes.
var delimiters = []string{",", ";", "\t"}

// OptionNames lists the options that ParseOptions knows.
func OptionNames() []string { return []string{"encoding", "delimiter"} }

// ParseOptions reads options as a URL's query or a form holds them. The values "" and "auto" leave the decision to the engine; the
// delimiter may be called comma, semicolon or tab. Anything unknown, or given twice, is an *OptionError.
func ParseOptions(query map[string][]string) (Options, error) {
	var opt Options
	for name, values := range query {
		if !slices.Contains(OptionNames(), name) {
			return Options{}, &OptionError{name, "There is no such option; there are " + strings.Join(OptionNames(), " and ") + "."}
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

func (o *Options) set(name, value string) error {
	if value == "" || strings.EqualFold(value, "auto") {
		return nil
	}
	switch name {
	case "encoding":
		enc, ok := charset.Lookup(value)
		if !ok {
			return &OptionError{name, fmt.Sprintf("%q is no encoding that can be read; there are %s.", value, strings.Join(charset.Names(), ", "))}
		}
		o.Encoding = enc.Name()
	case "delimiter":
		switch strings.ToLower(value) {
		case "comma":
			value = ","
		case "semicolon":
			value = ";"
		case "tab", `\t`:
			value = "\t"
		}
		if !slices.Contains(delimiters, value) {
			return &OptionError{name, fmt.Sprintf("%q is no delimiter that can be read; there are comma, semicolon and tab.", value)}
		}
		o.Delimiter = value
	}
	return nil
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
	if err := o.set("encoding", p.Encoding); err != nil {
		return err
	}
	return o.set("delimiter", p.Delimiter)
}
