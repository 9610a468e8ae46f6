package typedcopy

import (
	"strings"

	"sheetdrop/internal/sheet/types"
	"sheetdrop/internal/target"
)

// NeedsFormat reports whether a column's cells can only be read once it is known how all of them are written: 1.234 and 1/2/2024 have two
// meanings each.
func NeedsFormat(t target.Type) bool {
	switch t {
	case target.Integer, target.Decimal, target.Date, target.Timestamp, target.Instant:
		return true
	}
	return false
}

// HasNullWords reports whether N/A and the like are no values in a file's column whose cells are to be values of a type: by what the engine
// has found out about all of them, everything else there is of the type.
func HasNullWords(found types.Report, t target.Type) bool {
	want := EngineType(t)
	return len(found.NullWords) > 0 && (found.Type == want || as(want, found.Type, found.Format) != "")
}

// FormatOf returns how the cells of a file's column are written that are to be values of a type, by what the engine has found out about all
// of them; "" is for any format that can be told apart cell by cell. If several have to be chosen from, choices has them.
func FormatOf(found types.Report, t target.Type) (format string, choices []string) {
	want := EngineType(t)
	kind, format := found.Type, found.Format
	if kind == types.Text && found.Nearly != nil {
		kind, format = found.Nearly.Type, found.Nearly.Format
	}
	format = as(want, kind, format)
	for _, other := range found.Ambiguous {
		if other = as(want, kindOf(other), other); other != "" && other != format {
			choices = append(choices, other)
		}
	}
	switch {
	case len(choices) > 0 && format != "":
		return "", append([]string{format}, choices...)
	case len(choices) == 1:
		return choices[0], nil
	case len(choices) > 1:
		return "", choices
	case format == "" && isNumber(want) && found.Type == types.Text && found.Distinct > 0: // 1,500 among too many other values: either
		return "", []string{as(want, types.Decimal, "0.0"), as(want, types.Decimal, "0,0")}
	}
	return format, nil
}

func isNumber(t types.Type) bool { return t == types.Integer || t == types.Decimal }

// kindOf returns the type of an ambiguous format's values.
func kindOf(format string) types.Type {
	for _, t := range []types.Type{types.Integer, types.Decimal, types.Date, types.Timestamp} {
		if _, err := types.NewConverter(t, format, 0); err == nil {
			return t
		}
	}
	return types.Text
}

// as returns the format of a type that reads what a format of another type does; "" if there is none.
func as(want, kind types.Type, format string) string {
	switch {
	case want == kind:
	case want == types.Decimal && kind == types.Integer:
		mark := "."
		if strings.HasSuffix(format, "#.##0") {
			mark = ","
		}
		format += mark + "0"
	case want == types.Integer && kind == types.Decimal:
		if strings.HasSuffix(format, ",0") {
			format = "#.##0"
		}
		format = strings.TrimSuffix(format, ".0")
	case want == types.Timestamp && kind == types.Date:
		format += " hh:mm"
	default:
		return ""
	}
	if _, err := types.NewConverter(want, format, 0); err != nil {
		return ""
	}
	return format
}
