package types_test

import (
	"strings"
	"testing"

	"sheetdrop/internal/sheet/types"
)

func TestIsDay(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]bool{
		"Monday, 5 February, 2024": true, "January 5th, 2024": true, "2024-02-05": true, "05.02.2024 10:00": false,
		"": false, "5": false, "Monday": false, "5,2024": false, "Lee, 5 February, 2024, at sea": false, strings.Repeat("5", 500): false,
	} {
		if got := types.IsDay([]byte(cell)); got != want {
			t.Errorf("%q: %t, want %t", cell, got, want)
		}
	}
}
