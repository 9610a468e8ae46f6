package types_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "sheetdrop/internal/rapidseed"
	"sheetdrop/internal/sheet/types"
)

// cellOf draws a cell of any kind: near to every format, and often just beside it.
func cellOf() *rapid.Generator[string] {
	number := rapid.StringMatching(`[-+△(]?[¥$]?(0|[1-9][0-9]{0,3}|[1-9][0-9]{0,2}([,.][0-9]{3}){1,2})([.,][0-9]{1,4})?([)%円-])?`)
	date := rapid.StringMatching(`(20[0-2][0-9]|1[89][0-9]{2})(-[01]?[0-9]-[0-3]?[0-9]|/1?[0-9]/[12]?[0-9]|年1?[0-9]月[12]?[0-9]日)( [0-2]?[0-9]:[0-5][0-9](:[0-5][0-9])?(Z|\+09:00)?)?`)
	dayMonth := rapid.StringMatching(`[0-3]?[0-9][/.-][0-3]?[0-9][/.-]20[0-9]{2}`)
	era := rapid.StringMatching(`(令和|平成|昭和|[RHS])([1-9]|元|[1-6][0-9])([./-][1-9][./-][1-9]|年[1-9]月[1-9]日)`)
	clock := rapid.StringMatching(`-?[0-9]{1,3}:[0-5][0-9](:[0-5][0-9](\.[0-9]{1,3})?)?( ?[AP]M)?`)
	word := rapid.SampledFrom([]string{"true", "false", "yes", "no", "Y", "n", "t", "f", "○", "×", "あり", "なし", "有", "無", "", " ", "-", "N/A", "n/a ", "x", "007", "20240131", "20241301", "PT5M", "1E5", "1E+5"})
	return rapid.OneOf(number, date, dayMonth, era, clock, word, rapid.String().Filter(func(s string) bool { return !strings.Contains(s, "\x00") }))
}

// columnOf draws a column that mostly has cells of few kinds.
func columnOf() *rapid.Generator[[]string] {
	return rapid.Custom(func(t *rapid.T) []string {
		few := rapid.SliceOfN(cellOf(), 1, 3).Draw(t, "few")
		return rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(few), rapid.SampledFrom(few), cellOf()), 1, 30).Draw(t, "cells")
	})
}

// P6: the order of rows changes nothing but which examples and rows are named.
func TestOrderDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cells := columnOf().Draw(t, "column")
		// So many that candidates are given up and values go the fast way.
		cells = slices.Repeat(cells, rapid.SampledFrom([]int{1, 1, 1, 300}).Draw(t, "times"))
		want := withoutOrder(observe(cells))
		shuffled := slices.Clone(cells)
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if got := withoutOrder(observe(shuffled)); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v\n%+v", got, want)
		}
		slices.Sort(shuffled)
		if got := withoutOrder(observe(shuffled)); !reflect.DeepEqual(got, want) {
			t.Fatalf("sorted: %+v\n%+v", got, want)
		}
	})
}

// In a text each way to write a null word is a value, whether it comes before or after the value that makes a text of the column.
func TestSpellingsOfNullWordsAreValuesOfTexts(t *testing.T) {
	t.Parallel()
	for _, cells := range [][]string{{"1", "n/a", "N/A", "n/a ", "x"}, {"x", "n/a ", "N/A", "n/a", "1"}} {
		if r := observe(cells); r.Distinct != 5 || r.Type != types.Text {
			t.Errorf("%q: %+v", cells, r)
		}
	}
}

func withoutOrder(r types.Report) types.Report {
	r.Examples = nil
	if r.Nearly != nil {
		nearly := *r.Nearly
		nearly.Misfits = nil
		r.Nearly = &nearly
	}
	return r
}

// A type that is claimed converts every value, and a Rule of it takes every value.
func TestTypeHoldsForEveryValue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cells := columnOf().Draw(t, "column")
		r := observe(cells)
		c, err := types.NewConverter(r.Type, r.Format, r.Digits)
		if err != nil {
			t.Fatalf("%s %q: %v", r.Type, r.Format, err)
		}
		check, err := types.Rule{Name: "column", Type: r.Type, Format: r.Format, Min: r.Min, Max: r.Max, NullWords: len(r.NullWords) > 0}.Compile()
		if err != nil && r.Type != types.Text {
			t.Fatalf("%+v: %v", r, err)
		}
		for i, cell := range cells {
			if v, ok := c.Value([]byte(cell)); !ok {
				t.Fatalf("%q is no %s %q: %v", cell, r.Type, r.Format, v)
			}
			if err != nil {
				continue
			}
			faults, err := types.NewChecker([]*types.Check{check}, 10).Check(int64(i), [][]byte{[]byte(cell)})
			if err != nil || len(faults) > 0 {
				t.Fatalf("%q breaks the rule of %+v: %v %v", cell, r, faults, err)
			}
		}
	})
}

