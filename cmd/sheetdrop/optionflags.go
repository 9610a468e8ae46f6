package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"sheetdrop/internal/sheet"
)

// flagNames are the engine's options that are flags here, where nothing is loaded anyway.
func flagNames() []string {
	return slices.DeleteFunc(sheet.OptionNames(), func(name string) bool { return name == "dry_run" })
}

// newOptionFlags makes a struct with a flag for each of them, for kong to fill in.
func newOptionFlags() any {
	names := flagNames()
	fields := make([]reflect.StructField, len(names))
	for i, name := range names {
		flag := strings.ReplaceAll(name, "_", "-")
		fields[i] = reflect.StructField{
			Name: fmt.Sprint("Option", i),
			Type: reflect.TypeFor[[]string](),
			Tag:  reflect.StructTag(fmt.Sprintf(`name:%q sep:"none" placeholder:"…" help:%q`, flag, optionHelp(name))),
		}
	}
	return reflect.New(reflect.StructOf(fields)).Interface()
}

// optionHelp says what an option is for.
func optionHelp(name string) string {
	switch name {
	case "sheet":
		return "Reads this sheet of a workbook only: its name, or its place from 1."
	case "hidden":
		return "Reads a workbook's hidden sheets as well (true)."
	case "fill_down":
		return "Gives the value of merged cells to each of their rows (true)."
	}
	return "Overrides what is found out about the " + strings.ReplaceAll(name, "_", " ") + " from the content."
}

// parseOptionFlags gives the engine what kong has filled in.
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
