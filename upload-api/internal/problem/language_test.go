package problem

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A caller who prefers Japanese reads no English: every sentence that the code can answer with is in the catalogue, with
// all of its values.
func TestEverySentenceIsInJapanese(t *testing.T) {
	t.Parallel()
	known := map[string]string{}
	for _, sentence := range japanese {
		known[sentence[0]] = sentence[1]
	}
	found := sentencesOf(t, "../..", "New", "Parameter", "Option", "Message")
	found = append(found, sentencesOf(t, "../../../internal/sheet", "OptionError", "wrong")...)
	if len(found) < 150 {
		t.Errorf("only %d sentences were found in the code", len(found))
	}
	for _, english := range found {
		if _, ok := known[english]; !ok && strings.Contains(english, " ") && !slices.Contains(composed, english) {
			t.Errorf("no translation: %q", english)
		}
	}
	for english, translation := range known {
		if verbs := len(verb.FindAllString(strings.ReplaceAll(english, "%%", ""), -1)); verbs < highestPlaceholder(translation) {
			t.Errorf("%q has %d values, its translation more", english, verbs)
		}
	}
}

// composed are formats whose values are sentences, or that have a translation beside them.
var composed = []string{"%s: %s", "%s %s: %s", "Load %d of the target %s."}

func highestPlaceholder(translation string) (highest int) {
	for _, found := range placeholder.FindAllStringSubmatch(translation, -1) {
		n, _ := strconv.Atoi(found[1])
		highest = max(highest, n)
	}
	return highest
}

// sentencesOf returns the first constant text of each call, or member, of these names.
func sentencesOf(t *testing.T, folder string, names ...string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			for _, part := range partsOf(n, names) {
				if text, ok := constant(part); ok && !slices.Contains(found, text) {
					found = append(found, text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// partsOf returns the arguments of a call of these names, or the values of a literal with them.
func partsOf(n ast.Node, names []string) []ast.Expr {
	switch n := n.(type) {
	case *ast.CallExpr:
		switch f := n.Fun.(type) {
		case *ast.Ident:
			if slices.Contains(names, f.Name) {
				return n.Args
			}
		case *ast.SelectorExpr:
			from, _ := f.X.(*ast.Ident)
			if slices.Contains(names, f.Sel.Name) && (from == nil || from.Name == "problem" || f.Sel.Name == "wrong") {
				return n.Args
			}
		}
	case *ast.CompositeLit:
		if name, ok := n.Type.(*ast.Ident); ok && slices.Contains(names, name.Name) && len(n.Elts) == 2 {
			return n.Elts[1:]
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && slices.Contains(names, key.Name) {
			return []ast.Expr{n.Value}
		}
	}
	return nil
}

// constant returns a text as a format: what is not constant in it is a %s.
func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, isLeft := constant(e.X)
		right, isRight := constant(e.Y)
		if !isLeft {
			left = "%s"
		}
		if !isRight {
			right = "%s"
		}
		return left + right, isLeft || isRight
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" {
			return constant(e.Args[0])
		}
	}
	return "", false
}

// Whatever stands in a sentence stays as it is, however much it looks like one of ours.
func TestQuotedTextIsNotTranslated(t *testing.T) {
	t.Parallel()
	for english, want := range map[string]string{
		"The same bytes were uploaded as files. Nothing was stored.":                                "同じ内容が「files」としてアップロードされています。何も保存していません。",
		"The server is already serving 32 uploads. Please try again.":                               "サーバーはすでに32件のアップロードを処理中です。もう一度お試しください。",
		"query.limit: expected 1 or more":                                                           "query.limit: 1以上の数を指定してください",
		"There is no target \"100% {1}\", or it belongs to somebody else.":                          "取り込み先 \"100% {1}\" がないか、ほかの利用者のものです。",
		"The name cannot be that of a view: names that end in __was are reserved.":                  "ビューの名前にできません: __was で終わる名前は予約されています。",
		"column: column \"a\": the pattern cannot be read: missing argument to repetition operator": "column: 列 \"a\": パターンを解釈できません: missing argument to repetition operator",
		"no sentence of ours": "no sentence of ours",
	} {
		if got := translate(english); got != want {
			t.Errorf("%q became %q, want %q", english, got, want)
		}
	}
}

// Whoever sends a value that cannot be reads what was expected, in plain words of both languages, and not how it was looked at.
func TestWhatWasExpectedIsSaidPlainly(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"invalid value: invalid UUID length: 3":                    "expected an id, such as 0193c1a2-5c7a-7000-8000-000000000001",
		"expected string to be RFC 4122 uuid: invalid UUID format": "expected an id, such as 0193c1a2-5c7a-7000-8000-000000000001",
		"invalid value: expected a duration like 20s":              "expected a duration like 20s",
		"invalid integer":          "expected a whole number",
		"invalid boolean":          "expected true or false",
		"expected number <= 10000": "expected 10000 or less",
		"expected string to match pattern ^[0-9a-f]{64}$": "expected 64 hexadecimal digits, a to f in lower case",
		"expected string to match pattern ^[A-Z_]*$":      "expected a text that matches ^[A-Z_]*$",
		`expected value to be one of "a, b"`:              "expected one of: a, b",
		"expected required property url to be present":    "the member url is missing",
		"unknown query parameter":                         "there is no such parameter",
	} {
		if got := inPlainWords(said); got != want {
			t.Errorf("%s: %q, want %q", said, got, want)
		} else if translate(got) == got {
			t.Errorf("%q has no Japanese", got)
		}
	}
	for _, sentence := range plain {
		format := placeholder.ReplaceAllString(sentence[1], "1")
		if translate(format) == format {
			t.Errorf("%q has no Japanese", format)
		}
	}
}

func TestEveryCodeIsExplainedInBothLanguages(t *testing.T) {
	t.Parallel()
	for code := range statuses {
		e := explanations[code]
		if e.title == "" || e.titleJA == "" || e.help == "" || e.helpJA == "" {
			t.Errorf("%s is not explained", code)
		}
	}
	if len(explanations) != len(statuses) {
		t.Errorf("%d explanations of %d codes", len(explanations), len(statuses))
	}
}
