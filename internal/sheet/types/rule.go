package types

import (
	"fmt"
	"regexp"
	"regexp/syntax"
)

// Rule says what the cells of a declared column must be. As JSON it is what the API takes.
type Rule struct {
	Name     string   `json:"name"`               // the column's
	Type     Type     `json:"type,omitempty"`     // text where it is empty
	Format   string   `json:"format,omitempty"`   // as Report.Format; empty: any that can be told apart value by value
	Required bool     `json:"required,omitempty"` // a cell must not be missing, empty or white space
	Unique   bool     `json:"unique,omitempty"`   // no value stands in two rows that are loaded; empty cells may
	Pattern  string   `json:"pattern,omitempty"`  // RE2 (https://golang.org/s/re2syntax) that the whole cell must match
	Min      string   `json:"min,omitempty"`      // the least value, as a Converter gives values; text and boolean have no order
	Max      string   `json:"max,omitempty"`
	Allowed  []string `json:"allowed,omitempty"` // the only values, as a Converter gives them
}

// RuleError says what is wrong with a Rule.
type RuleError struct {
	Column  string
	Message string // one English sentence for people
}

func (e *RuleError) Error() string { return fmt.Sprintf("column %q: %s", e.Column, e.Message) }

// The limits of rules. A pattern costs at most its instructions times the cell's bytes, for which a Checker may have a budget.
const (
	MaxPattern             = 1000 // bytes
	MaxPatternInstructions = 2000
	MaxPatternCell         = 1024 // bytes of a cell that is held against a pattern
	MaxAllowed             = 1000 // values
)

// Check is a Rule that is ready to be held against cells.
type Check struct {
	rule     Rule
	values   Converter
	pattern  *regexp.Regexp
	steps    int // instructions of the pattern
	min, max limit
	allowed  map[string]bool
}

// Instructions is how long the rule's pattern is as a program; 0 where there is none.
func (c *Check) Instructions() int { return c.steps }

// limit is the end of a range.
type limit struct {
	set  bool
	text []byte
	key  key
}

// Compile makes a Rule ready; what is wrong with it is a *RuleError.
func (r Rule) Compile() (*Check, error) {
	if r.Name == "" {
		return nil, r.wrong("a rule needs the name of its column")
	}
	if r.Type == "" {
		r.Type = Text
	}
	accept, err := parseFormat(r.Type, r.Format)
	if err != nil {
		return nil, r.wrong("%v", err)
	}
	c := &Check{rule: r, values: Converter{accept: accept}}
	if err := c.compilePattern(); err != nil {
		return nil, err
	}
	if c.min, err = c.compileLimit(r.Min); err != nil {
		return nil, err
	}
	if c.max, err = c.compileLimit(r.Max); err != nil {
		return nil, err
	}
	if c.min.set && c.max.set && c.max.compare(c.min.key, c.min.text, c.isNumber()) > 0 {
		return nil, r.wrong("the least value %q is greater than the greatest, %q", r.Min, r.Max)
	}
	return c, c.compileAllowed()
}

func (c *Check) isNumber() bool { return c.values.accept&numbers != 0 }

func (r Rule) wrong(format string, args ...any) error {
	return &RuleError{r.Name, fmt.Sprintf(format, args...)}
}

func (c *Check) compilePattern() error {
	if c.rule.Pattern == "" {
		return nil
	}
	if len(c.rule.Pattern) > MaxPattern {
		return c.rule.wrong("the pattern is longer than %d bytes", MaxPattern)
	}
	// The pattern is parsed alone, lest it close the group that it stands in.
	if _, err := syntax.Parse(c.rule.Pattern, syntax.Perl); err != nil {
		return c.rule.wrong("the pattern cannot be read: %v", err)
	}
	whole := `\A(?:` + c.rule.Pattern + `)\z`
	parsed, err := syntax.Parse(whole, syntax.Perl)
	if err != nil {
		return c.rule.wrong("the pattern cannot be read: %v", err)
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return c.rule.wrong("the pattern cannot be read: %v", err)
	}
	if len(program.Inst) > MaxPatternInstructions {
		return c.rule.wrong("the pattern is too complex")
	}
	c.steps = len(program.Inst)
	c.pattern, err = regexp.Compile(whole)
	return err
}

func (c *Check) compileLimit(text string) (limit, error) {
	if text == "" {
		return limit{}, nil
	}
	if c.values.accept == 0 || c.values.accept&booleans != 0 {
		return limit{}, c.rule.wrong("the type %s has no order, so a range means nothing", c.rule.Type)
	}
	var value reading
	accept := c.rule.written().accept
	value.read([]byte(text), accept)
	if value.fits&accept == 0 {
		return limit{}, c.rule.wrong("the limit %q is not of the type %s", text, c.rule.Type)
	}
	return limit{true, []byte(text), value.value(accept)}, nil
}

// written reads what a rule itself has of values: whatever the column's format, dates are ISO 8601 and numbers have a point.
func (r Rule) written() Converter {
	accept, _ := parseFormat(r.Type, "")
	return Converter{accept: accept}
}

// compare returns −1 where the value is below the limit, +1 where it is above.
func (l *limit) compare(k key, text []byte, isNumber bool) int {
	switch {
	case k.less(l.key):
		return -1
	case l.key.less(k):
		return +1
	case isNumber:
		return compareTails(text, l.text, k)
	}
	return 0
}

func (c *Check) compileAllowed() error {
	if len(c.rule.Allowed) > MaxAllowed {
		return c.rule.wrong("more than %d values are allowed", MaxAllowed)
	}
	for _, text := range c.rule.Allowed {
		value, ok := c.rule.written().identity(nil, []byte(text))
		if !ok || isBlank(value) || len(text) > maxValue {
			return c.rule.wrong("the allowed value %q is empty, too long or not of the type %s", text, c.rule.Type)
		}
		if c.allowed == nil {
			c.allowed = map[string]bool{}
		}
		c.allowed[string(value)] = true
	}
	return nil
}
