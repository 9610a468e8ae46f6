package reading

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/sheet"
)

// Options are flags that say how files are read: one for each option of the engine, and one for a file of them. Make them with NewOptions.
type Options struct {
	Flags any    `embed:""`
	File  string `name:"options" type:"existingfile" placeholder:"FILE" help:"A file of options, as --save-options writes it; other flags win over it."`
	Save  string `name:"save-options" type:"path" placeholder:"FILE" help:"Write the options by which the file was read, detected ones too, to a file for --options."`

	names  []string
	parsed sheet.Options
}

// NewOptions returns Options for kong to fill in. Flags about loading make sense where files are loaded.
func NewOptions(loading bool) Options {
	names := slices.DeleteFunc(sheet.OptionNames(), func(name string) bool {
		return name == "options" || name == "corrects" || name == "dry_run" && !loading
	})
	return Options{Flags: newOptionFlags(names), names: names}
}

// Parse reads the flags and the file. An error is bad usage.
func (o *Options) Parse() (err error) {
	given := flagValues(o.Flags, o.names)
	if o.File != "" {
		text, err := os.ReadFile(o.File)
		if err != nil {
			return words.Errorf("--options: %w", err)
		}
		given["options"] = []string{string(text)}
	}
	o.parsed, err = sheet.ParseOptions(given)
	return err
}

// JSON returns the options as the API takes them, "" if none is set.
func (o *Options) JSON() (string, error) {
	text, err := json.Marshal(o.parsed)
	if string(text) == "{}" {
		return "", err
	}
	return string(text), err
}

// newOptionFlags returns a pointer to a struct with a flag for each of the options, for kong to fill in.
func newOptionFlags(names []string) any {
	fields := make([]reflect.StructField, len(names))
	for i, name := range names {
		flag := strings.ReplaceAll(name, "_", "-")
		fields[i] = reflect.StructField{
			Name: fmt.Sprint("Option", i),
			Type: reflect.TypeFor[[]string](),
			Tag:  reflect.StructTag(fmt.Sprintf(`name:%q sep:"none" placeholder:"…" help:%q`, flag, optionHelps[name])),
		}
	}
	return reflect.New(reflect.StructOf(fields)).Interface()
}

// optionHelps has the help of each flag with its values. Without a flag the content decides.
var optionHelps = map[string]string{
	"encoding":         "The text's encoding, such as utf-8, cp932, euc-jp or windows-1252.",
	"delimiter":        "What separates cells: one or more characters, or comma, semicolon, tab or pipe.",
	"quote":            "What encloses cells: a character, or none.",
	"escape":           "What precedes a quote inside a quoted cell: the quote itself, or backslash.",
	"skip_space":       "true: spaces after delimiters are ignored. false: they are kept.",
	"mixed_delimiters": "true: with --delimiter, too, a record that only makes sense with another one is split by that.",
	"header_rule":      "true: with --header, too, a line of dashes below the header is skipped.",
	"row_names":        "true: the header lacks the first column's cell.",
	"header":           "The number of header rows, 0 to 20. With 0 the columns are column_1, column_2, …",
	"skip":             "The number of records before the header.",
	"footer":           "none: records below the table are rows as well. auto (default): notes and totals there are skipped.",
	"tables":           "all: each further table of a text or worksheet is a sheet of its own. first (default): its records are rejected or left out.",
	"sheet":            "Read only this sheet of a workbook: its name, or its number from 1.",
	"hidden":           "true: read the hidden sheets of a workbook as well.",
	"fill_down":        "true: the value of merged cells counts for each of their rows.",
	"null":             "A word for no value, such as N/A: cells that are it are null in every column. May be repeated.",
	"pad":              "true: cells that a record lacks at its end are null. false: the record is rejected.",
	"column":           "Declare a column: NAME:TYPE, with rules behind semicolons, such as id:integer;required;unique. May be repeated.",
	"policy":           "How many records may be rejected: reject (any number, default), fail (none), limit:N or limit:P%.",
	"dry_run":          "true: read everything, and load nothing.",
}

// flagValues returns what kong has filled into the struct.
func flagValues(flags any, names []string) map[string][]string {
	given := map[string][]string{}
	fields := reflect.ValueOf(flags).Elem()
	for i, name := range names {
		if values := fields.Field(i).Interface().([]string); len(values) > 0 {
			given[name] = values
		}
	}
	return given
}
