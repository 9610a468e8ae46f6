package crash

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	module       = "sheetdrop/"
	postgresPath = module + "internal/postgres"
	databasePath = postgresPath + "/database"
	azurePath    = module + "internal/azure"
)

// source is the program as it is written: the functions of each package of ours in the handler, and what they use.
type source map[string][]function

// function is one with a body; the function literals in it count as parts of it.
type function struct {
	name  string // as types.Func.FullName has it
	short string // as the effects' names have it: folder.Type.Method
	uses  []*types.Func
	texts []string // the constants in it
	given bool     // it takes a function, and so does what its caller wants
	makes []literal
}

// literal is a value that a function writes out, with the fields that it sets.
type literal struct {
	what   string // its type, with the package's path
	fields []string
}

// readSource type-checks the handler's packages against what the compiler has made of those that they import.
func readSource(t *testing.T) source {
	t.Helper()
	type pkg struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
	}
	command := exec.CommandContext(t.Context(), "go", "list", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles", "./handler")
	command.Dir = filepath.Join("..", "..")
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	exports, ours := map[string]string{}, []pkg{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if strings.HasPrefix(p.ImportPath, module) {
			ours = append(ours, p)
		}
	}
	files := token.NewFileSet()
	imports := importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	read := source{}
	for _, p := range ours {
		var parsed []*ast.File
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, file)
		}
		info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
		config := types.Config{Importer: imports}
		if _, err := config.Check(p.ImportPath, files, parsed, info); err != nil {
			t.Fatal(err)
		}
		read[p.ImportPath] = functions(parsed, info)
	}
	return read
}

func functions(files []*ast.File, info *types.Info) (found []function) {
	for _, file := range files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				continue
			}
			object := info.Defs[decl.Name].(*types.Func)
			f := function{name: object.FullName(), given: takesFunction(object)}
			f.short = strings.NewReplacer("(", "", "*", "", ")", "").Replace(f.name)
			f.short = f.short[strings.LastIndexByte(f.short, '/')+1:]
			ast.Inspect(decl.Body, func(node ast.Node) bool {
				if identifier, ok := node.(*ast.Ident); ok {
					if used, ok := info.Uses[identifier].(*types.Func); ok {
						f.uses = append(f.uses, used)
					}
				}
				if expression, ok := node.(ast.Expr); ok {
					if value := info.Types[expression].Value; value != nil && value.Kind() == constant.String {
						f.texts = append(f.texts, constant.StringVal(value))
					}
				}
				if made, ok := node.(*ast.CompositeLit); ok {
					f.makes = append(f.makes, literal{info.TypeOf(made).String(), fieldsOf(made)})
				}
				return true
			})
			found = append(found, f)
		}
	}
	return found
}

func fieldsOf(made *ast.CompositeLit) (fields []string) {
	for _, element := range made.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if field, ok := pair.Key.(*ast.Ident); ok {
				fields = append(fields, field.Name)
			}
		}
	}
	return fields
}

func takesFunction(f *types.Func) bool {
	for parameter := range f.Signature().Params().Variables() {
		if _, ok := parameter.Type().Underlying().(*types.Signature); ok {
			return true
		}
	}
	return false
}

// packageOf is the path of the package that a function is written in; "" for error's method.
func packageOf(f *types.Func) string {
	if f.Pkg() == nil {
		return ""
	}
	return f.Pkg().Path()
}
