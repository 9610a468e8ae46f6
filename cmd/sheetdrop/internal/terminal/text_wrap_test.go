package terminal

import (
	"slices"
	"testing"
)

// Lines fit a terminal whatever the width of their characters, and a full stop does not begin one.
func TestTextIsWrappedByItsWidth(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"one two three four":    {"one two", "three four"},
		"a-word-that-is-long x": {"a-word-that-is-long", "x"},
		"ファイルを読みます。":            {"ファイルを", "読みます。"},
		"CSVを読みまし。":             {"CSVを読み", "まし。"},
		"":                      {""},
	} {
		if got := Wrap(text, 10); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
