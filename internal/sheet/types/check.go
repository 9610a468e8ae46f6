package types

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
		if c.rule.Required {
			return RequiredMissing, 0
		}
		return "", 0
	}
	var value reading
	accept := c.values.accept
	if accept != 0 {
		value.read(cell, accept)
	}
	switch {
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
