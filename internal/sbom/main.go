// Command sbom prints what is in Go programs, as a CycloneDX document: the modules and the version of Go that the linker has noted in them.
//
//	go run ./internal/sbom PROGRAM … > sbom.cdx.json
package main

import (
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
)

// document is a bill of materials in the form of https://cyclonedx.org/docs/1.6/json.
type document struct {
	Format     string      `json:"bomFormat"`
	Version    string      `json:"specVersion"`
	Revision   int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string      `json:"type"`
	Name       string      `json:"name"`
	Version    string      `json:"version,omitempty"`
	URL        string      `json:"purl,omitempty"`
	Properties []property  `json:"properties,omitempty"`
	Components []component `json:"components,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func main() {
	found, err := read(os.Args[1:])
	if err == nil {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(found)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// read returns the bill of all programs together.
func read(programs []string) (document, error) {
	d := document{Format: "CycloneDX", Version: "1.6", Revision: 1, Components: []component{}}
	d.Metadata.Component = component{Type: "application", Name: "sheetdrop"}
	modules := map[string]component{}
	for _, path := range programs {
		info, err := buildinfo.ReadFile(path)
		if err != nil {
			return d, err
		}
		d.Metadata.Component.Version = info.Main.Version
		program := component{Type: "application", Name: filepath.Base(path), Version: info.Main.Version}
		d.Metadata.Component.Components = append(d.Metadata.Component.Components, program)
		add(modules, "std", strings.TrimPrefix(info.GoVersion, "go"), "")
		for _, m := range info.Deps {
			addModule(modules, m)
		}
	}
	d.Components = slices.SortedFunc(maps.Values(modules), func(a, b component) int { return cmp.Compare(a.URL, b.URL) })
	return d, nil
}

func addModule(modules map[string]component, m *debug.Module) {
	if m.Replace != nil {
		m = m.Replace
	}
	add(modules, m.Path, m.Version, m.Sum)
}

// add adds a module with the hash of go.sum, "" where it has none.
func add(modules map[string]component, path, version, sum string) {
	c := component{Type: "library", Name: path, Version: version, URL: "pkg:golang/" + path + "@" + version}
	if sum != "" {
		c.Properties = []property{{"go:sum", sum}}
	}
	modules[c.URL] = c
}
