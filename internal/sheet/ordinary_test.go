package sheet

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The rules that find a table leave alone what is nothing but one: a header and rows, in any order of columns, with as many gaps as
// there are optional columns. No row is taken for a title, a note or a total.
func TestOrdinaryTables(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(18, 6))
	for range 4000 {
		text, names, rows := ordinaryTable(random)
		wantTable(t, text, names, rows)
	}
}

// wantTable wants a text to be read as a table of these columns and so many rows.
func wantTable(t *testing.T, text string, names []string, rows int) {
	t.Helper()
	loaded, read := 0, []string(nil)
	err := eachRecord(t.Context(), []byte(text), Options{}, DefaultLimits(), func(s *Sheet, rec *Record) {
		if rec.Kind == Row {
			loaded++
		}
		read = read[:0]
		for _, c := range s.Columns() {
			read = append(read, c.Name)
		}
	})
	if err != nil || loaded != rows || !slices.Equal(read, names) {
		t.Errorf("%v, %d of %d rows, columns %q\n%s", err, loaded, rows, read, text)
	}
}

// ordinaryColumn has a value in so many of a hundred rows.
type ordinaryColumn struct {
	name   string
	filled int
	value  func(r *rand.Rand, row int) string
}

var ordinaryColumns = []ordinaryColumn{
	{"id", 100, func(_ *rand.Rand, row int) string { return fmt.Sprint(1000 + row) }},
	{"name", 100, func(r *rand.Rand, _ int) string { return anyOf(r, someWords) + " " + anyOf(r, someWords) }},
	{"city", 100, func(r *rand.Rand, _ int) string { return anyOf(r, someWords) }},
	{"price", 100, func(r *rand.Rand, _ int) string { return fmt.Sprintf("%.2f", 1000*r.Float64()) }},
	{"quantity", 100, func(r *rand.Rand, _ int) string { return fmt.Sprint(r.IntN(100)) }},
	{"ordered", 100, func(r *rand.Rand, _ int) string { return fmt.Sprintf("2024-%02d-%02d", 1+r.IntN(12), 1+r.IntN(28)) }},
	{"gezahlt", 100, func(r *rand.Rand, _ int) string { return fmt.Sprintf("%02d.%02d.2023", 1+r.IntN(28), 1+r.IntN(12)) }},
	{"code", 100, func(r *rand.Rand, _ int) string { return fmt.Sprintf("%c%03d", 'A'+r.IntN(4), r.IntN(1000)) }},
	{"active", 100, func(r *rand.Rand, _ int) string { return anyOf(r, []string{"yes", "no"}) }},
	{"since", 100, func(r *rand.Rand, _ int) string { return fmt.Sprint(1990 + r.IntN(35)) }},
	{"state", 100, func(r *rand.Rand, _ int) string { return anyOf(r, someRemarks) }},
	{"e-mail", 70, func(r *rand.Rand, _ int) string { return anyOf(r, someWords) + "@example.com" }},
	{"phone", 70, func(r *rand.Rand, _ int) string {
		return fmt.Sprintf("+44 %d %d", 20+r.IntN(70), 100_000+r.IntN(800_000))
	}},
	{"score", 50, func(r *rand.Rand, _ int) string { return fmt.Sprint(r.IntN(10)) }},
	{"remark", 30, func(r *rand.Rand, _ int) string { return anyOf(r, someRemarks) }},
	{"closed", 20, func(r *rand.Rand, _ int) string { return fmt.Sprintf("2024-%02d-%02d", 1+r.IntN(12), 1+r.IntN(28)) }},
	{"discount", 15, func(r *rand.Rand, _ int) string { return fmt.Sprintf("%d%%", r.IntN(50)) }},
}

var (
	someWords   = strings.Fields("bolt copper delta engine filter hinge lever motor pump quartz rivet Oslo Leeds Berlin Lima Cairo Wien red blue Smith Jones Tanaka Silva Novak")
	someRemarks = []string{
		"call back on Monday", "Customer asked for a refund.", "left at the door", "n/a", "ok", "Invoice sent twice", "-", "none",
		"to be continued", "* discontinued", "(1) old stock", "End of life", "page 3 missing", "two of three, the last one follows",
	}
)

func anyOf(r *rand.Rand, texts []string) string { return texts[r.IntN(len(texts))] }

// ordinaryTable has one column at least in which each row has a value that stands in no other row's way: the first one.
func ordinaryTable(r *rand.Rand) (text string, names []string, rows int) {
	delimiter := anyOf(r, []string{",", ";", "\t", "|"})
	columns := []ordinaryColumn{ordinaryColumns[0]}
	for range 1 + r.IntN(8) {
		columns = append(columns, ordinaryColumns[1+r.IntN(len(ordinaryColumns)-1)])
	}
	r.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
	rows = []int{1, 2, 3, 5, 8, 12, 20, 40, 80}[r.IntN(9)]
	for i, c := range columns {
		names = append(names, c.name)
		if slices.Contains(names[:i], c.name) {
			names[i] = fmt.Sprintf("%s %c", c.name, 'a'+i)
		}
	}
	var b strings.Builder
	b.WriteString(strings.Join(names, delimiter) + "\n")
	for row := range rows {
		cells := make([]string, len(columns))
		for i, c := range columns {
			if r.IntN(100) >= c.filled {
				continue
			}
			if cells[i] = c.value(r, row); strings.Contains(cells[i], delimiter) {
				cells[i] = `"` + cells[i] + `"`
			}
		}
		b.WriteString(strings.Join(cells, delimiter) + "\n")
	}
	return b.String(), names, rows
}
