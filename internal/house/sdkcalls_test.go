package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// sdkCalls are the places of internal/azure, which alone may use the Azure SDK, from which it goes over the network:
// "function method" for each call of a method of the SDK that takes a context.
func sdkCalls(t *testing.T) (calls []string) {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range goFiles(t, "internal/azure") {
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", exportData(t, "./internal/azure"))}
	if _, err := config.Check(module+"/internal/azure", fset, files, info); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		function := ""
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				function = n.Name.Name
			case *ast.CallExpr:
				if method := sdkMethod(info, n); method != nil {
					calls = append(calls, function+" "+typeOf(method)+"."+method.Name())
				}
			}
			return true
		})
	}
	slices.Sort(calls)
	return slices.Compact(calls)
}

// sdkMethod returns the SDK's method that is called with a context, or nil.
func sdkMethod(info *types.Info, call *ast.CallExpr) *types.Func {
	selector, isSelector := call.Fun.(*ast.SelectorExpr)
	if !isSelector {
		return nil
	}
	method, isFunction := info.Uses[selector.Sel].(*types.Func)
	if !isFunction || method.Pkg() == nil || !strings.HasPrefix(method.Pkg().Path(), azureSDK) {
		return nil
	}
	signature := method.Signature()
	if signature.Recv() == nil || signature.Params().Len() == 0 || signature.Params().At(0).Type().String() != "context.Context" {
		return nil
	}
	return method
}

// typeOf is the name of a method's type with its package's.
func typeOf(method *types.Func) string {
	name := types.TypeString(method.Signature().Recv().Type(), func(p *types.Package) string { return p.Name() })
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "*"), "[")
	return name
}

// exportData finds what the compiler has noted of a package's imports.
func exportData(t *testing.T, pkg string) importer.Lookup {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-json=ImportPath,Export", pkg)
	list.Dir = root
	output, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	decoder := json.NewDecoder(bytes.NewReader(output))
	for {
		var p struct{ ImportPath, Export string }
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
}
