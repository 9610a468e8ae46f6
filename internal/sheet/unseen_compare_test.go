package sheet_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// differsFrom says how what was read differs from what a person reads, but for types; "" where it does not.
func (want *unseenFile) differsFrom(got unseenFile) string {
	book := want.Encoding == ""
	switch {
	case got.What != "":
		return got.What
	case !book && got.Encoding != want.Encoding:
		return fmt.Sprintf("encoding %s, want %s", got.Encoding, want.Encoding)
	case want.Rejects != nil && !slices.Equal(sorted(*got.Rejects), sorted(*want.Rejects)):
		return fmt.Sprintf("rejects %d, want %d", *got.Rejects, *want.Rejects)
	}
	left := slices.Clone(got.Sheets)
	for _, w := range want.Sheets {
		i := slices.IndexFunc(left, func(s unseenSheet) bool { return s.Name == w.Name || !book })
		if i < 0 {
			return "no sheet " + w.Name
		}
		if differs := w.differsFrom(left[i], book); differs != "" {
			return w.Name + " " + differs
		}
		left = slices.Delete(left, i, i+1)
	}
	if book && !want.MoreSheets && slices.ContainsFunc(left, func(s unseenSheet) bool { return s.Rows > 0 }) {
		return "more sheets"
	}
	return ""
}

// typesDifferFrom does the same with the types, of a file that differs in nothing else.
func (want *unseenFile) typesDifferFrom(got unseenFile) string {
	isType := func(got, want string) bool { return want == "" || got == want }
	for _, w := range want.Sheets {
		i := slices.IndexFunc(got.Sheets, func(s unseenSheet) bool { return s.Name == w.Name || want.Encoding != "" })
		if w.Types != nil && !slices.EqualFunc(got.Sheets[i].Types, w.Types, isType) {
			return fmt.Sprintf("%s types %q, want %q", w.Name, got.Sheets[i].Types, w.Types)
		}
	}
	return ""
}

func sorted(list []int64) []int64 { return slices.Sorted(slices.Values(list)) }

func (w *unseenSheet) differsFrom(got unseenSheet, book bool) string {
	switch {
	case !slices.EqualFunc(got.Columns, w.Columns, isName):
		return fmt.Sprintf("columns %q, want %q", got.Columns, w.Columns)
	case got.Rows != w.Rows:
		return fmt.Sprintf("%d rows, want %d", got.Rows, w.Rows)
	case w.First != nil && !areCells(got.First, w.First, book):
		return fmt.Sprintf("first row %q, want %q", got.First, w.First)
	case w.Last != nil && !areCells(got.Last, w.Last, book):
		return fmt.Sprintf("last row %q, want %q", got.Last, w.Last)
	}
	return ""
}

var (
	givenName = regexp.MustCompile(`^column_\d+$`)
	repeated  = regexp.MustCompile(`_\d+$`)
	minutes   = regexp.MustCompile(`^(\d+:\d\d)$`)
)

// isName compares names by their letters and digits alone: how lines of a header are joined is the program's affair.
func isName(got, want string) bool {
	if want == "" {
		return givenName.MatchString(got)
	}
	return lettersOf(got) == lettersOf(want) || lettersOf(repeated.ReplaceAllString(got, "")) == lettersOf(want)
}

func lettersOf(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

func areCells(got, want []string, book bool) bool {
	for len(got) < len(want) {
		got = append(got, "")
	}
	return slices.EqualFunc(got, want, func(got, want string) bool {
		got, want = plain(got), plain(want)
		return got == want || book && (strings.EqualFold(got, want) || isNumber(got, want) || isMoment(got, want))
	})
}

func plain(cell string) string {
	return strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\u00a0", " ").Replace(cell))
}

// isNumber reports whether both are the same number, as a worksheet stores and as it shows it.
func isNumber(a, b string) bool {
	x, okX := numberOf(a)
	y, okY := numberOf(b)
	return okX && okY && math.Abs(x-y) < 1e-6*max(1, math.Abs(x))
}

func numberOf(cell string) (float64, bool) {
	digits, percent := strings.CutSuffix(cell, "%")
	v, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64)
	if percent {
		v /= 100
	}
	return v, err == nil
}

// isMoment reports whether both are the same day or time: a worksheet does not tell 08:00 from 8:00:00, or a day from its midnight.
func isMoment(a, b string) bool {
	simple := func(cell string) string {
		cell = strings.TrimSuffix(strings.TrimSuffix(strings.Replace(cell, " ", "T", 1), "T00:00:00"), "Z")
		return strings.TrimPrefix(minutes.ReplaceAllString(cell, "$1:00"), "0")
	}
	return simple(a) == simple(b)
}
