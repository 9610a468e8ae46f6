package sheet

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A list of codes has names such as Total farms and All regions among its rows, which have codes of their own: each is a row.
func TestCodesWithNamesOfTotals(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 11))
	for range 1000 {
		n, width := 6+random.IntN(60), 3+random.IntN(3)
		var b strings.Builder
		b.WriteString(strings.Join([]string{"label", "code", "order", "parent", "note"}[:width], ";") + "\n")
		for row := range n {
			name := anyOf(random, someWords)
			cells := []string{name, fmt.Sprintf("%c%d", 'A'+random.IntN(9), row), fmt.Sprint(row + 1), "K" + fmt.Sprint(random.IntN(9)), ""}
			if random.IntN(5) == 0 && row < n-1 {
				cells[0], cells[3] = anyOf(random, []string{"Total " + name, name + " total", "World total", "Sub-total " + name}), ""
			}
			b.WriteString(strings.Join(cells[:width], ";") + "\n")
		}
		if loaded, _ := loadedOf(t, b.String()); loaded != n {
			t.Errorf("%d of %d rows\n%s", loaded, n, b.String())
		}
	}
}

// A header may have numbers from 0 or 1 on, as programs name columns that nobody has named; fewer than four of them count from 0.
func TestNumbersNameColumns(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 3))
	for range 1000 {
		rows, width, least := 3+random.IntN(20), 1+random.IntN(11), random.IntN(2)
		if width < 4 {
			least = 0
		}
		indexed := random.IntN(2) == 0
		want := []string{"column_1"}
		head := []string{""}
		for i := range width {
			want, head = append(want, fmt.Sprint(i+least)), append(head, fmt.Sprint(i+least))
		}
		lines := []string{strings.Join(head, ",")}
		for row := range rows {
			cells := []string{fmt.Sprint(row)}
			if !indexed {
				cells[0] = anyOf(random, someWords)
			}
			for range width {
				cells = append(cells, fmt.Sprintf("%.4f", random.NormFloat64()))
			}
			lines = append(lines, strings.Join(cells, ","))
		}
		text := strings.Join(lines, "\n") + "\n"
		if loaded, columns := loadedOf(t, text); loaded != rows || !slices.Equal(columns, want) {
			t.Errorf("%d of %d rows, columns %q\n%s", loaded, rows, columns, text)
		}
	}
}

// loadedOf returns how many rows are read of a text, and the names of its columns.
func loadedOf(t *testing.T, text string) (loaded int, columns []string) {
	t.Helper()
	err := eachRecord(t.Context(), []byte(text), Options{}, DefaultLimits(), func(s *Sheet, rec *Record) {
		if rec.Kind == Row {
			loaded++
		}
		columns = columns[:0]
		for _, c := range s.Columns() {
			columns = append(columns, c.Name)
		}
	})
	if err != nil {
		t.Error(err)
	}
	return loaded, columns
}
