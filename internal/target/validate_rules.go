package target

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"sheetdrop/internal/sheet/types"
)

// The problems of what values must be.
var (
	badPattern   = sentence{"The pattern cannot be used: %s.", "パターンが使えません（%s）。"}
	noOrder      = sentence{"The type %s has no order, so a range means nothing.", "型%sには順序がないため、範囲を指定できません。"}
	notOwnForm   = sentence{"%q is not a value in the own form of the type %s, such as %s.", "「%s」は型%sの標準形（例: %s）の値ではありません。"}
	doesNotFit   = sentence{"%q does not fit into %s.", "「%s」は%sに収まりません。"}
	crossedRange = sentence{"The minimum %q is greater than the maximum %q.", "最小値「%s」が最大値「%s」より大きいです。"}
	badDefault   = sentence{"The default breaks the column's own rules: %s", "既定値が列の規則に合いません。%s"}
	badAllowed   = sentence{"The allowed value %q is empty, too long, or does not match the pattern.", "許可する値「%s」は空か、長すぎるか、パターンに一致しません。"}
	manyAllowed  = sentence{"%d values are allowed; the limit is %d.", "許可する値が%d個あります。上限は%d個です。"}
)

// Rule returns the engine's rule for the column's cells. What the engine does not know is left out: lengths, digits, zones.
func (c Column) Rule() types.Rule {
	return types.Rule{
		Name: c.Name, Type: kinds[c.Type].engine, Format: c.Format, Required: c.Required,
		Pattern: c.Pattern, Min: c.Min, Max: c.Max, Allowed: c.Allowed,
	}
}

// validateRules checks what the column's values must be.
func (c Column) validateRules(at string) []Problem {
	all := c.validatePattern(at + "/pattern")
	all = append(all, c.validateRange(at)...)
	if len(all) == 0 && c.Type == Text {
		all = append(all, c.validateAllowed(at+"/allowed")...)
	}
	return all
}

func (c Column) validatePattern(at string) []Problem {
	if strings.ContainsRune(c.Pattern, 0) || !utf8.ValidString(c.Pattern) {
		return []Problem{badText.at(at)}
	}
	if _, err := (types.Rule{Name: "pattern", Type: types.Text, Pattern: c.Pattern}).Compile(); err != nil {
		return []Problem{badPattern.at(at, reasonOf(err))}
	}
	return nil
}

// instructions returns the length of the column's pattern as a program; 0 without a valid one.
func (c Column) instructions() int {
	check, err := types.Rule{Name: "pattern", Type: types.Text, Pattern: c.Pattern}.Compile()
	if err != nil {
		return 0
	}
	return check.Instructions()
}

func (c Column) validateRange(at string) (all []Problem) {
	for _, limit := range []struct{ name, value string }{{"min", c.Min}, {"max", c.Max}} {
		switch {
		case limit.value == "":
		case !kinds[c.Type].ordered:
			all = append(all, noOrder.at(at+"/"+limit.name, c.Type))
		default:
			all = append(all, c.validateValue(at+"/"+limit.name, limit.value)...)
		}
	}
	if len(all) > 0 || c.Min == "" || c.Max == "" {
		return all
	}
	if _, err := (types.Rule{Name: "column", Type: kinds[c.Type].engine, Min: c.Min, Max: c.Max}).Compile(); err != nil {
		return []Problem{crossedRange.at(at+"/min", c.Min, c.Max)}
	}
	return nil
}

func (c Column) validateAllowed(at string) (all []Problem) {
	if len(c.Allowed) > types.MaxAllowed {
		return []Problem{manyAllowed.at(at, len(c.Allowed), types.MaxAllowed)}
	}
	for i, value := range c.Allowed {
		rule := types.Rule{Name: "column", Type: types.Text, Pattern: c.Pattern, Required: true}
		_, err := types.Rule{Name: "column", Type: types.Text, Allowed: []string{value}}.Compile()
		if err != nil || breaks(rule, value) || c.isTooLong(value) || !isStorable(value) {
			all = append(all, badAllowed.at(fmt.Sprintf("%s/%d", at, i), value))
		}
	}
	return all
}

