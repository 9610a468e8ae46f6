package main

import (
	"encoding/csv"
	"path/filepath"
	"strings"
	"testing"
)

// All of the CSV that is made of a file's accepted rows is accepted, through a pipe and from a file.
func TestParsedCSVIsAcceptedAsAWhole(t *testing.T) {
	t.Parallel()
	for file, rows := range map[string]int{"orders.csv": 60, "prices.csv": 40} {
		_, p := run(t, "parse", "--format=csv", filepath.Join("samples", file))
		first := p.out.String()
		status, p := runOn(t, first, "parse", "--format=csv", "-")
		if status != 0 || p.out.String() != first {
			t.Errorf("%s: exit status %d, and the second pass differs", file, status)
		}
		records, err := csv.NewReader(strings.NewReader(first)).ReadAll()
		if err != nil || len(records) != rows+1 {
			t.Errorf("%s: %d records, %v", file, len(records), err)
		}
		path := filepath.Join(t.TempDir(), file)
		write(t, path, first)
		if _, p := run(t, "parse", path); !strings.Contains(p.out.String(), "0 rejected, 0 skipped\n") {
			t.Errorf("%s: %s", file, p.out)
		}
	}
}

// A file without rows becomes CSV with a header.
func TestCSVWithoutRowsHasAHeader(t *testing.T) {
	t.Parallel()
	status, p := runOn(t, "a,\"b,c\",d;e\n\n", "parse", "--format=csv", "-")
	if got := p.out.String(); status != 0 || got != "a,\"b,c\",\"d;e\"\r\n" { // quoted so that readers detect the comma
		t.Errorf("exit status %d, %q", status, got)
	}
}
