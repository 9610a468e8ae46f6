package reading

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// A program that reads NDJSON gets each cell's text as it is, and valid JSON even of bytes that are not text: as encoding/json writes it.
func TestCellsAreJSONStrings(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("\"\\\r\n\t\x00\x1f\x7f<&>\u2028\U0001f600")))),
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		).Draw(t, "text")
		line := appendString([]byte("["), []byte(text))
		var got, want string
		if err := json.Unmarshal(line[1:], &got); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		marshalled, err := json.Marshal(text)
		if err == nil {
			err = json.Unmarshal(marshalled, &want)
		}
		if err != nil || got != want {
			t.Fatalf("%q, want %q (%v)", got, want, err)
		}
	})
}