func (c Column) validateDefault(at string) []Problem {
	if c.Default == nil {
		return nil
	}
	value := *c.Default
	if problems := c.validateValue(at, value); len(problems) > 0 {
		return problems
	}
	rule := c.Rule()
	rule.Format = "" // of a file's cells
	check, err := rule.Compile()
	if err != nil {
		return nil // said already
	}
	faults, err := types.NewChecker([]*types.Check{check}, 0).Check(1, [][]byte{[]byte(value)})
	if err != nil || len(faults) == 0 {
		return nil
	}
	p := badDefault.at(at, faults[0].Message(false))
	p.MessageJA = fmt.Sprintf(badDefault.japanese, faults[0].Message(true))
	return []Problem{p}
}

// validateValue checks a value in the own form of the column's type: as PostgreSQL reads it, whatever its settings.
func (c Column) validateValue(at, value string) []Problem {
	switch {
	case c.Type == Text && !isStorable(value):
		return []Problem{badText.at(at)}
	case c.Type == Text && c.isTooLong(value):
		return []Problem{doesNotFit.at(at, value, fmt.Sprintf("varchar(%d)", c.MaxLength))}
	case c.Type == Text:
		return nil
	case !c.isOwnForm(value):
		return []Problem{notOwnForm.at(at, value, c.Type, kinds[c.Type].example)}
	case !c.fits(value):
		return []Problem{doesNotFit.at(at, value, c.size())}
	}
	return nil
}

func (c Column) isTooLong(text string) bool {
	return c.MaxLength > 0 && utf8.RuneCountInString(text) > c.MaxLength
}

// isStorable reports whether PostgreSQL can store the text.
func isStorable(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }

func (c Column) isOwnForm(value string) bool {
	values, err := types.NewConverter(kinds[c.Type].engine, "", 0)
	if err != nil {
		return false
	}
	read, ok := values.Value([]byte(value))
	if !ok || read == nil || fmt.Sprint(read) != value {
		return false
	}
	_, clock, _ := strings.Cut(value, "T")
	hasOffset := strings.ContainsAny(clock, "Z+-")
	return c.Type != Timestamp && c.Type != Instant || hasOffset == (c.Type == Instant)
}

// maxPlaces is how many digits of a second PostgreSQL keeps.
const maxPlaces = 6

// fits reports whether the value survives in the column as it stands.
func (c Column) fits(value string) bool {
	switch c.Type {
	case Integer:
		_, err := strconv.ParseInt(value, 10, 64)
		return err == nil
	case Decimal:
		return fitsDigits(value, c.Digits, c.Scale)
	case Time, Timestamp, Instant, Duration:
		_, fraction, _ := strings.Cut(value, ".")
		return len(fraction)-len(strings.TrimLeft(fraction, "0123456789")) <= maxPlaces
	}
	return true
}

// size describes what the column can hold.
func (c Column) size() string {
	switch {
	case c.Type == Integer:
		return "bigint"
	case c.Type == Decimal && c.Digits > 0:
		return fmt.Sprintf("numeric(%d, %d)", c.Digits, c.Scale)
	}
	return string(c.Type)
}

// fitsDigits reports whether numeric(digits, scale) holds the number without rounding it.
func fitsDigits(text string, digits, scale int) bool {
	number, ok := new(big.Rat).SetString(text)
	if !ok || digits == 0 {
		return ok
	}
	ten := big.NewInt(10)
	number.Mul(number, new(big.Rat).SetInt(new(big.Int).Exp(ten, big.NewInt(int64(scale)), nil)))
	return number.IsInt() && number.Num().CmpAbs(new(big.Int).Exp(ten, big.NewInt(int64(digits)), nil)) < 0
}

// breaks reports whether a cell breaks a rule.
func breaks(rule types.Rule, cell string) bool {
	check, err := rule.Compile()
	if err != nil {
		return true
	}
	faults, err := types.NewChecker([]*types.Check{check}, 0).Check(1, [][]byte{[]byte(cell)})
	return err != nil || len(faults) > 0
}

// reasonOf returns the engine's message about a rule, without the column's name.
func reasonOf(err error) string {
	if wrong, ok := errors.AsType[*types.RuleError](err); ok {
		return wrong.Message
	}
	return err.Error()
}