// A value that is of no type makes text of a column.
func TestCounterexampleCounts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cells := slices.Repeat(columnOf().Draw(t, "column"), rapid.SampledFrom([]int{1, 200}).Draw(t, "times"))
		at := rapid.IntRange(0, len(cells)).Draw(t, "at")
		outsider := rapid.SampledFrom([]string{"x", "007", "2024-02-30", "12a", "9:75", "１２ａ"}).Draw(t, "outsider")
		if r := observe(slices.Insert(cells, at, outsider)); r.Type != types.Text {
			t.Fatalf("%+v", r)
		}
	})
}

// A number means the same however it is written.
func TestNumberIsReadAsWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.StringMatching(`(0|[1-9][0-9]{0,25})`).Draw(t, "digits")
		fraction := rapid.StringMatching(`(\.[0-9]{1,12})?`).Draw(t, "fraction")
		minus := rapid.Bool().Draw(t, "minus")
		text := digits
		if rapid.Bool().Draw(t, "grouped") {
			text = grouped(digits)
		}
		text += fraction
		if rapid.Bool().Draw(t, "comma") {
			text = strings.NewReplacer(",", ".", ".", ",").Replace(text)
		}
		if minus {
			text = fmt.Sprintf(rapid.SampledFrom([]string{"-%s", "△%s", "－%s", "¥-%s", "(%s)"}).Draw(t, "sign"), text)
		}
		if rapid.Bool().Draw(t, "wide") {
			text = widen(text)
		}
		want, _ := new(big.Rat).SetString(digits + fraction)
		if minus {
			want.Neg(want)
		}
		for _, format := range []string{"0.0", "0,0"} {
			c, err := types.NewConverter(types.Decimal, format, 99)
			if err != nil {
				t.Fatal(err)
			}
			v, ok := c.Value([]byte(text))
			if !ok {
				continue
			}
			got, _ := new(big.Rat).SetString(v.(string))
			if got != nil && got.Cmp(want) == 0 {
				return
			}
		}
		t.Fatalf("%s is read as nothing like %s", text, want)
	})
}

func grouped(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// widen writes ASCII in full-width forms.
func widen(text string) string {
	return strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7f {
			return r - '!' + '！'
		}
		return r
	}, text)
}

// A day means the same however it is written, and the least and greatest day are what the calendar says.
func TestDayIsReadAsWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var cells []string
		var days []string
		for range rapid.IntRange(1, 10).Draw(t, "rows") {
			day := time.Date(1873, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rapid.IntRange(0, 365*240).Draw(t, "day"))
			form := rapid.SampledFrom([]string{"2006-01-02", "2006/1/2", "2006.01.02", "2006年1月2日", "2 January 2006", "Jan 2, 2006", "era"}).Draw(t, "form")
			text := day.Format(form)
			if form == "era" {
				text = inEra(day)
			}
			cells = append(cells, text)
			days = append(days, day.Format(time.DateOnly))
		}
		r := observe(cells)
		if r.Type != types.Date || r.Min != slices.Min(days) || r.Max != slices.Max(days) {
			t.Fatalf("%q: %+v", cells, r)
		}
		c, err := types.NewConverter(r.Type, r.Format, r.Digits)
		if err != nil {
			t.Fatal(err)
		}
		for i, cell := range cells {
			if v, _ := c.Value([]byte(cell)); v != days[i] {
				t.Fatalf("%s is %v, not %s", cell, v, days[i])
			}
		}
	})
}

// inEra writes a day from 1873 on as a Japanese form does.
func inEra(day time.Time) string {
	name, first := "令和", 2019
	for _, e := range []struct {
		last  string
		name  string
		first int
	}{{"2019-04-30", "平成", 1989}, {"1989-01-07", "昭和", 1926}, {"1926-12-24", "大正", 1912}, {"1912-07-29", "明治", 1868}} {
		if day.Format(time.DateOnly) <= e.last {
			name, first = e.name, e.first
		}
	}
	year := fmt.Sprint(day.Year() - first + 1)
	if year == "1" {
		year = "元"
	}
	return name + year + day.Format("年1月2日")
}

// The least and the greatest number are what arithmetic says, whatever way they are written and however long they are.
func TestLeastAndGreatestNumber(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(
			rapid.StringMatching(`-?(0|[1-9][0-9]{0,5})(\.[0-9]{1,5})?`),
			rapid.StringMatching(`-?1234567890123456789(0|[01][0-9]{0,3})(\.[01]{1,3})?`),
			rapid.StringMatching(`-?[1-9]\.[0-9]{1,3}E[-+][0-9]{1,2}`))
		cells := rapid.SliceOfN(number, 1, 12).Draw(t, "cells")
		compare := func(a, b string) int {
			x, _ := new(big.Rat).SetString(a)
			y, _ := new(big.Rat).SetString(b)
			return x.Cmp(y)
		}
		r := observe(cells)
		if compare(r.Min, slices.MinFunc(cells, compare)) != 0 || compare(r.Max, slices.MaxFunc(cells, compare)) != 0 {
			t.Fatalf("%q: %+v", cells, r)
		}
	})
}
