package target_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/target"
)

// What an upload asks of a target comes to the worker with the parse options, and leaves them as they were.
func TestRequestTravelsWithTheOptions(t *testing.T) {
	t.Parallel()
	want := target.Request{
		ID: uuid.New(), Name: "prices<>", Mode: target.Upsert, Series: "東京", KeepEarlier: true,
		Mapping: map[string]target.Choice{"Preis": {Column: "net", Format: "#.##0,0"}, "x": {}},
	}
	joined, err := target.JoinOptions(json.RawMessage(`{"header":1,"columns":[{"name":"a&b","type":"integer"}]}`), want)
	if err != nil {
		t.Fatal(err)
	}
	rest, got, err := target.SplitOptions(joined)
	if err != nil || got == nil || !reflect.DeepEqual(*got, want) {
		t.Fatalf("%+v, %v", got, err)
	}
	var options sheet.Options
	if err := json.Unmarshal(rest, &options); err != nil || *options.Header != 1 || options.Columns[0].Name != "a&b" {
		t.Errorf("%s: %v", rest, err)
	}
	if _, none, err := target.SplitOptions(json.RawMessage(`{"header":1}`)); none != nil || err != nil {
		t.Errorf("%+v, %v", none, err)
	}
}

// A worker of an earlier version returns a task whose request it does not know in full; it must not load it by halves.
func TestRequestOfANewerVersionIsAnError(t *testing.T) {
	t.Parallel()
	if err := json.Unmarshal([]byte(`{"target":{"id":"`+uuid.NewString()+`"}}`), new(sheet.Options)); err == nil {
		t.Error("a worker that knows no targets takes the task")
	}
	for _, options := range []string{`{"target":{"name":"t","merge":true}}`, `{"target":{"mapping":{"a":{"column":"b","unit":"kg"}}}}`, `{"target":7}`, `[]`} {
		if _, request, err := target.SplitOptions(json.RawMessage(options)); err == nil {
			t.Errorf("%s: %+v", options, request)
		}
	}
}

// People write a mapping as they think of it.
func TestChoicesMayBeShort(t *testing.T) {
	t.Parallel()
	var got map[string]target.Choice
	err := json.Unmarshal([]byte(`{"a": "net", "b": null, "c": {"column": "day", "format": "era"}, "d": ""}`), &got)
	want := map[string]target.Choice{"a": {Column: "net"}, "b": {}, "c": {Column: "day", Format: "era"}, "d": {}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

// A request that no file could fulfil is refused before one is sent.
func TestRequestsThatCannotBeFulfilledAreRefused(t *testing.T) {
	t.Parallel()
	problems := prices.ValidateRequest(target.Request{
		Mode: "merge", Series: "a\n", Mapping: map[string]target.Choice{
			"a": {Column: "nett"}, "b/c": {Column: "valid_from", Format: "#,##0"}, "d": {Format: "era"}, "e\x00": {}, "f": {Column: "valid_from", Format: "era"},
		},
	})
	if want := []string{"/mode", "/series", "/mapping/a", "/mapping/b~1c/format", "/mapping/d", "/mapping/e\x00"}; !slices.Equal(pointers(problems), want) {
		t.Errorf("got %q, want %q", pointers(problems), want)
	}
	keyless := target.Definition{Name: "t", Columns: prices.Columns}
	if problems := keyless.ValidateRequest(target.Request{Mode: target.Upsert}); !slices.Equal(pointers(problems), []string{"/mode"}) {
		t.Errorf("%+v", problems)
	}
	if problems := prices.ValidateRequest(target.Request{Mode: target.Replace}); len(problems) > 0 {
		t.Errorf("%+v", problems)
	}
}
