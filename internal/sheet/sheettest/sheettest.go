// Package sheettest makes texts for the tests of the packages that read sheets.
package sheettest

import (
	"fmt"
	"strings"
)

// Lines returns head, and n lines with their number for {i} and the name of a place for {p}.
func Lines(head, line string, n int) string {
	places := []string{"Oslo", "Rome", "New York", "St. Gallen", "Kyoto", "O'Hare", "Łódź"}
	var b strings.Builder
	b.WriteString(head)
	for i := range n {
		b.WriteString(strings.NewReplacer("{i}", fmt.Sprintf("%02d", i), "{p}", places[i%len(places)]).Replace(line))
	}
	return b.String()
}
