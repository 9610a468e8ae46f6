package house

import (
	"regexp"
	"slices"
	"testing"
)

// docs/errors.md lists every code that a record or a task can have, once, and no other.
func TestCodesAreDocumented(t *testing.T) {
	t.Parallel()
	codes := matches(t, `Code\s*= "([a-z_]+)"`, "internal/sheet/codes.go", "internal/sheet/types/fault.go", "internal/sheet/types/checker.go", "internal/task/status.go",
		"internal/target/problem.go", "internal/target/codes.go")
	listed := matches(t, "(?m)^\\| `([a-z_]+)` \\|", "docs/errors.md")
	if len(codes) < 30 {
		t.Fatalf("only %q were found", codes)
	}
	if !slices.Equal(codes, listed) {
		t.Errorf("the code has   %q\nthe docs have %q", codes, listed)
	}
}

// matches returns what the expression's group matches in the files, sorted.
func matches(t *testing.T, expression string, files ...string) (all []string) {
	t.Helper()
	for _, name := range files {
		for _, match := range regexp.MustCompile(expression).FindAllStringSubmatch(read(t, name), -1) {
			all = append(all, match[1])
		}
	}
	slices.Sort(all)
	return all
}
