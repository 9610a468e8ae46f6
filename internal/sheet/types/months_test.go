package types

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// Each name of a month makes a date in each way in which a date is written around it, in capitals or not.
func TestMonthsInAllLanguages(t *testing.T) {
	t.Parallel()
	dates, err := NewConverter(Date, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	for name, month := range months {
		_, size := utf8.DecodeRuneInString(name)
		for _, written := range []string{name, strings.ToUpper(name), strings.ToUpper(name[:size]) + name[size:]} {
			for _, form := range []string{"5 %s 2024", "05-%s-2024", "5. %s 2024", "5 de %s de 2024", "5.%s.2024"} {
				cell := fmt.Sprintf(form, written)
				want := fmt.Sprintf("2024-%02d-05", month)
				if name == croatian && strings.HasPrefix(form, "5.") {
					want = ""
				}
				if value, ok := dates.Value([]byte(cell)); ok != (want != "") || ok && value != want {
					t.Errorf("%s is %v, %v; want %s", cell, value, ok, want)
				}
			}
		}
	}
}

// No name stands for two months.
func TestMonthsAreClear(t *testing.T) {
	t.Parallel()
	for _, language := range monthsOf {
		lists := strings.Split(language, "|")
		if len(lists) != len(monthNames) {
			t.Errorf("%d months of %s", len(lists), language)
		}
		for i, names := range lists {
			for name := range strings.FieldsSeq(names) {
				if months[name] != i+1 {
					t.Errorf("%s is month %d and %d", name, i+1, months[name])
				}
			}
		}
	}
}
