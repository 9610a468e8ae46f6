package types

import (
	"fmt"
	"slices"
	"strings"
)

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
