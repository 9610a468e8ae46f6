package upload

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sheetdrop/internal/sheet"
	"sheetdrop/upload-api/internal/problem"
)

// The document describes every option there is, with examples that are taken and bounds that are the engine's.
func TestOptionsAreDescribed(t *testing.T) {
	t.Parallel()
	if got, want := slices.Sorted(maps.Keys(optionSchemas)), slices.Sorted(slices.Values(sheet.OptionNames())); !slices.Equal(got, want) {
		t.Fatalf("described are %q, there are %q", got, want)
	}
	parse := func(name, value string) error {
		_, err := sheet.ParseOptions(map[string][]string{name: {value}})
		return err
	}
	for name, schema := range optionSchemas {
		examples := schema.Examples
		if schema.Items != nil {
			examples = schema.Items.Examples
		}
		if schema.Description == "" || len(examples) == 0 {
			t.Errorf("%s: no description or no example", name)
		}
		for _, example := range examples {
			if err := parse(name, fmt.Sprint(example)); err != nil {
				t.Errorf("%s: example %v: %v", name, example, err)
			}
			if schema.Pattern != "" && !regexp.MustCompile(schema.Pattern).MatchString(fmt.Sprint(example)) {
				t.Errorf("%s: example %v does not match %s", name, example, schema.Pattern)
			}
		}
		if schema.Maximum == nil {
			continue
		}
		if most := int(*schema.Maximum); parse(name, fmt.Sprint(most)) != nil || parse(name, fmt.Sprint(most+1)) == nil {
			t.Errorf("%s: the greatest is not %d", name, most)
		}
	}
}

// Columns are declared as often as needed, in the query as well as in a form, and the task keeps them.
func TestDeclaredColumns(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	const want = `{"columns":[{"name":"注文番号","type":"integer","required":true,"unique":true},{"name":"state","type":"text","allowed":["open","paid"]}],"policy":"limit:5%","dry_run":true}`
	query := "a.csv&column=%E6%B3%A8%E6%96%87%E7%95%AA%E5%8F%B7:integer;required;unique&policy=limit:5%25&column=state:text;allowed=open%7Cpaid&dry_run=true"
	for _, query := range []string{query, strings.ReplaceAll(query, ";", "%3B")} {
		if got := d.upload(query, "a\n").Task.Options; !equalJSON(got, json.RawMessage(want)) {
			t.Errorf("from the query %s, want %s", got, want)
		}
	}
	if taken := d.upload("a;b.csv", "a\n"); taken.File.Name != "a;b.csv" {
		t.Errorf("name %q", taken.File.Name)
	}
	var many Uploaded
	d.postForm(fieldPart("column", "注文番号:integer;required;unique")+fieldPart("dry_run", "true")+fieldPart("policy", "limit:5%")+
		fieldPart("column", "state:text;allowed=open|paid")+filePart("a.csv", "a\n")).into(http.StatusAccepted, &many)
	if got := many.Options; !equalJSON(got, json.RawMessage(want)) {
		t.Errorf("from a form %s, want %s", got, want)
	}
}

// What is wrong with an option is told with its name, for a program to show beside the field.
func TestOptionProblemsNameTheOption(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	for name, value := range map[string]string{
		"column": "amount:money", "policy": "perhaps", "header": "many", "encoding": "klingon", "dry_run": "2", "quote": "x",
	} {
		a := d.post("/api/files?name=a.csv&"+name+"="+value, "a")
		if p := a.problem(problem.InvalidOption); len(p.Errors) != 1 || p.Errors[0].Location != "options."+name || !strings.Contains(p.Errors[0].Message, value) {
			t.Errorf("%s=%s: %+v", name, value, p)
		}
	}
}
