package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"sheetdrop/cmd/sheetdrop/internal/report"
	"sheetdrop/cmd/sheetdrop/internal/words"
)

// translated are the functions whose texts are shown in the user's language, with the place of the text among their arguments; -1 is all of
// them.
var translated = map[string]int{
	"In": 0, "New": 0, "Errorf": 0, "Sprintf": 0, "Printf": 0, "printf": 0, "Step": 0, "Result": 1, "Header": -1, "fact": 0,
	"log": 0, "Log": 0, "progress": 0,
}

// In a Japanese locale no sentence of the command line is English: each has a Japanese form with the same values in it. None is left over.
func TestEverySentenceIsThereInJapanese(t *testing.T) {
	t.Parallel()
	said := texts(t)
	if len(said) < 300 {
		t.Fatalf("only %d texts were found", len(said))
	}
	catalogue := words.Texts()
	for _, english := range slices.Sorted(maps.Keys(said)) {
		japanese, known := catalogue[english]
		switch {
		case !known:
			t.Errorf("%q has no Japanese text (%s)", english, said[english])
		case !strings.ContainsFunc(japanese, isJapanese) && !strings.ContainsFunc(english, unicode.IsUpper):
			t.Errorf("%q has %q", english, japanese)
		case !sameLineEnds(english, japanese):
			t.Errorf("%q ends or begins otherwise than %q", english, japanese)
		}
		if len(verbsOf(japanese)) < len(verbsOf(english)) && !strings.Contains(japanese, "%[") {
			t.Errorf("%q does not name the values that it has of %q", japanese, english)
		}
		for _, value := range verbsOf(japanese) {
			if !slices.Contains(verbsOf(english), value) {
				t.Errorf("%q has no value for %s of %q", english, value, japanese)
			}
		}
	}
	for english := range catalogue {
		if _, used := said[english]; !used && !slices.Contains(notInSources, english) {
			t.Errorf("nobody says %q", english)
		}
	}
}

// notInSources are texts of libraries, and words that are put together.
var notInSources = []string{
	"Show context-sensitive help.", "Drop a CSV or Excel file over HTTP, and its rows appear in PostgreSQL, exactly once.", "interrupted", "message", "task",
	"%d %s%s", ", ", ": ", "  %s (%s): %d", "%s: %s\n", "%s: %w", "%s: %s (%s)", "%s (%s)", "encoding", "delimiter", "newline", "records", "header",
}

// What is worth a look is said on the page in the same words.
func TestWarningsAreSaidAsOnThePage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "web-page", "assets", "words.js"))
	if err != nil {
		t.Fatal(err)
	}
	codes, err := os.ReadFile(filepath.Join("..", "..", "internal", "sheet", "codes.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, warnings, _ := strings.Cut(string(codes), "// The codes of warnings")
	warnings, _, _ = strings.Cut(warnings, "\n)")
	for _, found := range regexp.MustCompile(`Code = "(\w+)"`).FindAllStringSubmatch(warnings, -1) {
		english := report.WarningText(found[1])
		for _, text := range []string{english, words.Texts()[english]} {
			if text == found[1] || !strings.Contains(string(page), "    "+found[1]+": \""+text+"\",\n") {
				t.Errorf("%s: %q", found[1], text)
			}
		}
	}
}

func isJapanese(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) }

func sameLineEnds(a, b string) bool {
	return strings.HasSuffix(a, "\n") == strings.HasSuffix(b, "\n") && strings.HasPrefix(a, "  ") == strings.HasPrefix(b, "  ")
}

// nameless is what is the same in every language: verbs of formats, and names of flags, types and hashes.
var nameless = regexp.MustCompile(`%(?:\[\d\])?[-+#.\d]*[a-zA-Z]|--[a-z-]+|\bSQL\b|\bsha256\b`)

var verb = regexp.MustCompile(`%(?:\[(\d)\])?[-+#.\d]*([a-zA-Z])`)

// verbsOf returns the verbs of a format with the numbers of their arguments.
func verbsOf(format string) (found []string) {
	n := 0
	for _, m := range verb.FindAllStringSubmatch(strings.ReplaceAll(format, "%%", ""), -1) {
		if n++; m[1] != "" {
			n, _ = strconv.Atoi(m[1])
		}
		found = append(found, "%["+strconv.Itoa(n)+"]"+m[2])
	}
	return found
}

// texts returns all texts that are shown in the user's language, with where they stand.
func texts(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	add := func(text, where string) {
		if strings.ContainsFunc(nameless.ReplaceAllString(text, ""), unicode.IsLetter) {
			found[text] = where
		}
	}
	for _, root := range []string{".", filepath.Join("..", "..", "internal", "devstack")} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "words") || strings.Contains(path, "devtest") {
				return err
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, source, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					for _, text := range spoken(n) {
						add(text, path)
					}
				case *ast.Field:
					if n.Tag != nil {
						tag, _ := strconv.Unquote(n.Tag.Value)
						add(reflect.StructTag(tag).Get("help"), path)
					}
				case *ast.AssignStmt: // headers of tables
					if name, ok := n.Lhs[0].(*ast.Ident); ok && name.Name == "header" {
						if titles, ok := n.Rhs[0].(*ast.CompositeLit); ok {
							for _, title := range titles.Elts {
								add(literal(title), path)
							}
						}
					}
				case *ast.KeyValueExpr: // titles of groups
					if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Title" {
						add(literal(n.Value), path)
					}
				case *ast.ValueSpec: // the helps of options, and helps that are made
					for i, name := range n.Names {
						if name.Name == "optionHelps" || name.Name == "warningTexts" {
							for _, element := range n.Values[i].(*ast.CompositeLit).Elts {
								add(literal(element.(*ast.KeyValueExpr).Value), path)
							}
						}
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// spoken returns the texts that a call shows.
func spoken(call *ast.CallExpr) (list []string) {
	name := ""
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		name = f.Sel.Name
		if of, ok := f.X.(*ast.Ident); ok && slices.Contains([]string{"fmt", "errors", "strings", "slog"}, of.Name) {
			return nil
		}
	case *ast.Ident:
		name = f.Name
	}
	place, shown := translated[name]
	for i, argument := range call.Args {
		if shown && (place == -1 || place == i) {
			list = append(list, literal(argument))
		}
	}
	return list
}

// literal returns the text of a string, which may be put together of several.
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return text
	case *ast.BinaryExpr:
		return literal(e.X) + literal(e.Y)
	}
	return ""
}
