package house

import (
	"slices"
	"testing"
)

// The checks of imports find each thing that may be wrong: here in a small module in which it is wrong once.
func TestViolations(t *testing.T) {
	t.Parallel()
	plan := []part{
		{"words", nil, libs("example.org/id")},
		{"store", ours("words"), libs("example.org/sql/v5")},
		{"store/migrate", ours("store"), libs("example.org/migrate")},
		{"kitchen", ours("store", "words"), nil},
		{"bedroom", ours("store/..."), nil},
	}
	in := func(path string, imports ...string) pkg {
		return pkg{ImportPath: module + "/" + path, Doc: "x", Imports: imports}
	}
	good := []pkg{
		in("words", "fmt", "net/http", "example.org/id"),
		in("store", "sheetdrop/words", "sheetdrop/store/sql", "example.org/sql/v5/pool"),
		in("store/migrate", "sheetdrop/store", "example.org/migrate"),
		in("kitchen", "sheetdrop/store"),
		in("kitchen/oven", "sheetdrop/kitchen", "sheetdrop/words"),
		in("bedroom", "sheetdrop/store", "sheetdrop/store/migrate"),
		{ImportPath: "sheetdrop/bedroom", Doc: "x", TestImports: []string{"testing", "example.org/check", "sheetdrop/internal/devstack/devtest"}},
	}
	if got := violations(plan, good); len(got) > 0 {
		t.Errorf("found fault with what is right: %q", got)
	}
	for want, bad := range map[string]pkg{
		"cellar has no place in the plan":                       in("cellar"),
		"kitchenette has no place in the plan":                  in("kitchenette"),
		"words has no package comment":                          {ImportPath: "sheetdrop/words"},
		"kitchen may not import sheetdrop/bedroom":              in("kitchen", "sheetdrop/bedroom"),
		"kitchen may not import sheetdrop/store/migrate":        in("kitchen", "sheetdrop/store/migrate"),
		"words may not import sheetdrop/store":                  in("words", "sheetdrop/store"),
		"words may not import example.org/sql/v5":               in("words", "example.org/sql/v5"),
		"words may not import database/sql":                     in("words", "database/sql"),
		"words may not import example.org/idle":                 in("words", "example.org/idle"),
		"store/migrate may not import example.org/sql/v5/pool":  in("store/migrate", "example.org/sql/v5/pool"),
		"store may not import sheetdrop/store/migrate":          in("store", "sheetdrop/store/migrate"),
		"kitchen may not import sheetdrop/internal/devstack":    in("kitchen", "sheetdrop/internal/devstack"),
		"tests of kitchen may not import sheetdrop/bedroom":     {ImportPath: "sheetdrop/kitchen", Doc: "x", TestImports: []string{"sheetdrop/bedroom"}},
		"tests of kitchen/oven may not import sheetdrop/cellar": {ImportPath: "sheetdrop/kitchen/oven", Doc: "x", XTestImports: []string{"sheetdrop/cellar"}},
	} {
		if got := violations(plan, append(slices.Clip(good), bad)); !slices.Equal(got, []string{want}) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestUnusedPermissions(t *testing.T) {
	t.Parallel()
	plan := []part{
		{"words", nil, libs("example.org/id", "example.org/idle")},
		{"store", ours("words", "kitchen/..."), nil},
		{"bedroom", ours("words", "samples", "store"), libs("example.org/check")},
	}
	pkgs := []pkg{
		{ImportPath: "sheetdrop/words", Imports: []string{"example.org/id/v2"}},
		{ImportPath: "sheetdrop/store/below", Imports: []string{"sheetdrop/words"}},
		{ImportPath: "sheetdrop/bedroom", TestImports: []string{"sheetdrop/samples", "example.org/check"}, XTestImports: []string{"sheetdrop/store"}},
	}
	want := []string{
		"words may import example.org/idle, and does not: take it out of the plan",
		"store may import kitchen/..., and does not: take it out of the plan",
		"bedroom may import words, and does not: take it out of the plan",
		"bedroom may import samples, and does not: take it out of the plan",
		"bedroom may import example.org/check, and does not: take it out of the plan",
	}
	if got := unusedPermissions(plan, pkgs); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
