package target

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// The problems of a definition's JSON.
var (
	notJSON      = sentence{"The definition is no JSON object.", "定義がJSONのオブジェクトではありません。"}
	unknownField = sentence{"There is no field %q; there are %s.", "項目「%s」はありません。使えるのは%sです。"}
	notColumns   = sentence{"columns has to be a list of objects.", "columnsはオブジェクトの配列にしてください。"}
	notBool      = sentence{"%s has to be true or false.", "%sはtrueかfalseにしてください。"}
	notInt       = sentence{"%s has to be a whole number.", "%sは整数にしてください。"}
	notList      = sentence{"%s has to be a list of strings.", "%sは文字列の配列にしてください。"}
	notString    = sentence{"%s has to be a string.", "%sは文字列にしてください。"}
)

// Parse reads a definition from JSON and validates it. It returns everything that is wrong with it.
func Parse(text []byte) (Definition, []Problem) {
	var d Definition
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil || fields == nil {
		return d, []Problem{notJSON.at("")}
	}
	list := fields["columns"]
	delete(fields, "columns")
	all := setFields(&d, fields, "", "columns")
	var columns []map[string]json.RawMessage
	if len(list) > 0 && json.Unmarshal(list, &columns) != nil {
		return d, append(all, notColumns.at("/columns"))
	}
	if len(columns) > MaxColumns {
		return d, append(all, manyColumns.at("/columns", len(columns), MaxColumns))
	}
	d.Columns = make([]Column, len(columns))
	for i := range columns {
		all = append(all, setFields(&d.Columns[i], columns[i], fmt.Sprintf("/columns/%d", i))...)
	}
	return d, append(all, without(d.Validate(), all)...)
}

// setFields sets the fields of a struct from their JSON, and returns those that it does not have or that have another
// form. others are fields that are set elsewhere.
func setFields(into any, fields map[string]json.RawMessage, at string, others ...string) (all []Problem) {
	value := reflect.ValueOf(into).Elem()
	known := make(map[string]reflect.Value)
	for i := range value.NumField() {
		name, _, _ := strings.Cut(value.Type().Field(i).Tag.Get("json"), ",")
		if !slices.Contains(others, name) {
			known[name] = value.Field(i)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		field, ok := known[name]
		switch {
		case !ok:
			names := slices.AppendSeq(slices.Clone(others), maps.Keys(known))
			slices.Sort(names)
			all = append(all, unknownField.at(at+"/"+escaped(name), name, strings.Join(names, ", ")))
		case bytes.Equal(fields[name], []byte("null")): // as if it were not there
		case json.Unmarshal(fields[name], field.Addr().Interface()) != nil:
			all = append(all, formOf(field.Kind()).at(at+"/"+name, name))
		}
	}
	return all
}

// without leaves out the problems with pointers of others: a field that cannot be read is not missing as well.
func without(problems, others []Problem) []Problem {
	return slices.DeleteFunc(problems, func(p Problem) bool {
		return slices.ContainsFunc(others, func(other Problem) bool { return other.Pointer == p.Pointer })
	})
}

// formOf returns what is said of a field that has another form.
func formOf(kind reflect.Kind) sentence {
	switch kind {
	case reflect.Bool:
		return notBool
	case reflect.Int:
		return notInt
	case reflect.Slice:
		return notList
	default:
		return notString
	}
}

// escaped returns a token of a JSON pointer (RFC 6901).
func escaped(token string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(token) }
