package target_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sheetdrop/internal/target"
)

// column returns a definition with one column, of these settings besides its name.
func column(settings string) string {
	return `{"name": "t", "columns": [{"name": "c", ` + settings + `}]}`
}

func pointers(problems []target.Problem) []string {
	var all []string
	for _, p := range problems {
		all = append(all, p.Pointer)
	}
	return all
}

// What its owner would only notice when a file is loaded, or never, is said when the target is defined.
func TestWrongDefinitionsAreRefusedWithTheField(t *testing.T) {
	t.Parallel()
	for definition, want := range map[string][]string{
		// its form
		`[]`: {""}, `null`: {""}, `{"name"`: {""}, `{}`: {"/name", "/columns"}, `{"name": "t", "columns": {}}`: {"/columns"}, `{"name": 1, "columns": []}`: {"/name", "/columns"},
		column(`"type": "text", "requird": true`): {"/columns/0/requird"}, column(`"type": "text", "required": "yes"`): {"/columns/0/required"},
		column(`"type": "text", "a/b~": 1`):                                                    {"/columns/0/a~1b~0"},
		column(`"type": "text", "max_length": 1.5`):                                            {"/columns/0/max_length"},
		`{"name": "t", "kyes": [], "colunms": [], "columns": [{"name": "c", "type": "text"}]}`: {"/colunms", "/kyes"},
		column(`"type": "money", "synonyms": "x", "label": 7`):                                 {"/columns/0/label", "/columns/0/synonyms", "/columns/0/type"},

		// names
		`{"name": "_t", "columns": [{"name": "_load", "type": "text"}]}`:                                           {"/name", "/columns/0/name"},
		`{"name": "t__was", "columns": [{"name": "xmin", "type": "text"}]}`:                                        {"/name", "/columns/0/name"},
		`{"name": "t__seen", "columns": [{"name": "a\u0000", "type": "text"}]}`:                                    {"/name", "/columns/0/name"},
		`{"name": "..", "columns": [{"name": " a", "type": "text"}]}`:                                              {"/name", "/columns/0/name"},
		`{"name": "a\nb", "columns": [{"name": "", "type": "text"}]}`:                                              {"/name", "/columns/0/name"},
		`{"name": "t", "columns": [{"name": "a", "type": "text"}, {"name": "a", "type": "text"}]}`:                 {"/columns/1/name"},
		`{"name": "t", "columns": [{"name": "\u304c", "type": "text"}, {"name": "\u304b\u3099", "type": "text"}]}`: {"/columns/1/name"},
		named(strings.Repeat("a", 58), strings.Repeat("a", 64)):                                                    {"/name", "/columns/0/name"},
		named(strings.Repeat("商", 20), strings.Repeat("商", 22)):                                                    {"/name", "/columns/0/name"},

		// keys and lists of columns
		`{"name": "t", "key": ["c", "x"], "partition": ["c", "c"], "columns": [{"name": "c", "type": "text"}]}`:                         {"/key/1", "/key/0", "/partition/1"},
		`{"name": "t", "mode": "upsert", "columns": [{"name": "c", "type": "text"}]}`:                                                   {"/key"},
		`{"name": "t", "mode": "merge", "duplicates": "all", "missing": "x", "extra": "y", "columns": [{"name": "c", "type": "text"}]}`: {"/mode", "/duplicates", "/missing", "/extra"},

		// types
		column(`"type": "integer", "max_length": 3, "digits": 3, "scale": 1, "pattern": "x", "allowed": ["1"], "zone": "UTC"`): {
			"/columns/0/max_length", "/columns/0/digits", "/columns/0/scale", "/columns/0/pattern", "/columns/0/allowed", "/columns/0/zone"},
		column(`"type": "text", "max_length": -1`):                        {"/columns/0/max_length"},
		column(`"type": "decimal", "digits": 1001`):                       {"/columns/0/digits"},
		column(`"type": "decimal", "digits": 5, "scale": 6`):              {"/columns/0/scale"},
		column(`"type": "decimal", "scale": 2`):                           {"/columns/0/scale"},
		column(`"type": "date", "format": "YYYY-DD-MM"`):                  {"/columns/0/format"},
		column(`"type": "timestamp", "format": "YYYY-MM-DD hh:mm±hh:mm"`): {"/columns/0/format"},
		column(`"type": "instant", "format": "YYYY-MM-DD hh:mm"`):         {"/columns/0/zone"},
		column(`"type": "instant", "zone": "Asia/Edo"`):                   {"/columns/0/zone"},
		column(`"type": "instant", "zone": "Local"`):                      {"/columns/0/zone"},
		column(`"type": "instant", "zone": "../../etc/passwd"`):           {"/columns/0/zone"},

		// rules
		column(`"type": "text", "pattern": "(a"`):                                  {"/columns/0/pattern"},
		column(`"type": "text", "pattern": "(?=a)b"`):                              {"/columns/0/pattern"},
		column(`"type": "text", "min": "a"`):                                       {"/columns/0/min"},
		column(`"type": "boolean", "max": "true"`):                                 {"/columns/0/max"},
		column(`"type": "integer", "min": "1,000"`):                                {"/columns/0/min"},
		column(`"type": "integer", "min": "9223372036854775808"`):                  {"/columns/0/min"},
		column(`"type": "integer", "min": "2", "max": "1"`):                        {"/columns/0/min"},
		column(`"type": "date", "min": "2026-02-30"`):                              {"/columns/0/min"},
		column(`"type": "date", "min": "31.1.2026"`):                               {"/columns/0/min"},
		column(`"type": "decimal", "digits": 3, "scale": 1, "max": "100"`):         {"/columns/0/max"},
		column(`"type": "text", "allowed": ["ok", "", "longer"], "max_length": 5`): {"/columns/0/allowed/1", "/columns/0/allowed/2"},
		column(`"type": "text", "allowed": ["a", "1"], "pattern": "[a-z]"`):        {"/columns/0/allowed/1"},
		column(`"type": "text", "label": "a\u0007", "synonyms": ["--", "x"]`):      {"/columns/0/label", "/columns/0/synonyms/0"},

		// defaults
		column(`"type": "decimal", "digits": 4, "scale": 2, "default": "1.005"`): {"/columns/0/default"},
		column(`"type": "decimal", "digits": 4, "scale": 2, "default": "100"`):   {"/columns/0/default"},
		column(`"type": "decimal", "default": "1.000,5"`):                        {"/columns/0/default"},
		column(`"type": "integer", "default": "5", "max": "4"`):                  {"/columns/0/default"},
		column(`"type": "boolean", "default": "yes"`):                            {"/columns/0/default"},
		column(`"type": "time", "default": "9:05"`):                              {"/columns/0/default"},
		column(`"type": "time", "default": "09:05:00.1234567"`):                  {"/columns/0/default"},
		column(`"type": "timestamp", "default": "2026-01-31T09:05:00Z"`):         {"/columns/0/default"},
		column(`"type": "instant", "default": "2026-01-31T09:05:00"`):            {"/columns/0/default"},
		column(`"type": "date", "default": "now()"`):                             {"/columns/0/default"},
		column(`"type": "integer", "default": ""`):                               {"/columns/0/default"},
		column(`"type": "text", "default": "c", "allowed": ["a", "b"]`):          {"/columns/0/default"},
		column(`"type": "text", "default": "\u0000"`):                            {"/columns/0/default"},
		column(`"type": "text", "default": "abc", "max_length": 2`):              {"/columns/0/default"},
		column(`"type": "text", "default": "", "required": true`):                {"/columns/0/default"},
	} {
		_, problems := target.Parse([]byte(definition))
		if !slices.Equal(pointers(problems), want) {
			t.Errorf("%s\ngot  %q\nwant %q", definition, pointers(problems), want)
		}
		for _, p := range problems {
			if p.Message == "" || p.MessageJA == "" || strings.Contains(p.Message+p.MessageJA, "%!") {
				t.Errorf("%s: %+v", definition, p)
			}
		}
	}
}

