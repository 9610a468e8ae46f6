package house

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
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

// TestArrows fails on an import that the plan does not allow, and on a permission of the plan that nobody uses. If a
// new import is right, change the plan in the same commit, so that reviewers see it.
func TestArrows(t *testing.T) {
	t.Parallel()
	var pkgs []pkg
	for _, system := range []string{"linux", "darwin", "windows"} { // some files are built on one of them only
		pkgs = append(pkgs, listPackages(t, "GOOS="+system)...)
	}
	withCrashPoints := listPackages(t, "GOFLAGS=-tags=crashpoints") // a build for tests, in which the plan's arrows need not hold
	for _, v := range slices.Concat(violations(plan, pkgs), unusedPermissions(plan, slices.Concat(pkgs, withCrashPoints))) {
		t.Error(v)
	}
}

// listPackages lists the packages of all modules, as they are built with the environment of the test and these variables ("NAME=value").
func listPackages(t *testing.T, env ...string) []pkg {
	t.Helper()
	return slices.Concat(listModule(t, ".", env...), listModule(t, "verify", env...), listModule(t, "bench", env...))
}

func listModule(t *testing.T, folder string, env ...string) []pkg {
	t.Helper()
	cmd := goCommand(t, "-C", folder, "list", "-json=ImportPath,Doc,Imports,TestImports,XTestImports", "./...")
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
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

// goCommand is a go command in the checkout's folder.
func goCommand(t *testing.T, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = root
	return cmd
}

// violations returns a line for each thing in the packages that does not follow the plan.
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
	slices.Sort(found)
	return slices.Compact(found)
}

// unusedPermissions returns a line for each import that the plan allows and no package of the part needs. Tests count
// for our packages only, and only where they could not import them anyway: libraries are free to all tests.
func unusedPermissions(plan []part, pkgs []pkg) (found []string) {
	used := map[string]bool{} // "folder permission"
	note := func(place part, path string) {
		folder, own := strings.CutPrefix(path, module+"/")
		for _, allowed := range place.ours {
			if own && matchesAny([]string{allowed}, folder) {
				used[place.folder+" "+allowed] = true
			}
		}
		for _, allowed := range place.libs {
			if within(path, allowed) {
				used[place.folder+" "+allowed] = true
			}
		}
	}
	for _, p := range pkgs {
		place, ok := find(plan, strings.TrimPrefix(p.ImportPath, module+"/"))
		if !ok {
			continue
		}
		for _, i := range p.Imports {
			note(place, i)
		}
		for _, i := range slices.Concat(p.TestImports, p.XTestImports) {
			if folder, own := strings.CutPrefix(i, module+"/"); own && !matchesAny(forTests, folder) {
				note(place, i)
			}
		}
	}
	for _, place := range plan {
		for _, allowed := range slices.Concat(place.ours, place.libs) {
			if !used[place.folder+" "+allowed] {
				found = append(found, fmt.Sprintf("%s may import %s, and does not: take it out of the plan", place.folder, allowed))
			}
		}
	}
	return found
}

// find returns the line of the plan for the folder, the most specific one.
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

// isStandard reports whether the import path is the standard library's: only there the first element has no dot. database/sql counts as a
// library, which a part needs a permission for.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && !within(path, databaseSQL)
}
