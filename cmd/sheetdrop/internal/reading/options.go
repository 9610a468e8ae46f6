package reading

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"sheetdrop/internal/sheet"
)

// flagNames returns the engine's options that are flags. There is none for dry_run and corrects, since nothing is loaded.
func flagNames() []string {
	return slices.DeleteFunc(sheet.OptionNames(), func(name string) bool { return name == "dry_run" || name == "corrects" })
}

// newOptionFlags returns a pointer to a struct with a flag for each of them, for kong to fill in.
func newOptionFlags() any {
	names := flagNames()
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
	"encoding":  "The text's encoding, such as utf-8, cp932, euc-jp or windows-1252.",
	"delimiter": "What separates cells: one or more characters, or comma, semicolon, tab or pipe.",
	"quote":     "What encloses cells: a character, or none.",
	"escape":    "What precedes a quote inside a quoted cell: the quote itself, or backslash.",
	"header":    "The number of header rows, 0 to 20. With 0 the columns are column_1, column_2, …",
	"skip":      "The number of records before the header.",
	"footer":    "none: records below the table are rows as well. auto (default): notes and totals there are skipped.",
	"sheet":     "Read only this sheet of a workbook: its name, or its number from 1.",
	"hidden":    "true: read the hidden sheets of a workbook as well.",
	"fill_down": "true: the value of merged cells counts for each of their rows.",
	"column":    "Declare a column: NAME:TYPE, with rules behind semicolons, such as id:integer;required;unique. May be repeated.",
	"policy":    "How many records may be rejected: reject (any number, default), fail (none), limit:N or limit:P%.",
}

// parseOptionFlags returns the options that kong has filled into the struct.
func parseOptionFlags(flags any) (sheet.Options, error) {
	given := map[string][]string{}
	fields := reflect.ValueOf(flags).Elem()
	for i, name := range flagNames() {
		if values := fields.Field(i).Interface().([]string); len(values) > 0 {
			given[name] = values
		}
	}
	return sheet.ParseOptions(given)
}
