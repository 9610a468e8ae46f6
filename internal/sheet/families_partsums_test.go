package sheet

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Rows of a text or worksheet that are named as sums and are those of the rows above them are none, wherever they stand, though they lack
// nothing, or only the unit that the others have; and no other row is lost.
func TestSumsOfPartsThatLackNothing(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		b, rows := drawSummedParts(random)
		for form, content := range map[string]string{"text": asText(b.rows, ","), "sheet": b.writeXML()} {
			table, rejects, _ := readTable(t, content)
			if len(table.rows) != rows || rejects > 0 {
				t.Errorf("%s: %d rows and %d rejects, want %d\n%q", form, len(table.rows), rejects, rows, b.rows)
			}
		}
	}
}

// drawSummedParts draws a table of parts with a sum below each and one below all, and returns it and how many rows it has.
func drawSummedParts(random *rand.Rand) (b drawnBook, rows int) {
	columns, parts, units := 2+random.IntN(5), 2+random.IntN(3), random.IntN(2) == 0
	header := []string{"Item"}
	for c := range columns {
		header = append(header, fmt.Sprintf("Plan %c", 'A'+c))
	}
	if units {
		header = append(header, "Unit")
	}
	b.rows = [][]string{header}
	all := make([]int, columns)
	line := func(name string, of []int, unit string) {
		line := []string{name}
		for _, v := range of {
			line = append(line, fmt.Sprint(v))
		}
		if units {
			line = append(line, unit)
		}
		b.rows = append(b.rows, line)
	}
	for part := range parts {
		of, unit := make([]int, columns), anyOf(random, []string{"kg", "m3", "pcs"})
		for range 2 + random.IntN(4) {
			values := make([]int, columns)
			for c := range values {
				values[c] = 1000 + random.IntN(9000)
				of[c], all[c] = of[c]+values[c], all[c]+values[c]
			}
			rows++
			line(fmt.Sprintf("item %d", rows), values, unit)
		}
		name := fmt.Sprintf(anyOf(random, []string{"Total %s%d", "Summe %s%d", "Subtotal %s%d"}), anyOf(random, someWords), part)
		line(name, of, anyOf(random, []string{unit, ""}))
	}
	line(anyOf(random, []string{"Total", "Grand total", "Gesamtkosten"}), all, "")
	return b, rows
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
