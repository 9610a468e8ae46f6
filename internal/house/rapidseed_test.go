package house

import (
	"slices"
	"testing"
)

// A property test with a random seed fails for a newcomer who has changed nothing, and passes for the one who comes to look.
func TestPropertyTestsHaveAFixedSeed(t *testing.T) {
	t.Parallel()
	found := 0
	for _, p := range listPackages(t) {
		imports := slices.Concat(p.TestImports, p.XTestImports)
		if !slices.Contains(imports, rapid) {
			continue
		}
		found++
		if !slices.Contains(imports, module+"/internal/rapidseed") {
			t.Errorf("the property tests of %s do not import internal/rapidseed", p.ImportPath)
		}
	}
	if found == 0 {
		t.Error("no property tests found: the search itself is broken")
	}
}
