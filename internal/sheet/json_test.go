package sheet

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestReadJSON(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content string
		want    []string
	}{
		"lines":            {"{\"a\":1,\"b\":\"x\"}\n{\"b\":\"y\",\"c\":true}\r\n\n{\"a\":null}", []string{"row 1: 1|x|NULL", "row 2: NULL|y|true", "skip 3:", "row 4: NULL|NULL|NULL"}},
		"an array":         {"[ {\"a\": 1.50, \"b\": {\"c\": [1, 2]}} ,\n {\"a\": -1e3,\"b\":[ ]}]\n", []string{`row 1: 1.50|{"c":[1,2]}`, "row 2: -1e3|[]"}},
		"over lines":       {"[\n  {\n    \"a\": \"x\\ny\"\n  },\n  {\n    \"a\": \"\\u65e5\\ud83d\\ude00\"\n  }\n]", []string{"row 1: x\ny", "row 2: 日😀"}},
		"objects in a row": {"{\n \"a\": 1\n}\n{\n \"a\": 2\n}\n", []string{"row 1: 1", "row 2: 2"}},
		"a bad line":       {"{\"a\":1}\n{\"a\":2,}\n{\"a\":3}\n", []string{"row 1: 1", "reject 2: !invalid_json 0 ", "row 3: 3"}},
		"a cut line":       {"{\"a\":1}\n{\"a\":2}\n{\"a\":", []string{"row 1: 1", "row 2: 2", "reject 3: !invalid_json 0 "}},
		"a bad element":    {"[{\"a\":1},{\"a\":x},{\"a\":3}]", []string{"row 1: 1", "reject 2: !invalid_json 0 ", "row 3: 3"}},
		"no object":        {"[{\"a\":1},7,{\"a\":3}]", []string{"row 1: 1", "reject 2: !invalid_json 0 ", "row 3: 3"}},
		"no end":           {"[{\"a\":1},{\"a\":2}", []string{"row 1: 1", "row 2: 2", "reject 3: !invalid_json 0 "}},
		"behind the end":   {"[{\"a\":1}]\nend", []string{"row 1: 1", "reject 2: !invalid_json 0 "}},
		"twice":            {"{\"a\":1,\"b\":1}\n{\"a\":2,\"a\":3}", []string{"row 1: 1|1", "reject 2: 2|NULL !duplicate_cell 0 "}},
		"NUL":              {"{\"a\":1}\n{\"a\":\"x\\u0000\"}", []string{"row 1: 1", "reject 2: x\x00 !invalid_character 1 a"}},
		"half a character": {"{\"a\":1}\n{\"a\":\"\\ud83d\"}", []string{"row 1: 1", "reject 2: \ufffd !invalid_encoding 0 "}},
		"no UTF-8":         {"{\"a\":1}\n{\"a\":\"\xff\"}", []string{"row 1: 1", "reject 2: !invalid_encoding 0 "}},
	} {
		if got := read(t, c.content, Options{}, DefaultLimits()); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}

// The columns are those of the first thousand objects; a member that comes later is a reject, not lost.
func TestLateMemberOfJSON(t *testing.T) {
	t.Parallel()
	got := read(t, strings.Repeat("{\"a\":1}\n", 1000)+"{\"a\":1,\"b\":2}\n", Options{}, DefaultLimits())
	if len(got) != 1001 || got[1000] != "reject 1001: 1 !extra_cell 0 " {
		t.Errorf("%d, %q", len(got), got[len(got)-1])
	}
}

// P5: a value that does not end loses its own line alone, and the time does not grow with the square of the text.
func TestOpenValuesOfJSON(t *testing.T) {
	t.Parallel()
	content := "[\n{\"a\":1},\n{\"a\":[1},\n" + strings.Repeat("{\"a\":2},\n", 300_000) + strings.Repeat("{[\n", 300_000) + "]"
	rows, rejects := 0, 0
	err := eachRecord(t.Context(), []byte(content), Options{}, DefaultLimits(), func(_ *Sheet, rec *Record) {
		switch rec.Kind {
		case Row:
			rows++
		case Reject:
			rejects++
		}
	})
	if err != nil || rows != 300_001 || rejects < 300_000 {
		t.Errorf("%d rows, %d rejects, %v", rows, rejects, err)
	}
}

// A text whose first line is broken is still JSON.
func TestFirstLineOfJSONIsBroken(t *testing.T) {
	t.Parallel()
	got := read(t, "{\"a\":1,,}\n{\"a\":2}\n{\"a\":3}\n", Options{}, DefaultLimits())
	if want := []string{"reject 1: !invalid_json 0 ", "row 2: 2", "row 3: 3"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// Objects of any members, values and white space come back as they were, with their places.
func TestAnyJSONComesBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[ -~é日]{1,6}`), 1, 5, rapid.ID).Draw(rt, "names")
		array := rapid.Bool().Draw(rt, "array")
		indent := array && rapid.Bool().Draw(rt, "indent")
		var want, texts []string
		for i := range rapid.IntRange(1, 8).Draw(rt, "rows") {
			object, line := []string{}, ""
			for _, name := range names {
				value := rapid.String().Filter(func(s string) bool { return !strings.ContainsRune(s, 0) }).Draw(rt, "value")
				key, err := json.Marshal(name)
				if err != nil {
					rt.Fatal(err)
				}
				text, err := json.Marshal(value)
				if err != nil {
					rt.Fatal(err)
				}
				sep := ":"
				if indent {
					sep = " :\n "
				}
				object = append(object, string(key)+sep+string(text))
				line += "|" + strings.ToValidUTF8(value, "\ufffd")
			}
			texts = append(texts, "{"+strings.Join(object, ",")+"}")
			want = append(want, fmt.Sprintf("row %d: %s", i+1, line[1:]))
		}
		content := strings.Join(texts, "\n")
		if array {
			content = "[" + strings.Join(texts, ",\n") + "]"
		}
		if got := read(t, content, Options{}, DefaultLimits()); !slices.Equal(got, want) {
			rt.Errorf("%q:\n got %q\nwant %q", content, got, want)
		}
	})
}
