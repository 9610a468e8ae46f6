package types

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// FormatError is returned for an unknown type, or a format that the type does not have.
type FormatError struct {
	Type   Type
	Format string
}

func (e *FormatError) Error() string {
	if !slices.Contains(names, e.Type) {
		return fmt.Sprintf("there is no type %q; there are %s", e.Type, join(names))
	}
	return fmt.Sprintf("the type %q has no format %q; it has %s", e.Type, e.Format, cmp.Or(strings.Join(formatNames(e.Type), ", "), "none"))
}

// formatNames returns the formats of a type, without their combinations with currencies, percent signs and one another.
func formatNames(t Type) (list []string) {
	switch t {
	case Integer:
		return []string{"0", "#,##0", "#.##0", "# ##0", "¥0", "€0", "CHF 0"}
	case Decimal:
		return []string{"0.0", "#,##0.0", "# ##0.0", "0,0", "#.##0,0", "# ##0,0", "0.0%", "€0.0", "CHF 0.0"}
	case Boolean:
		return slices.Compact(slices.Sorted(maps.Values(booleanFormats)))
	case Date, Timestamp:
		for _, f := range dateFormats {
			list = append(list, f.text)
		}
		if t == Date {
			return append(list, compactFormat)
		}
		for i, day := range list {
			list[i] = day + " hh:mm"
		}
		return append(list, "each also with :ss, .fff, AM/PM and "+zoneFormat)
	case Time:
		return []string{"hh:mm", "hh:mm:ss", "hh:mm:ss.fff", "hh:mm AM/PM"}
	case Duration:
		return []string{"hh:mm", "hh:mm:ss", "hh:mm:ss.fff", isoDuration}
	}
	return nil
}

// parseFormat returns the candidates of a type and a format of formatOf; the format of a declared column may be empty,
// which means all candidates that can be distinguished value by value.
func parseFormat(t Type, format string) (accept set, err error) {
	switch t {
	case Integer, Decimal:
		accept = parseNumberFormat(t, format)
	case Boolean:
		accept = parseBooleanFormat(format)
	case Date, Timestamp:
		accept = parseMomentFormat(t, format)
	case Time, Duration:
		accept = parseClockFormat(t, format)
	case Text:
		if format == "" {
			return 0, nil
		}
	}
	if accept == 0 {
		return 0, &FormatError{t, format}
	}
	return accept, nil
}

func parseNumberFormat(t Type, format string) set {
	for _, c := range currencies {
		format = strings.TrimPrefix(format, c.sign)
	}
	format, percent := strings.CutSuffix(format, "%")
	switch {
	case t == Integer && percent:
	case t == Integer:
		switch format {
		case "", "0", "#,##0", "# ##0":
			return integerPoint
		case "#.##0":
			return integerComma
		}
	default:
		accept := decimalPoint
		if percent {
			accept = percentPoint
		}
		switch format {
		case "", "0.0", "#,##0.0", "# ##0.0":
			return accept
		case "0,0", "#.##0,0", "# ##0,0":
			return accept << 1 // the same with a comma
		}
	}
	return 0
}

func parseBooleanFormat(format string) (accept set) {
	if format == "" {
		return booleans
	}
	for candidate, text := range booleanFormats {
		if text == format {
			accept |= candidate
		}
	}
	return accept
}

func parseMomentFormat(t Type, format string) set {
	switch {
	case t == Date && format == "":
		return dateEvident | dateCompact
	case t == Date && format == compactFormat:
		return dateCompact
	case t == Date:
		return dateEvident * set(parseOrder(format))
	case format == "":
		return stampEvident | zonedEvident
	}
	format, inZone := strings.CutSuffix(format, zoneFormat)
	day, clock, _ := strings.Cut(format, " hh")
	first := stampEvident
	if inZone {
		first = zonedEvident
	}
	if parseClockFormat(Time, "hh"+clock) == 0 {
		return 0
	}
	return first * set(parseOrder(day))
}

// parseOrder parses the format of dates, possibly several with the same order.
func parseOrder(format string) (found order) {
	for text := range strings.SplitSeq(format, "|") {
		known := false
		for _, f := range dateFormats {
			if f.text == text && (found == 0 || found == f.order) {
				found, known = f.order, true
			}
		}
		if !known {
			return 0
		}
	}
	return found
}

func parseClockFormat(t Type, format string) set {
	accept := timeOfDay
	if t == Duration {
		accept = elapsed
	}
	if format == "" || t == Duration && format == isoDuration {
		return accept
	}
	rest, ok := strings.CutPrefix(format, "hh:mm")
	for _, p := range clockParts {
		rest = strings.TrimPrefix(rest, p.text)
	}
	if !ok || rest != "" {
		return 0
	}
	return accept
}
