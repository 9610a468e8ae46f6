package sheet

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The rules for worksheets leave alone as well what is nothing but a table, even if somebody has marked a row or two.
func TestOrdinaryWorksheets(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(26, 11))
	for range 1500 {
		text, names, rows := ordinaryTable(random)
		in := csv.NewReader(strings.NewReader(text))
		for _, delimiter := range []rune{';', '\t', '|'} {
			if header, _, _ := strings.Cut(text, "\n"); strings.ContainsRune(header, delimiter) {
				in.Comma = delimiter
			}
		}
		cells, err := in.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		b := drawnBook{rows: cells}
		for range random.IntN(3) {
			if rows > 4 {
				b.told = append(b.told, fmt.Sprintf("bold %d", 3+random.IntN(rows)))
			}
		}
		_, s := openFirst(t, b.writeXML(), Options{})
		loaded := 0
		for rec := range recordsOf(t, s) {
			if rec.Kind == Row {
				loaded++
			}
		}
		var read []string
		for _, c := range s.Columns() {
			read = append(read, c.Name)
		}
		if loaded != rows || !slices.Equal(read, names) {
			t.Errorf("%d of %d rows, columns %q\n%s", loaded, rows, read, text)
		}
	}
}
