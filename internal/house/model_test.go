package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The model is true to the program only while each of its steps stands for something: every step and function that the table in
// docs/model/README.md names is there, so that a rename is seen.
func TestModelNamesWhatThereIs(t *testing.T) {
	t.Parallel()
	steps := modelSteps(t)
	rows := stepTable(t)
	if len(rows) < 15 {
		t.Fatalf("the table has %d rows only", len(rows))
	}
	functions := map[string]map[string]string{} // the file of each, by folder
	listed := strings.Fields(read(t, "docs/model/protocol"))
	for _, row := range rows {
		for _, step := range row.steps {
			if !slices.Contains(steps, step) {
				t.Errorf("the model has no step %q", step)
			}
		}
		for _, name := range row.functions {
			folder, function, _ := strings.Cut(path.Base(name), ".")
			folder = path.Join(path.Dir(name), folder)
			if functions[folder] == nil {
				functions[folder] = declaredFunctions(t, folder)
			}
			file, found := functions[folder][function]
			if !found {
				t.Errorf("%s has no function %q", folder, function)
			} else if !slices.Contains(listed, file) {
				t.Errorf("docs/model/protocol does not list %s, so that the model would not be checked when %s changes", file, function)
			}
		}
	}
	for _, file := range listed {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(file))); err != nil {
			t.Errorf("docs/model/protocol: %v", err)
		}
	}
}

// Each mutant that is explored is described, by the property that falls, and no other.
func TestModelMutantsAreDescribed(t *testing.T) {
	t.Parallel()
	explored := pairs(t, "docs/model/runs", `(?m)^([A-Z_]+) +(\w+) `)
	described := pairs(t, "docs/model/README.md", "(?m)^\\| `([A-Z_]+)` \\|.*\\| (\\w+) \\|$")
	if len(explored) < 30 {
		t.Fatalf("only %q are explored", explored)
	}
	if !slices.Equal(explored, described) {
		t.Errorf("explored are   %q\ndescribed are %q", explored, described)
	}
}

// stepRow is a row of the table: steps of the model, and the functions that they stand for, as folder.Function or folder.Type.Method.
type stepRow struct{ steps, functions []string }

func stepTable(t *testing.T) (rows []stepRow) {
	t.Helper()
	_, table, found := strings.Cut(read(t, "docs/model/README.md"), "| step | in the program |")
	if !found {
		t.Fatal("docs/model/README.md has no table of steps")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	code := regexp.MustCompile("`([^`]+)`")
	names := func(cell string) (all []string) {
		for _, match := range code.FindAllStringSubmatch(cell, -1) {
			all = append(all, match[1])
		}
		return all
	}
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || len(names(cells[1])) == 0 {
			continue // the rest of the heading
		}
		rows = append(rows, stepRow{names(cells[1]), names(cells[2])})
	}
	return rows
}

// modelSteps are the inlines of the model.
func modelSteps(t *testing.T) (steps []string) {
	t.Helper()
	sources, err := fs.Glob(os.DirFS(root), "docs/model/*.pml")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		for _, match := range regexp.MustCompile(`(?m)^inline (\w+)\(`).FindAllStringSubmatch(read(t, source), -1) {
			steps = append(steps, match[1])
		}
	}
	return steps
}

// declaredFunctions returns the functions and, as Type.Method, the methods of a folder's package without its tests, each with the file that
// declares it.
func declaredFunctions(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	sources, err := fs.Glob(os.DirFS(root), folder+"/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), source, read(t, source), parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range file.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok {
				files[receiver(function)+function.Name.Name] = source
			}
		}
	}
	return files
}

// receiver returns "Type." of a method and "" of a function.
func receiver(function *ast.FuncDecl) string {
	if function.Recv == nil {
		return ""
	}
	of := function.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name + "."
	}
	return ""
}

// pairs returns what the expression's two groups match in a file, sorted, each as "first second".
func pairs(t *testing.T, name, expression string) (all []string) {
	t.Helper()
	for _, match := range regexp.MustCompile(expression).FindAllStringSubmatch(read(t, name), -1) {
		all = append(all, match[1]+" "+match[2])
	}
	slices.Sort(all)
	return all
}
