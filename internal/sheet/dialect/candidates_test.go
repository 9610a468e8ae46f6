package dialect

import (
	"slices"
	"testing"
)

func piecesOf(text string) []piece {
	return []piece{newPiece([]byte(text), false, false)}
}

// A delimiter that is not tried is never found; one that prose is full of is tried in vain.
func TestTriedDelimiters(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, Delimiter string
		want            bool
	}{
		"a rare one in half of the lines":  {"a^b\nx\n", "^", true},
		"a rare one in a third of them":    {"a^b\nx\ny\n", "^", false},
		"a rare one and no line end":       {"a^b", "^", true},
		"colons, a fifth of them in text":  {"1:30\n1:31\n1:32\n1:33\na:b\n", ":", false},
		"colons, a fourth of them in text": {"1:30\n1:31\n1:32\na:b\n", ":", true},
		"usual ones that stand nowhere":    {"a\n", "|", true},
		"a space behind most":              {"a, b, c,d\n", ", ", true},
		"a space behind half":              {"a, b,c\n", ", ", false},
		"a part of a longer one":           {"a||b||c\n", "|", false},
	} {
		if got := slices.Contains(delimiters(piecesOf(c.text), Hints{}), c.Delimiter); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestLengthen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, Delimiter, want string }{
		"three times":              {"a~|~b~|~c~|~d", "|", "~|~"},
		"twice":                    {"a~|~b~|~c", "|", "|"},
		"double in four of five":   {"a||b||c|d", "|", "||"},
		"double in four of six":    {"a||b||c|d|e", "|", "|"},
		"three in a row":           {"a|||b|||c", "|", "|||"},
		"no more than five around": {"a<<<<;>>>>b<<<<;>>>>c<<<<;>>>>d", ";", ";>>>>"},
		"not a comma and a space":  {"a, b, c, d", ",", ","},
		"a space stays one":        {"a  b  c  d", " ", " "},
	} {
		if got := lengthen(piecesOf(c.text), c.Delimiter); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
