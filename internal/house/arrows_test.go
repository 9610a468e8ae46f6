package house

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "sheetdrop"

// pkg is a package as go list shows it.
type pkg struct {
	ImportPath, Doc                    string
	Imports, TestImports, XTestImports []string
}

// TestArrows fails on an import that the plan does not have. Where the import is right, the plan changes with it, for all to see.
func TestArrows(t *testing.T) {
	t.Parallel()
	for _, v := range violations(plan, listPackages(t)) {
		t.Error(v)
	}
}

func listPackages(t *testing.T) []pkg {
	t.Helper()
	out, err := goCommand(t, "list", "-json=ImportPath,Doc,Imports,TestImports,XTestImports", "./...").Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		t.Fatalf("go list: %v\n%s", err, exit.Stderr)
	}
	if err != nil {
		t.Fatal(err)
	}
	var pkgs []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return pkgs
		case err != nil:
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

// goCommand is a go command in the module's folder.
func goCommand(t *testing.T, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = root
	return cmd
}

// violations says in a line each what in the packages does not follow the plan.
func violations(plan []part, pkgs []pkg) (found []string) {
	for _, p := range pkgs {
		at := strings.TrimPrefix(p.ImportPath, module+"/")
		place, ok := find(plan, at)
		if !ok {
			found = append(found, at+" has no place in the plan")
			continue
		}
		if p.Doc == "" {
			found = append(found, at+" has no package comment")
		}
		for _, i := range p.Imports {
			if !place.mayImport(plan, i) {
				found = append(found, fmt.Sprintf("%s may not import %s", at, i))
			}
		}
		for _, i := range slices.Concat(p.TestImports, p.XTestImports) {
			if !place.mayImportInTests(plan, i) {
				found = append(found, fmt.Sprintf("tests of %s may not import %s", at, i))
			}
		}
	}
	return found
}

// find gives the line of the plan for the folder, the most special one.
func find(plan []part, folder string) (place part, ok bool) {
	for _, p := range plan {
		if within(folder, p.folder) && len(p.folder) > len(place.folder) {
			place, ok = p, true
		}
	}
	return place, ok
}

// mayImport says whether the part's code may import the package. A folder below it that has a line of its own is another part.
func (p part) mayImport(plan []part, path string) bool {
	folder, own := strings.CutPrefix(path, module+"/")
	if own {
		place, _ := find(plan, folder)
		return place.folder == p.folder || matchesAny(p.ours, folder)
	}
	return isStandard(path) || slices.ContainsFunc(p.libs, func(lib string) bool { return within(path, lib) })
}

func (p part) mayImportInTests(plan []part, path string) bool {
	folder, own := strings.CutPrefix(path, module+"/")
	return !own || p.mayImport(plan, path) || matchesAny(forTests, folder)
}

func matchesAny(patterns []string, folder string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		below, all := strings.CutSuffix(pattern, "/...")
		return folder == pattern || all && within(folder, below)
	})
}

// within says whether the path is the folder or lies below it.
func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}

// isStandard says whether the import path is the standard library's: only there the first element has no dot.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}
