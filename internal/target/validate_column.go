package target

import (
	"fmt"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // so that the same zones are known everywhere

	"sheetdrop/internal/sheet/types"
)

// The limits of types.
const (
	maxDigits = 1000     // of PostgreSQL's numeric
	maxLength = 10485760 // characters of PostgreSQL's varchar
)

// The problems of a column's rules.
var (
	notOfType     = sentence{"%s belongs to columns of the type %s, not %s.", "%sは型%sの列のものです。この列の型は%sです。"}
	outOfBounds   = sentence{"%d is not from %d to %d.", "%dは%dから%dまでの範囲にありません。"}
	scaleAlone    = sentence{"scale needs digits.", "scaleにはdigitsが必要です。"}
	badFormat     = sentence{"The type %s has no format %q.", "型%sに書式「%s」はありません。"}
	zonedFormat   = sentence{"The format %q has an offset; the type is instant.", "書式「%s」にはオフセットがあります。型はinstantです。"}
	noZone        = sentence{"%q is no time zone of the IANA database.", "「%s」はIANAのタイムゾーンではありません。"}
	zoneNeeded    = sentence{"Cells in the format %q have no offset: zone has to say where they are.", "書式「%s」にはオフセットがないため、zoneが必要です。"}
	manySynonyms  = sentence{"The column has %d synonyms; the limit is %d.", "同義語が%d個あります。上限は%d個です。"}
	emptySynonym  = sentence{"The synonym %q has no letters or digits.", "同義語「%s」には文字も数字もありません。"}
	systemColumns = []string{"tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"}
)

// kind is what a type is: what the engine calls it, whether its values have an order, and a value in its own form.
type kind struct {
	engine  types.Type
	ordered bool
	example string
}

var kinds = map[Type]kind{
	Text:      {types.Text, false, "abc"},
	Integer:   {types.Integer, true, "-12"},
	Decimal:   {types.Decimal, true, "1200.5"},
	Boolean:   {types.Boolean, false, "true"},
	Date:      {types.Date, true, "2026-01-31"},
	Time:      {types.Time, true, "09:05:00"},
	Timestamp: {types.Timestamp, true, "2026-01-31T09:05:00"},
	Instant:   {types.Timestamp, true, "2026-01-31T09:05:00+09:00"},
	Duration:  {types.Duration, true, "PT27H30M"},
}

// Types returns the types in the order in which people are told about them.
func Types() []Type {
	return []Type{Text, Integer, Decimal, Boolean, Date, Time, Timestamp, Instant, Duration}
}

// validate returns what is wrong with the column that stands at a pointer.
func (c Column) validate(at string) []Problem {
	all := validateName(at+"/name", c.Name, maxColumn)
	if slices.Contains(systemColumns, c.Name) {
		all = append(all, systemColumn.at(at+"/name", c.Name))
	}
	all = append(all, validateText(at+"/label", c.Label)...)
	all = append(all, c.validateSynonyms(at+"/synonyms")...)
	if _, ok := kinds[c.Type]; !ok {
		return append(all, unknownType(at+"/type", c.Type))
	}
	all = append(all, c.validateSettings(at)...)
	all = append(all, c.validateLimits(at)...)
	all = append(all, c.validateFormat(at)...)
	rules := c.validateRules(at)
	if all = append(all, rules...); len(rules) == 0 {
		all = append(all, c.validateDefault(at+"/default")...)
	}
	return all
}

func unknownType(pointer string, got Type) Problem {
	words := make([]string, len(kinds))
	for i, t := range Types() {
		words[i] = string(t)
	}
	return notOneOf.at(pointer, got, strings.Join(words, ", "))
}

func (c Column) validateSynonyms(at string) (all []Problem) {
	if len(c.Synonyms) > maxSynonyms {
		return []Problem{manySynonyms.at(at, len(c.Synonyms), maxSynonyms)}
	}
	for i, synonym := range c.Synonyms {
		pointer := fmt.Sprintf("%s/%d", at, i)
		if problems := validateText(pointer, synonym); len(problems) > 0 {
			all = append(all, problems...)
		} else if Fold(synonym) == "" {
			all = append(all, emptySynonym.at(pointer, synonym))
		}
	}
	return all
}

// validateSettings checks that each setting belongs to the column's type.
func (c Column) validateSettings(at string) (all []Problem) {
	for _, s := range []struct {
		name string
		set  bool
		of   []Type
	}{
		{"max_length", c.MaxLength != 0, []Type{Text}},
		{"digits", c.Digits != 0, []Type{Decimal}},
		{"scale", c.Scale != 0, []Type{Decimal}},
		{"pattern", c.Pattern != "", []Type{Text}},
		{"allowed", c.Allowed != nil, []Type{Text}},
		{"zone", c.Zone != "", []Type{Instant}},
	} {
		if s.set && !slices.Contains(s.of, c.Type) {
			all = append(all, notOfType.at(at+"/"+s.name, s.name, s.of[0], c.Type))
		}
	}
	return all
}

func (c Column) validateLimits(at string) (all []Problem) {
	if c.MaxLength < 0 || c.MaxLength > maxLength {
		all = append(all, outOfBounds.at(at+"/max_length", c.MaxLength, 1, maxLength))
	}
	switch {
	case c.Digits < 0 || c.Digits > maxDigits:
		all = append(all, outOfBounds.at(at+"/digits", c.Digits, 1, maxDigits))
	case c.Digits == 0 && c.Scale != 0:
		all = append(all, scaleAlone.at(at+"/scale"))
	case c.Scale < 0 || c.Scale > c.Digits:
		all = append(all, outOfBounds.at(at+"/scale", c.Scale, 0, c.Digits))
	}
	return all
}

// offset ends the names of the engine's formats whose cells have one.
const offset = "±hh:mm"

func (c Column) validateFormat(at string) (all []Problem) {
	_, err := types.NewConverter(kinds[c.Type].engine, c.Format, 0)
	hasOffset := strings.HasSuffix(c.Format, offset)
	switch {
	case err != nil:
		all = append(all, badFormat.at(at+"/format", c.Type, c.Format))
	case c.Type == Timestamp && hasOffset:
		all = append(all, zonedFormat.at(at+"/format", c.Format))
	case c.Type == Instant && c.Format != "" && !hasOffset && c.Zone == "":
		all = append(all, zoneNeeded.at(at+"/zone", c.Format))
	}
	// LoadLocation also knows the machine's own zone, which is another one elsewhere.
	if _, err := time.LoadLocation(c.Zone); c.Zone != "" && (err != nil || c.Zone == "Local") {
		all = append(all, noZone.at(at+"/zone", c.Zone))
	}
	return all
}
