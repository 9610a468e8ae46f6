package target

import (
	"fmt"
	"slices"
)

// The problems of changes. Each says what can be done instead.
var (
	renamed        = sentence{"A target keeps its name, which is its table's. Create another target.", "取り込み先の名前は表の名前なので変えられません。別の取り込み先を作ってください。"}
	keyChanged     = sentence{"A target keeps its key. Create another target.", "取り込み先のキーは変えられません。別の取り込み先を作ってください。"}
	columnGone     = sentence{"The column %q has values, and stays. To leave it empty from now on, let it not be required.", "列「%s」には値があるため消せません。今後使わないなら、必須でない列にしてください。"}
	typeChanged    = sentence{"The column %q keeps its type, or gets a wider one. Add another column.", "列「%s」の型は変えられません（広げることはできます）。別の列を加えてください。"}
	becameRequired = sentence{"The column %q may have rows without a value, so it cannot become required.", "列「%s」には値のない行があるかもしれないため、必須にできません。"}
	tableGiven     = sentence{"The table was there before and is its owner's to change. Have it released and adopted again, with other columns.",
		"この表は既存のもので、変更できるのはその所有者だけです。いったん返却し、列を改めて登録し直してください。"}
	newRequired = sentence{"The new column %q is required, so it needs a default for the rows that are there.", "新しい列「%s」は必須なので、すでにある行のための既定値が必要です。"}
)

// ValidateChange returns everything that keeps a target from changing its definition to another valid one: what would
// lose values, or needs every row to be looked at. New columns, wider types, rules, defaults and synonyms can change.
func (d Definition) ValidateChange(to Definition) (all []Problem) {
	if d.Name != to.Name {
		all = append(all, renamed.at("/name"))
	}
	if !slices.Equal(d.Key, to.Key) {
		all = append(all, keyChanged.at("/key"))
	}
	for _, c := range d.Columns {
		if _, ok := to.Column(c.Name); !ok {
			all = append(all, columnGone.at("/columns", c.Name))
		}
	}
	for i, c := range to.Columns {
		at := fmt.Sprintf("/columns/%d", i)
		before, ok := d.Column(c.Name)
		switch {
		case !ok && c.Required && c.Default == nil:
			all = append(all, newRequired.at(at+"/default", c.Name))
		case !ok:
		case !before.widensTo(c):
			all = append(all, typeChanged.at(at+"/type", c.Name))
		case c.Required && !before.Required:
			all = append(all, becameRequired.at(at+"/required", c.Name))
		}
	}
	return all
}

// ValidateAdoptedChange returns what keeps an adopted target from changing its definition besides: what would change its table, which is
// others'. Rules, labels, synonyms and modes can change.
func (d Definition) ValidateAdoptedChange(to Definition) (all []Problem) {
	for i, c := range to.Columns {
		before, ok := d.Column(c.Name)
		if !ok || before.inTable() != c.inTable() {
			all = append(all, tableGiven.at(fmt.Sprintf("/columns/%d", i)))
		}
	}
	return all
}

// tableColumn is what a column's table has of its definition.
type tableColumn struct {
	kind                     Type
	maxLength, digits, scale int
	required, hasDefault     bool
	value                    string // the default
}

func (c Column) inTable() tableColumn {
	t := tableColumn{c.Type, c.MaxLength, c.Digits, c.Scale, c.Required, c.Default != nil, ""}
	if c.Default != nil {
		t.value = *c.Default
	}
	return t
}

// widensTo reports whether a column can hold all that it holds with another definition, without its table being written
// anew. The database's function target_widens says the same.
func (c Column) widensTo(to Column) bool {
	switch {
	case c.Type != to.Type:
		return false
	case c.Type == Text:
		return to.MaxLength == 0 || c.MaxLength > 0 && to.MaxLength >= c.MaxLength
	case c.Type == Decimal:
		return to.Digits == 0 || c.Digits > 0 && to.Digits >= c.Digits && to.Scale == c.Scale
	}
	return true
}
