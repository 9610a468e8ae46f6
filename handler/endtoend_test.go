package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fastEndToEnd are the tests of the whole program that take seconds: a file's way from the upload to its rows, its rejects and its types, also where
// the handler is told to stop on the way, and what is refused.
var fastEndToEnd = []string{
	"TestSamples", "TestDeclaredAndTyped", "TestToldToStopDuringASmallParse", "TestBadUploads", "TestOpenAPIDocumentIsValid",
}

// `go test ./...` tests the program as a whole, too. The tests of the whole are in a module of their own:
// docs/decisions/tests-of-the-whole-in-their-own-module.md.
func TestEndToEnd(t *testing.T) {
	t.Parallel()
	folder := filepath.Join("..", "verify")
	if _, err := os.ReadDir(filepath.Join(folder, "e2e")); err != nil { // and so go test knows that this test depends on it
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-v", "-run=^("+strings.Join(fastEndToEnd, "|")+")$", "./e2e")
	command.Dir = folder
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("go test in verify: %v\n%s", err, output)
	}
	for _, name := range fastEndToEnd {
		if !strings.Contains(string(output), "--- PASS: "+name+" ") {
			t.Errorf("%s has not run", name)
		}
	}
}
