package sheet

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"sheetdrop/internal/sheet/types"
)

// declared maps column names to the rules of declared columns.
type declared map[string]*types.Check

// maxInstructions limits the compiled patterns of all declared columns together: some megabytes.
const maxInstructions = 50 * types.MaxPatternInstructions

// compileRules compiles the options' rules.
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

// checker returns the checker of a sheet's rows, or nil if no columns are declared. A sheet without one of the declared
// columns refuses the file, because its rows could not be checked.
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

// listed formats column names for a message; of many it lists the first ones.
func listed(names []string) string {
	const shown = 20
	if len(names) > shown {
		names = append(slices.Clone(names[:shown]), "…")
	}
	return strings.Join(names, ", ")
}