func named(name, column string) string {
	return fmt.Sprintf(`{"name": %q, "columns": [{"name": %q, "type": "text"}]}`, name, column)
}

// A target may have as many columns as PostgreSQL has room for in each of its tables.
func TestThousandColumnsAreTheLimit(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{1000: 0, 1001: 1} {
		def := target.Definition{Name: "wide"}
		for i := range n {
			def.Columns = append(def.Columns, target.Column{Name: fmt.Sprint("c", i), Type: target.Text})
		}
		text, err := json.Marshal(def)
		if err != nil {
			t.Fatal(err)
		}
		if _, problems := target.Parse(text); len(problems) != want {
			t.Errorf("%d columns: %+v", n, problems)
		}
	}
}

// Patterns of many columns cannot take the memory of the process.
func TestPatternsTogetherAreLimited(t *testing.T) {
	t.Parallel()
	def := target.Definition{Name: "t"}
	for i := range 60 {
		def.Columns = append(def.Columns, target.Column{Name: fmt.Sprint("c", i), Type: target.Text, Pattern: "[a-z]{900}[0-9]{900}"})
	}
	if problems := def.Validate(); !slices.Equal(pointers(problems), []string{"/columns"}) {
		t.Errorf("%+v", problems)
	}
}

// Everything that a definition may say is kept as it was written.
func TestWholeDefinitionIsRead(t *testing.T) {
	t.Parallel()
	want := target.Definition{
		Name: `sheetdrop.task"; drop table x; --`, Key: []string{"a b", "商品コード"}, Mode: target.Replace, Partition: []string{"a b"},
		Duplicates: target.LastOfDuplicates, Missing: target.DefaultMissing, Extra: target.RefuseExtra,
		Columns: []target.Column{
			{Name: "a b", Type: target.Text, Required: true, MaxLength: 3, Pattern: "[a-z]+", Allowed: []string{"a", "bcd"}, Default: new("a"), Synonyms: []string{"A B"}},
			{Name: "商品コード", Label: "Code", Type: target.Integer, Required: true, Min: "-9223372036854775808", Max: "9223372036854775807", Format: "#,##0"},
			{Name: "net", Type: target.Decimal, Digits: 12, Scale: 2, Min: "0", Max: "9999999999.99", Default: new("0.50")},
			{Name: "ok", Type: target.Boolean, Default: new("false"), Format: "○/×"},
			{Name: "day", Type: target.Date, Min: "0001-01-01", Default: new("2026-01-31"), Format: "era"},
			{Name: "at", Type: target.Time, Default: new("24:00:00")},
			{Name: "stamp", Type: target.Timestamp, Default: new("2026-01-31T09:05:00.123456")},
			{Name: "moment", Type: target.Instant, Zone: "Asia/Tokyo", Format: "YYYY-MM-DD hh:mm", Default: new("2026-01-31T09:05:00+09:00")},
			{Name: "took", Type: target.Duration, Default: new("-PT1H30M")},
		},
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, problems := target.Parse(text)
	if len(problems) != 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\n%+v\n%+v", problems, got, want)
	}
}
