package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// An alert that looks for a word which the app does not log never comes: each message, mark and field that a query reads is logged.
func TestAlertsReadWhatIsLogged(t *testing.T) {
	t.Parallel()
	queries := bicepFiles(t, ".bicep")["modules/log-alerts.bicep"]
	logged := map[string]map[string]bool{} // by message: the keys and marks that go with it
	for _, folder := range []string{"handler", "outbox-relay", "parse-worker"} {
		for _, path := range goFiles(t, folder) {
			addLogged(t, logged, path)
		}
	}

	messages := submatches(`"msg":"([^"]+)"`, queries)
	for _, message := range messages {
		if logged[message] == nil {
			t.Errorf("nobody logs %q", message)
		}
	}
	fields := submatches(`^    field: '(\w+)'`, queries)
	for _, field := range fields {
		if !logged["outbox_stats"][field] {
			t.Errorf("outbox_stats has no %s", field)
		}
	}
	marks := submatches(`"alert":"([^"]+)"`, queries)
	for _, mark := range marks {
		if !slices.ContainsFunc(slices.Collect(maps.Values(logged)), func(words map[string]bool) bool { return words["alert"] && words[mark] }) {
			t.Errorf("no line is marked %q", mark)
		}
	}
	if len(messages) < 2 || len(fields) < 3 || len(marks) < 1 {
		t.Errorf("only %q, %q and %q are looked for", messages, fields, marks)
	}
}

// addLogged notes for each function that logs which string constants stand in it: they are its messages, keys and marks.
func addLogged(t *testing.T, logged map[string]map[string]bool, path string) {
	tree, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range tree.Decls {
		function, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		words := map[string]bool{}
		ast.Inspect(function, func(n ast.Node) bool {
			if word, ok := constant(n); ok {
				words[word] = true
			}
			return true
		})
		ast.Inspect(function, func(n ast.Node) bool {
			if message, ok := logMessage(n); ok {
				logged[message] = words
			}
			return true
		})
	}
}

// logMessage gives the message where n is a call such as log.InfoContext(ctx, "message", …).
func logMessage(n ast.Node) (string, bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return "", false
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	levels := map[string]int{"InfoContext": 1, "WarnContext": 1, "ErrorContext": 1, "Info": 0, "Warn": 0, "Error": 0}
	if place, isLog := levels[nameOf(method, ok)]; isLog && len(call.Args) > place {
		return constant(call.Args[place])
	}
	return "", false
}

func nameOf(method *ast.SelectorExpr, ok bool) string {
	if !ok {
		return ""
	}
	return method.Sel.Name
}

func constant(n ast.Node) (string, bool) {
	literal, ok := n.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return "", false
	}
	word, err := strconv.Unquote(literal.Value)
	return word, err == nil
}

// Each alert has its line in the runbook, which tells the one who is woken up what to do.
func TestAlertsAreExplained(t *testing.T) {
	t.Parallel()
	templates := bicepFiles(t, ".bicep")
	names := append(submatches(`^    name: '([\w-]+)'`, templates["modules/log-alerts.bicep"]),
		submatches(`^ {6,10}name: '([\w-]+)'`, templates["modules/metric-alerts.bicep"])...)
	if len(names) < 14 {
		t.Fatalf("only %q were found", names)
	}
	explained := matches(t, "`([\\w-]+)`", filepath.Join("docs", "deploy.md"))
	for _, name := range names {
		if !slices.Contains(explained, name) {
			t.Errorf("docs/deploy.md does not say what to do when %s comes", name)
		}
	}
}
