package dialect

import "testing"

// Each word for a limit begins with one of the letters that such words begin with.
func TestLimitWords(t *testing.T) {
	t.Parallel()
	for _, word := range limits {
		if !isLimit([]byte(word)) {
			t.Errorf("%s is not found", word)
		}
	}
}
