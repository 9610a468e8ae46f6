package main

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Who asks whether a vulnerable version of a library is in a release finds it in its list, and the version of Go.
func TestEveryLinkedModuleIsListed(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	found, err := read([]string{self})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(found.Components, func(c component) bool {
		return c.URL == "pkg:golang/std@"+strings.TrimPrefix(runtime.Version(), "go")
	}) {
		t.Errorf("Go is missing: %+v", found.Components)
	}
	if _, err := read([]string{"main.go"}); err == nil {
		t.Error("a source file is taken for a program")
	}
}
