package sheet

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Rows of a worksheet that are named as sums and are those of the rows above them are none, wherever they stand, though they lack nothing;
// and no other row is lost.
func TestSumsOfPartsThatLackNothing(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		columns, parts := 2+random.IntN(5), 2+random.IntN(3)
		header := []string{"Item"}
		for c := range columns {
			header = append(header, fmt.Sprintf("Plan %c", 'A'+c))
		}
		b, rows := drawnBook{rows: [][]string{header}}, 0
		all := make([]int, columns)
		sum := func(name string, of []int) {
			line := []string{name}
			for _, v := range of {
				line = append(line, fmt.Sprint(v))
			}
			b.rows = append(b.rows, line)
		}
		for part := range parts {
			of := make([]int, columns)
			for range 2 + random.IntN(4) {
				line := make([]int, columns)
				for c := range line {
					line[c] = 1000 + random.IntN(9000)
					of[c], all[c] = of[c]+line[c], all[c]+line[c]
				}
				rows++
				sum(fmt.Sprintf("item %d", rows), line)
			}
			sum(fmt.Sprintf(anyOf(random, []string{"Total %s%d", "Summe %s%d", "Subtotal %s%d"}), anyOf(random, someWords), part), of)
		}
		sum(anyOf(random, []string{"Total", "Grand total", "Gesamtkosten"}), all)
		_, s := openFirst(t, b.writeXML(), Options{})
		loaded := 0
		for rec := range recordsOf(t, s) {
			if rec.Kind == Row {
				loaded++
			}
		}
		if loaded != rows {
			t.Errorf("%d rows, want %d\n%q", loaded, rows, b.rows)
		}
	}
}

// Below the sum of a part the rows of the next one stay, whatever their codes and units look like, and the sums are none.
func TestRowsBelowSumsOfPartsStay(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		records, rows := [][]string{{"Meter", "Place", "Part", "Used", "Unit"}}, 0
		for part := range 2 + random.IntN(3) {
			letter, digits, unit := 'A'+rune(random.IntN(26)), 1+random.IntN(3), anyOf(random, []string{"m3", "kWh", "l", "EUR"})
			code := func() string { return fmt.Sprintf("%c-%0*d", letter, digits, 1+random.IntN(9)) }
			for range 2 + random.IntN(4) {
				rows++
				records = append(records, []string{code(), anyOf(random, someWords), code(), fmt.Sprintf("%d.%d5", 10+rows, part), unit})
			}
			total := []string{fmt.Sprintf("Total %s", anyOf(random, someWords)), "", "", fmt.Sprintf("%d.%d5", 999+rows, part), ""}
			if random.IntN(2) == 0 {
				total[4] = unit
			}
			if records = append(records, total); random.IntN(3) == 0 {
				records = append(records, make([]string, len(total)))
			}
		}
		loaded := 0
		_, s := openFirst(t, asText(records, ","), Options{})
		for rec := range recordsOf(t, s) {
			if rec.Kind == Row {
				loaded++
			}
		}
		if loaded != rows {
			t.Errorf("%d rows, want %d\n%s", loaded, rows, asText(records, ","))
		}
	}
}
