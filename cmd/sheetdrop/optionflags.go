package main

import (
	"fmt"
	"reflect"
	"strings"

	"sheetdrop/internal/sheet"
)

// newOptionFlags makes a struct with a flag for each option that the engine has, for kong to fill in.
func newOptionFlags() any {
	names := sheet.OptionNames()
	fields := make([]reflect.StructField, len(names))
	for i, name := range names {
		flag := strings.ReplaceAll(name, "_", "-")
		fields[i] = reflect.StructField{
			Name: fmt.Sprint("Option", i),
			Type: reflect.TypeFor[[]string](),
			Tag: reflect.StructTag(fmt.Sprintf(
				`name:%q sep:"none" placeholder:"…" help:"Overrides what is found out about the %s from the content."`, flag, strings.ReplaceAll(name, "_", " "))),
		}
	}
	return reflect.New(reflect.StructOf(fields)).Interface()
}

// parseOptionFlags gives the engine what kong has filled in.
func parseOptionFlags(flags any) (sheet.Options, error) {
	given := map[string][]string{}
	fields := reflect.ValueOf(flags).Elem()
	for i, name := range sheet.OptionNames() {
		if values := fields.Field(i).Interface().([]string); len(values) > 0 {
			given[name] = values
		}
	}
	return sheet.ParseOptions(given)
}
