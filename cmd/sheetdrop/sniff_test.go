package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sheetdrop/cmd/sheetdrop/internal/reading"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
)

func TestSniffShowsWhatWasDetected(t *testing.T) {
	t.Parallel()
	status, p := runOn(t, "\na\tb\r\n1\t\r\n\t2\r\n3\r\n", "sniff", "-", "--encoding=utf-8")
	decided, _, tried := strings.Cut(p.out.String(), "  tried ")
	_, columns, _ := strings.Cut(p.out.String(), "  column")
	if got, want := decided+"  column"+columns, `standard input: csv, 17 bytes
  encoding   utf-8, by the option
  delimiter  tab, by the content
  quote      ", by the content
  escape     ", by the content
  newline    LF, by the content
  header     1 row
  records    4 rows read: 2 accepted, 1 rejected, 1 skipped
  column  name  type     format  empty  distinct  least  greatest
  1       a     integer  0       1      1         1      1
  2       b     integer  0       1      1         2      2
  could not be read:
  where   column  code          message
  line 5  b       missing_cell  The cell is missing: the record has 1 cell, but the header has 2.
`; status != 0 || !tried || got != want {
		t.Errorf("exit status %d and\n%swant\n%s", status, got, want)
	}
}

// The output that README.md shows is what is printed.
func TestReadmeShowsWhatSniffPrints(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, shown, found := strings.Cut(string(readme), "    prices.csv: csv")
	shown, _, ended := strings.Cut(shown, "\n\n")
	if !found || !ended {
		t.Fatal("README.md shows nothing")
	}
	_, p := run(t, "sniff", filepath.Join("samples", "prices.csv"))
	for line := range strings.SplitSeq("    prices.csv: csv"+shown, "\n") {
		if line = strings.TrimPrefix(line, "    "); strings.TrimSpace(line) != "…" {
			want(t, p.out.String(), line+"\n")
		}
	}
}

// The JSON has the same findings, with rejects as parse prints them.
func TestSniffJSONIsForPrograms(t *testing.T) {
	t.Parallel()
	status, p := run(t, "sniff", "--json", filepath.Join("samples", "orders.csv"))
	var found reading.Findings
	if err := json.Unmarshal([]byte(p.out.String()), &found); err != nil || status != 0 || len(found.Sheets) != 1 {
		t.Fatalf("exit status %d, %v", status, err)
	}
	s := found.Sheets[0]
	if found.Format != "csv" || found.Encoding != "cp932" || found.Bytes != 8687 || s.Dialect.Newline != "\r\n" ||
		s.Read != 65 || s.Rejected != 4 {
		t.Errorf("%+v", found)
	}
	c := s.Columns[4]
	if len(s.Columns) != 11 || c.Name != "納品先住所" || c.Label != c.Name || c.Type != types.Text || c.Empty != 9 || c.Longest == 0 {
		t.Errorf("%+v", s.Columns)
	}
	_, p = run(t, "parse", "--format=ndjson", filepath.Join("samples", "orders.csv"))
	for _, r := range s.Rejects {
		want(t, p.out.String(), string(r)+"\n")
	}
	if len(s.Rejects) != 4 {
		t.Errorf("%d rejects", len(s.Rejects))
	}
}

// People and programs learn why a file is refused.
func TestRefusalOfAFileIsExplained(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"sniff", "-"}, {"sniff", "--json", "-"}} {
		status, p := runOn(t, "a,\x00b", args...)
		if status != 1 {
			t.Errorf("exit status %d", status)
		}
		want(t, p.progress.String(), "standard input: The header (record 1, column 2) cannot be read.", "(invalid_character)")
		if strings.Contains(args[1], "json") {
			want(t, p.out.String(), `"error":{"code":"invalid_character","message":"The header`)
		}
	}
}

// Every option of the engine is a flag.
func TestEveryOptionIsAFlag(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"parse", "sniff"} {
		_, p := run(t, command, "--help")
		for _, name := range sheet.OptionNames() {
			if name == "dry_run" || name == "corrects" {
				continue // nothing is loaded anyway
			}
			want(t, p.out.String(), "--"+strings.ReplaceAll(name, "_", "-")+"=")
		}
	}
}
