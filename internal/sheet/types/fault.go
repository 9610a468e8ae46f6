package types

import (
	"fmt"
	"strings"
)

// Fault describes a cell that breaks its column's rule.
type Fault struct {
	Column int // from 0
	Code   Code

	check *Check
	cell  []byte
	first int64
}

// shownAllowed is how many allowed values a message lists.
const shownAllowed = 10

// Message returns a sentence in Japanese or English. It must be called while the row's cells are valid.
func (f Fault) Message(japanese bool) string {
	en, ja := f.messages()
	if japanese {
		return ja
	}
	return en
}

func (f Fault) messages() (en, ja string) {
	rule := f.check.rule
	switch f.Code {
	case RequiredMissing:
		return "The cell is empty, but the column is required.", "値がありません。この列は必須です。"
	case TypeMismatch:
		return f.typeMessages()
	case PatternMismatch:
		pattern := shown([]byte(rule.Pattern))
		if len(pattern) < len(rule.Pattern) {
			pattern += "…"
		}
		return fmt.Sprintf("The value does not match the pattern %s.", pattern), fmt.Sprintf("値がパターン %s に一致しません。", pattern)
	case OutOfRange:
		return f.rangeMessages()
	case NotAllowed:
		list := strings.Join(rule.Allowed[:min(shownAllowed, len(rule.Allowed))], ", ")
		if len(rule.Allowed) > shownAllowed {
			list += ", …"
		}
		return fmt.Sprintf("The value is not one of those allowed: %s.", list), fmt.Sprintf("許可された値(%s)ではありません。", list)
	default:
		return fmt.Sprintf("The value also occurs in row %d, but the column is unique.", f.first),
			fmt.Sprintf("同じ値が %d 行目にあります。この列の値は一意でなければなりません。", f.first)
	}
}

// typeMessages also say how a word for no value is let pass: it counts for declared columns only if the options name it.
func (f Fault) typeMessages() (en, ja string) {
	wanted := describe(f.check.rule)
	if f.check.rule.Required || !f.check.values.IsNullWord(f.cell) {
		return fmt.Sprintf("The value is not of the type %s.", wanted), fmt.Sprintf("値が型 %s に合いません。", wanted)
	}
	word := trim(f.cell)
	return fmt.Sprintf("The value is not of the type %s; with the option null=%s it is no value.", wanted, word),
		fmt.Sprintf("値が型 %s に合いません。オプション null=%s を指定すると値なしになります。", wanted, word)
}

func (f Fault) rangeMessages() (en, ja string) {
	var value reading
	value.read(f.cell, f.check.values.accept)
	if f.check.outside(value.value(f.check.values.accept), f.cell) == &f.check.min {
		return fmt.Sprintf("The value is less than %s.", f.check.rule.Min), fmt.Sprintf("値が %s より小さいです。", f.check.rule.Min)
	}
	return fmt.Sprintf("The value is greater than %s.", f.check.rule.Max), fmt.Sprintf("値が %s より大きいです。", f.check.rule.Max)
}

// describe returns the rule's type, with its format if it has one.
func describe(r Rule) string {
	if r.Format == "" {
		return string(r.Type)
	}
	return fmt.Sprintf("%s (%s)", r.Type, r.Format)
}

// Code is a stable word that says why a cell breaks its column's rule.
type Code string

// The codes of faults, in the order in which a cell is checked.
const (
	RequiredMissing Code = "required_missing" // the cell is missing, empty or white space
	TypeMismatch    Code = "type_mismatch"    // the cell is not of the declared type and format
	PatternMismatch Code = "pattern_mismatch" // the cell does not match the pattern, or is longer than MaxPatternCell
	OutOfRange      Code = "out_of_range"     // the value is below the minimum or above the maximum
	NotAllowed      Code = "not_allowed"      // the value is not one of the allowed ones
	NotUnique       Code = "not_unique"       // the value occurs in an earlier row
)

// check checks a cell against the rule and returns the first fault, or "", and the number of digits of a number.
// Uniqueness is left to the Checker.
func (c *Check) check(cell []byte) (fault Code, digits int) {
	if isBlank(cell) {
		return c.checkNoValue(), 0
	}
	var value reading
	accept := c.values.accept
	if accept != 0 {
		value.read(cell, accept)
	}
	switch {
	case accept != 0 && value.fits&accept == 0 && c.rule.NullWords && c.values.IsNullWord(cell):
		return c.checkNoValue(), 0
	case accept != 0 && value.fits&accept == 0:
		return TypeMismatch, 0
	case c.pattern != nil && (len(cell) > MaxPatternCell || !c.pattern.Match(cell)):
		return PatternMismatch, 0
	case c.ranged() && c.outside(value.value(accept), cell) != nil:
		return OutOfRange, 0
	case c.allowed != nil && !c.allows(cell):
		return NotAllowed, 0
	}
	return "", value.digits
}

func (c *Check) checkNoValue() Code {
	if c.rule.Required {
		return RequiredMissing
	}
	return ""
}

func (c *Check) ranged() bool { return c.min.set || c.max.set }

// outside returns the limit that the value is beyond.
func (c *Check) outside(k key, cell []byte) *limit {
	switch {
	case c.min.set && c.min.compare(k, cell, c.isNumber()) < 0:
		return &c.min
	case c.max.set && c.max.compare(k, cell, c.isNumber()) > 0:
		return &c.max
	}
	return nil
}

func (c *Check) allows(cell []byte) bool {
	var buffer [64]byte
	value, _ := c.values.identity(buffer[:0], cell)
	return c.allowed[string(value)]
}
