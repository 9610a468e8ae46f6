package sheet

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"sheetdrop/internal/sheet/types"
)

// declared are the rules of declared columns, by the columns' names.
type declared map[string]*types.Check

// maxInstructions is how long the patterns of all declared columns may be as programs, together: some megabytes.
const maxInstructions = 50 * types.MaxPatternInstructions

// compileRules makes the options' rules ready.
func compileRules(rules []types.Rule) (declared, error) {
	checks, instructions := make(declared, len(rules)), 0
	for _, rule := range rules {
		check, err := rule.Compile()
		if wrong, ok := errors.AsType[*types.RuleError](err); ok {
			return nil, &OptionError{"column", wrong.Error()}
		}
		if err != nil {
			return nil, err
		}
		if checks[rule.Name] != nil {
			return nil, &OptionError{"column", "The column " + rule.Name + " is declared twice."}
		}
		if instructions += check.Instructions(); instructions > maxInstructions {
			return nil, &OptionError{columnOption, "The patterns of all columns together are too complex."}
		}
		checks[rule.Name] = check
	}
	return checks, nil
}

// checker makes what holds a sheet's rows against the rules, nil where nothing is declared. A sheet without one of the declared columns
// refuses the file: its rows could not be held against anything.
func (d declared) checker(columns []Column) (*types.Checker, *Refusal) {
	if len(d) == 0 {
		return nil, nil
	}
	checks := make([]*types.Check, len(columns))
	names := make([]string, len(columns))
	left := len(d)
	for i, c := range columns {
		names[i] = c.Name
		if checks[i] = d[c.Name]; checks[i] != nil {
			left--
		}
	}
	if left > 0 {
		return nil, noColumn.refuse(listed(d.missing(names)), listed(names))
	}
	return types.NewChecker(checks, types.MaxUnique), nil
}

// missing returns the declared columns that the sheet does not have, sorted.
func (d declared) missing(names []string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(d)), func(name string) bool { return slices.Contains(names, name) })
}

// listed is a list of column names in a message: of many the first ones.
func listed(names []string) string {
	const shown = 20
	if len(names) > shown {
		names = append(slices.Clone(names[:shown]), "…")
	}
	return strings.Join(names, ", ")
}
