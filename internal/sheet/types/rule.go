package types

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// Rule is what the cells of a declared column must be. Its JSON form is part of the API.
type Rule struct {
	Name     string   `json:"name"`               // the name of the column
	Type     Type     `json:"type,omitempty"`     // empty means text
	Format   string   `json:"format,omitempty"`   // as in Report.Format; empty: any that can be distinguished value by value
	Required bool     `json:"required,omitempty"` // cells must not be missing, empty or white space
	Unique   bool     `json:"unique,omitempty"`   // no two loaded rows may have the same value; empty cells do not count
	Pattern  string   `json:"pattern,omitempty"`  // RE2 (https://golang.org/s/re2syntax) that the whole cell must match
	Min      string   `json:"min,omitempty"`      // the minimum, as a Converter returns values; text and boolean have no order
	Max      string   `json:"max,omitempty"`
	Allowed  []string `json:"allowed,omitempty"` // the only values, as a Converter returns them

	NullWords bool `json:"-"` // N/A and the like are no values, as in a column that was found to have the type; see Report.NullWords
}

// RuleError says why a Rule is invalid.
type RuleError struct {
	Column  string
	Message string // one English sentence
}

func (e *RuleError) Error() string { return fmt.Sprintf("column %q: %s", e.Column, e.Message) }

// The limits of rules. Matching a pattern costs at most its instructions times the cell's bytes, for which a Checker
// may have a budget.
const (
	MaxPattern             = 1000 // bytes
	MaxPatternInstructions = 2000
	MaxPatternCell         = 1024 // bytes of a cell that is matched against a pattern
	MaxAllowed             = 1000 // values
)

// Check is a compiled Rule. It is safe for concurrent use.
type Check struct {
	rule     Rule
	values   Converter
	pattern  *regexp.Regexp
	steps    int // instructions of the pattern
	min, max limit
	allowed  map[string]bool
}

// Instructions returns the length of the rule's pattern as a program; 0 without a pattern.
func (c *Check) Instructions() int { return c.steps }

// limit is the end of a range.
type limit struct {
	set  bool
	text []byte
	key  key
}

// Compile compiles a Rule; an invalid one is a *RuleError.
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
	// The pattern is parsed alone so that it cannot close the group that encloses it.
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

// written returns the Converter of the values in a rule: whatever the column's format, dates are ISO 8601 and numbers
// have a point.
func (r Rule) written() Converter {
	accept, _ := parseFormat(r.Type, "")
	return Converter{accept: accept}
}

// compare returns −1 if the value is below the limit, +1 if it is above.
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
		var value []byte
		ok := !isBlank([]byte(text)) && len(text) <= maxValue
		if ok {
			value, ok = c.rule.written().identity(nil, []byte(text))
		}
		if !ok {
			return c.rule.wrong("the allowed value %q is empty, too long or not of the type %s", text, c.rule.Type)
		}
		if c.allowed == nil {
			c.allowed = map[string]bool{}
		}
		c.allowed[string(value)] = true
	}
	return nil
}

// ParseRule parses the rule of a declared column as written on a command line or in a query, and verifies that it
// compiles:
//
//	NAME:TYPE[;required][;unique][;format=F][;min=V][;max=V][;allowed=A|B|C][;pattern=RE2]
//
// The name may contain colons, and the pattern, which comes last, may contain semicolons and anything else. An invalid
// rule is a *RuleError.
func ParseRule(text string) (Rule, error) {
	r, settings, ok := splitName(text)
	if !ok {
		return Rule{}, &RuleError{text, fmt.Sprintf("a column is declared as NAME:TYPE, and the types are %s", join(names))}
	}
	for settings != "" {
		var setting string
		if strings.HasPrefix(settings, "pattern=") {
			setting, settings = settings, ""
		} else {
			setting, settings, _ = strings.Cut(settings, ";")
		}
		if err := r.set(setting); err != nil {
			return Rule{}, err
		}
	}
	_, err := r.Compile()
	return r, err
}

// splitName finds the colon before the type.
func splitName(text string) (r Rule, settings string, ok bool) {
	for i := range len(text) {
		if text[i] != ':' {
			continue
		}
		word, settings, _ := strings.Cut(text[i+1:], ";")
		if t := Type(strings.ToLower(word)); i > 0 && slices.Contains(names, t) {
			return Rule{Name: text[:i], Type: t}, settings, true
		}
	}
	return Rule{}, "", false
}

func (r *Rule) set(setting string) error {
	name, value, given := strings.Cut(setting, "=")
	switch {
	case name == "required" && !given:
		r.Required = true
	case name == "unique" && !given:
		r.Unique = true
	case value == "":
		return r.wrong("%q is no setting of a column; there are required, unique, format=, min=, max=, allowed=, pattern=", setting)
	case name == "format":
		r.Format = value
	case name == "min":
		r.Min = value
	case name == "max":
		r.Max = value
	case name == "allowed":
		r.Allowed = strings.Split(value, "|")
	case name == "pattern":
		r.Pattern = value
	default:
		return r.wrong("%q is no setting of a column; there are required, unique, format=, min=, max=, allowed=, pattern=", setting)
	}
	return nil
}

func join(names []Type) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = string(name)
	}
	return strings.Join(texts, ", ")
}
