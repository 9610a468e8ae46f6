package sheet

import (
	"strings"
	"testing"
)

// A key names the reject that it was made for and, with any other character in it, none.
func TestRejectKey(t *testing.T) {
	t.Parallel()
	key := RejectKey{SheetID: 7, RowNo: 120, ErrorNo: 1}
	text := key.String()
	for _, good := range []string{text, " " + text + "\t"} {
		if got, ok := ParseRejectKey(good); !ok || got != key {
			t.Errorf("%q is read as %+v, %t", good, got, ok)
		}
	}
	for i := range text {
		for _, c := range "0123456789abcdef-r " {
			if string(c) == text[i:i+1] {
				continue
			}
			if got, ok := ParseRejectKey(text[:i] + string(c) + text[i+1:]); ok {
				t.Errorf("%q is read as %+v", text[:i]+string(c)+text[i+1:], got)
			}
		}
	}
	for _, bad := range []string{"", "r", text[1:], text + "0", strings.ToUpper(text), "r7-120-1", "r7-120-1-", "r07" + text[2:]} {
		if got, ok := ParseRejectKey(bad); ok {
			t.Errorf("%q is read as %+v", bad, got)
		}
	}
}
