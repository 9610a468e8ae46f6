package dialect

import "testing"

// Each pair stands on the two sides of one threshold.
func TestWeak(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		Delimiter   string
		consistency float64
		width       int
		values      float64
		held        bool // by the first line
		want        bool
	}{
		{";", 0.04, 3, 1, true, true}, // hardly a record is regular
		{";", 0.06, 3, 1, true, false},
		{";", 0.24, 3, 1, false, true}, // what the first line does not hold must be more regular
		{";", 0.26, 3, 1, false, false},
		{",", 0.34, 3, 1, false, true}, // a comma yet more
		{",", 0.36, 3, 1, false, false},
		{" ", 0.44, 3, 1, true, true}, // text is full of spaces and colons
		{" ", 0.46, 3, 1, true, false},
		{":", 0.69, 3, 1, false, true},
		{":", 0.71, 3, 1, false, false},
		{":", 0.9, 2, 0.29, true, true}, // two columns of them must be of values
		{":", 0.9, 2, 0.31, true, false},
		{":", 0.9, 2, 1, false, true},
	} {
		s := Scored{Dialect: Dialect{Delimiter: c.Delimiter}, Consistency: c.consistency, width: c.width, values: c.values}
		if got := s.isWeak(c.held); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestSplitsWell(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		Delimiter   string
		consistency float64
		width       int
		want        bool
	}{{",", 0.51, 3, true}, {",", 0.5, 3, false}, {",", 0.51, 2, false}, {" ", 0.9, 3, false}} {
		s := Scored{Dialect: Dialect{Delimiter: c.Delimiter}, Consistency: c.consistency, width: c.width}
		if got := s.splitsWell(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestLinesOfValues(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"v\n1,5\n2,5\n3,5\n4,5\n": true, // four lines of five
		"v\n1,5\n2,5\n3,5\n":      false,
		"7\n1,5\n":                true,
		"1,5\n":                   false, // of a header that holds the delimiter
		"12:30\n":                 false,
		"12:30\n12:31\n":          true,
	} {
		if got := areValues([]byte(text), ","); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
