package target

import (
	"path"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
)

// bigintDigits is how many digits any number may have to be a bigint.
const bigintDigits = 18

// Propose returns a valid definition for what was found in a sheet: a column for each of its own, the first MaxColumns of
// them. Names become such as a table can have, the headers become labels, and formats are left to each file. file is the
// name of the target, or of the file.
func Propose(file string, columns []sheet.Column) Definition {
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(file, `\`, "/")), path.Ext(file))
	d := Definition{Name: validName(name, MaxName, "target")}
	for _, suffix := range []string{"__was", "__seen"} {
		d.Name = strings.TrimSuffix(d.Name, suffix)
	}
	if d.Name = strings.Trim(d.Name, "_. "); d.Name == "" {
		d.Name = "target"
	}
	taken := make(map[string]bool)
	for _, name := range systemColumns {
		taken[name] = true
	}
	for i, c := range columns[:min(len(columns), MaxColumns)] {
		proposed := Column{Name: freeName(validName(c.Name, maxColumn, "column_"+strconv.Itoa(i+1)), taken), Type: typeOf(c.Report)}
		if label := strings.TrimSpace(c.Label); label != proposed.Name && len(label) <= maxText && isPlainText(label) {
			proposed.Label = label
		}
		taken[norm.NFC.String(proposed.Name)] = true
		d.Columns = append(d.Columns, proposed)
	}
	return d
}

// typeOf returns the type of a column's values, one that also holds those of the next file.
func typeOf(r types.Report) Type {
	switch {
	case r.Type == types.Timestamp && strings.HasSuffix(r.Format, offset):
		return Instant
	case r.Type == types.Integer && r.Digits > bigintDigits:
		return Decimal
	}
	return Type(r.Type)
}

// validName returns the beginning of a text as a name of PostgreSQL, or the other one where nothing of it is left.
func validName(text string, limit int, other string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, norm.NFC.String(strings.ToValidUTF8(text, "")))
	text = strings.TrimLeft(text, "_ \u3000\u00a0")
	text = strings.TrimSpace(strings.ToValidUTF8(text[:min(len(text), limit)], ""))
	if text == "" || text[0] == '_' || strings.TrimSpace(text) != text {
		return other
	}
	return text
}

// freeName returns the name, with a number if it is taken.
func freeName(name string, taken map[string]bool) string {
	free := name
	for n := 2; taken[norm.NFC.String(free)]; n++ {
		suffix := "_" + strconv.Itoa(n)
		free = strings.TrimSpace(strings.ToValidUTF8(name[:min(len(name), maxColumn-len(suffix))], "")) + suffix
	}
	return free
}
