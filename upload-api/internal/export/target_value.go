package export

import (
	"regexp"
	"strconv"
	"strings"

	"sheetdrop/internal/sheet/types"
	"sheetdrop/internal/target"
)

// How PostgreSQL writes the values that a type has; others, such as infinity or a date before Christ, are shown as texts.
var ownForms = map[target.Type]*regexp.Regexp{
	target.Integer:   regexp.MustCompile(`^-?\d+$`),
	target.Decimal:   regexp.MustCompile(`^-?\d+(\.\d+)?$`),
	target.Boolean:   regexp.MustCompile(`^(true|false)$`),
	target.Date:      regexp.MustCompile(`^\d{4}-\d\d-\d\d$`),
	target.Time:      regexp.MustCompile(`^\d\d:\d\d:\d\d(\.\d+)?$`),
	target.Timestamp: regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$`),
	target.Instant:   regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$`),
	target.Duration:  regexp.MustCompile(`^PT(-?\d+H)?(-?\d+M)?(-?\d+(\.\d+)?S)?$`),
}

// targetValue returns a cell of a target's table as PostgreSQL writes it, with ISO 8601 and in UTC, as a value.
func targetValue(kind target.Type, cell []byte) value {
	if cell == nil {
		return value{null: true}
	}
	text := string(cell)
	if form := ownForms[kind]; form == nil || !form.MatchString(text) {
		return value{kind: types.Text, text: text}
	}
	switch kind {
	case target.Boolean:
		return value{kind: types.Boolean, truth: text == "true"}
	case target.Timestamp:
		text = strings.Replace(text, " ", "T", 1)
	case target.Instant:
		text = strings.TrimSuffix(strings.Replace(text, " ", "T", 1), "+00") + "Z"
	case target.Duration:
		if minuses := strings.Count(text, "-"); minuses > 0 {
			if minuses < strings.Count(text, "H")+strings.Count(text, "M")+strings.Count(text, "S") {
				return value{kind: types.Text, text: text}
			}
			text = "-" + strings.ReplaceAll(text, "-", "")
		}
	}
	return value{kind: engineType(kind), text: text}
}

// engineType returns what the engine calls a type.
func engineType(t target.Type) types.Type { return target.Column{Type: t}.Rule().Type }

// formatOf returns a format of the engine for what a type's name does not say: that instants have an offset.
func formatOf(t target.Type) string {
	if t == target.Instant {
		return "YYYY-MM-DDThh:mm:ss±hh:mm"
	}
	return ""
}

// appendJSON appends the value as JSON. A number that a reader might round is a text.
func (v value) appendJSON(dst []byte) []byte {
	switch {
	case v.null:
		return append(dst, "null"...)
	case v.kind == types.Boolean:
		return strconv.AppendBool(dst, v.truth)
	case (v.kind == types.Integer || v.kind == types.Decimal) && significantDigits(v.text) <= excelDigits:
		return append(dst, v.text...)
	}
	return appendJSONString(dst, []byte(v.text))
}

// csv returns the value as CSV has it; nil is null. Texts are written by text.
func (v value) csv(text func([]byte) []byte) []byte {
	switch {
	case v.null:
		return nil
	case v.kind == types.Text:
		return text([]byte(v.text))
	}
	return []byte(v.shown())
}
