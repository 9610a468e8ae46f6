package sheet

import (
	"testing"
)

func TestDialect(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content, delimiter, newline string
	}{
		"comma":                     {"a,b\n1,2\n", ",", "\n"},
		"semicolon":                 {"a;b\r\n1,5;2,5\r\n3,5;4,5\r\n", ";", "\r\n"},
		"tab":                       {"a\tb\r1\t2,3\r", "\t", "\r"},
		"bad rows do not turn it":   {"a;b;c\n1,5;2;3\n4,5\n6,5;7;8\n9,5;0;1;2\n", ";", "\n"},
		"quoted delimiters":         {"a,b\n\"1;2;3\",4\n\"5;6;7\",8\n", ",", "\n"},
		"one column with commas":    {"name\nDoe, Jane\nRoe, Sam, Jr\nPoe\n", ";", "\n"},
		"one column":                {"name\nx\n", ",", "\n"},
		"one line":                  {"a;b;c", ";", ""},
		"blank lines do not count":  {"\n\na\tb\n\n\n\n1\t2\n", "\t", "\n"},
		"comma wins in equal cases": {"a,b;c\n1,2;3\n", ",", "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, s := openFirst(t, c.content, Options{})
			if d := s.Dialect(); d.Delimiter != c.delimiter || d.Newline != c.newline || d.HeaderRows != 1 {
				t.Errorf("got %+v", d)
			}
		})
	}
}
