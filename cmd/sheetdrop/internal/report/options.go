package report

import (
	"slices"
	"strings"
	"unicode"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
)

// What is likely a word for no value: short, without a digit, and one of few.
const (
	longestWord = 40 // bytes
	mostWords   = 3
)

// misfitOption returns what to say of the option by which a column has the type of nearly all of its values; "" if none is known.
func misfitOption(c Column) string {
	if found := nullWords(c.Nearly.Misfits); found != nil {
		return words.Sprintf(" %s if that stands for no value", strings.Join(found, " "))
	}
	if option := declaration(c.Name, c.Nearly.Type, c.Nearly.Format); option != "" && tellsDays(c.Nearly) {
		return words.Sprintf(" %s rejects the %s", option, terminal.Plural(c.Nearly.Count, "row"))
	}
	return ""
}

// nullWords returns an option for each of the values, nil if they are no words for no value.
func nullWords(misfits []Misfit) (found []string) {
	for _, m := range misfits {
		option := "--null=" + terminal.ShellQuoted(m.Value)
		switch {
		case len(m.Value) > longestWord || strings.ContainsFunc(m.Value, unicode.IsDigit) || terminal.Printable(m.Value) != m.Value:
			return nil
		case slices.Contains(found, option):
		case len(found) == mostWords:
			return nil
		default:
			found = append(found, option)
		}
	}
	return found
}

// tellsDays reports whether the format is the only one that the dates can have: others may have the day and the month, or the year,
// in several places.
func tellsDays(n *Nearly) bool {
	isDate := n.Type == "date" || n.Type == "timestamp"
	return !isDate || strings.HasPrefix(n.Format, "YYYY") || strings.HasPrefix(n.Format, "DD.MM.YYYY")
}

// ambiguousOption returns what to say of the option that declares a column, by an example; "" if it cannot name the column.
func ambiguousOption(c Column) string {
	format := c.Ambiguous[0]
	option := declaration(c.Name, typeOf(format), format)
	if option == "" {
		return ""
	}
	return words.Sprintf(", as by %s", option)
}

// declaration returns the option that declares a column; "" if it cannot name it: what stands behind a semicolon is no name.
func declaration(name, kind, format string) string {
	if strings.Contains(name, ";") || terminal.Printable(name) != name {
		return ""
	}
	rule := name + ":" + kind
	if format != "" {
		rule += ";format=" + format
	}
	return "--column=" + terminal.ShellQuoted(rule)
}

// typeOf returns the type of values that are written in a format, one of those that are ambiguous: numbers, dates and timestamps.
func typeOf(format string) string {
	switch {
	case !strings.ContainsAny(format, "0#") && strings.Contains(format, "h"):
		return "timestamp"
	case !strings.ContainsAny(format, "0#"):
		return "date"
	case strings.HasSuffix(format, ".0") || strings.HasSuffix(format, ",0") || strings.HasSuffix(format, "%"):
		return "decimal"
	}
	return "integer"
}
