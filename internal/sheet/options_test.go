package sheet

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"sheetdrop/internal/sheet/types"
)

func TestParseOptions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		query map[string][]string
		want  Options
	}{
		"none":         {nil, Options{}},
		"auto":         {map[string][]string{"encoding": {"auto"}, "delimiter": {""}}, Options{}},
		"by name":      {map[string][]string{"encoding": {"Shift_JIS"}, "delimiter": {"tab"}}, Options{Encoding: "cp932", Delimiter: "\t"}},
		"by character": {map[string][]string{"encoding": {"UTF-16LE"}, "delimiter": {";"}}, Options{Encoding: "utf-16le", Delimiter: ";"}},
	} {
		if got, err := ParseOptions(c.query); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestUnknownOptionsAreRefused(t *testing.T) {
	t.Parallel()
	for name, query := range map[string]map[string][]string{
		"delimeter": {"delimeter": {","}},
		"encoding":  {"encoding": {"ebcdic"}},
		"delimiter": {"delimiter": {"x"}},
	} {
		_, err := ParseOptions(query)
		if refused, ok := errors.AsType[*OptionError](err); !ok || refused.Option != name || refused.Message == "" {
			t.Errorf("%v: %v", query, err)
		}
	}
	if _, err := ParseOptions(map[string][]string{"delimiter": {",", ";"}}); err == nil {
		t.Error("an option given twice passes")
	}
}

// Options that were found can be changed one by one: what is set by its own name replaces what is in the whole.
func TestOptionsAsAWhole(t *testing.T) {
	t.Parallel()
	const whole = `{"encoding":"cp932","delimiter":";","header":2,"skip_space":true,"columns":[{"name":"a","type":"integer"}],"row_names":true}`
	got, err := ParseOptions(map[string][]string{"options": {whole}, "delimiter": {"auto"}, "header": {"1"}, "column": {"b:date"}, "row_names": {"false"}})
	want := Options{Encoding: "cp932", Header: new(1), SkipSpace: new(true), Columns: []types.Rule{{Name: "b", Type: types.Date}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, text := range []string{``, `[]`, `null`, `1`, `{"delimiter":1}`, `{"delimeter":";"}`, `{"options":"{}"}`} {
		_, err := ParseOptions(map[string][]string{"options": {text}})
		if refused, ok := errors.AsType[*OptionError](err); !ok || refused.Option != "options" || refused.Message == "" {
			t.Errorf("%s: %v", text, err)
		}
	}
	_, err = ParseOptions(map[string][]string{"options": {`{"delimiter":"x"}`}})
	if refused, ok := errors.AsType[*OptionError](err); !ok || refused.Option != "delimiter" {
		t.Errorf("an invalid value in the whole: %v", err)
	}
}

// A task's options come back from the database as they were written.
func TestOptionsAsJSON(t *testing.T) {
	t.Parallel()
	for _, opt := range []Options{{}, {Encoding: "cp932"}, {Encoding: "utf-8", Delimiter: "\t"}} {
		b, err := json.Marshal(opt)
		if err != nil {
			t.Fatal(err)
		}
		back := Options{Encoding: "utf-16le", Delimiter: ";"}
		if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, opt) {
			t.Errorf("%s: %+v, %v", b, back, err)
		}
	}
	for _, text := range []string{`{"encodign":"utf-8"}`, `{"encoding":"x"}`, `{"delimiter":"x"}`, `[]`} {
		if err := json.Unmarshal([]byte(text), new(Options)); err == nil {
			t.Errorf("%s passes", text)
		}
	}
}
