package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each mistake of the list can still be put in, into a file that is there: a list that has grown stale would say that nothing escapes.
func TestMutantsFit(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	for _, m := range mutants {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(m.file)))
		if err != nil {
			t.Error(err)
			continue
		}
		if wrong, err := m.put(string(text)); err != nil || wrong == string(text) {
			t.Errorf("%s: %s: %v", m.file, m.loses, err)
		}
		for argument := range strings.FieldsSeq(m.tests) {
			folder, isPackage := strings.CutPrefix(argument, "./")
			if !isPackage {
				break
			}
			if tests, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*_test.go")); err != nil || len(tests) == 0 {
				t.Errorf("%s: %s has no tests: %v", m.loses, argument, err)
			}
		}
	}
	if len(mutants) < 60 {
		t.Errorf("only %d mutants", len(mutants))
	}
}
