package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sheetdrop/internal/sheet"
)

var update = flag.Bool("update", false, "write what is read of the files in testdata as what has to be read")

// trouble is a file in testdata/troubles and what has to be read of it, as a person who looks at it would say. All that is read stands
// in the file of the same name that ends with ndjson.
type trouble struct {
	name                string
	encoding, delimiter string
	preamble, header    int // records
	records             counts
	columns             string    // their names, as shown
	some                [2]string // records that the trouble is about: number, kind and cells, as shown; or ""
}

type counts struct{ rows, rejects, skips int }

// shown joins texts for the tables of troubles. What would be hard to see there has a sign.
func shown(texts []string) string {
	signs := strings.NewReplacer("|", "¦", "\n", "⏎", "\r", "␍")
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = signs.Replace(text)
	}
	return strings.Join(list, "|")
}

// TestTroubles reads each file as `sheetdrop parse --format ndjson` does.
func TestTroubles(t *testing.T) {
	t.Parallel()
	troubles := slices.Concat(writingTroubles, encodingTroubles, layoutTroubles, contentTroubles)
	if files, err := filepath.Glob("testdata/troubles/*.csv"); err != nil || len(files) != len(troubles) || len(files) < 120 {
		t.Errorf("%d files for %d judgements, %v", len(files), len(troubles), err)
	}
	for _, want := range troubles {
		t.Run(want.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join("testdata", "troubles", want.name)
			printed := parseFile(t, path+".csv")
			want.check(t, printed)
			if *update {
				write(t, path+".ndjson", string(printed))
			}
			if golden, err := os.ReadFile(path + ".ndjson"); err != nil || !bytes.Equal(printed, golden) {
				t.Errorf("%v; printed\n%s", err, printed)
			}
		})
	}
}

// parseFile gives the NDJSON of the file.
func parseFile(t *testing.T, path string) []byte {
	t.Helper()
	in, err := openInput(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.close()
	var printed bytes.Buffer
	r := reading{File: path, MaxLine: sheet.DefaultLimits().RecordBytes}
	if err := r.print(t.Context(), in, newNDJSON(newOutput(&printed), false)); err != nil {
		t.Fatal(err)
	}
	return printed.Bytes()
}

// ndjsonLine has of any line what a judgement needs.
type ndjsonLine struct {
	Type, Encoding, Kind string
	Dialect              sheet.Dialect
	Row                  int
	Cells                []*string
	Loaded               int `json:"rows_loaded"`
	Rejected             int `json:"rows_rejected"`
	Skipped              int `json:"rows_skipped"`
	Sheets               []struct{ Columns []struct{ Name string } }
}

func (l ndjsonLine) record() string {
	cells := make([]string, len(l.Cells))
	for i, cell := range l.Cells {
		cells[i] = "null"
		if cell != nil {
			cells[i] = *cell
		}
	}
	return strconv.Itoa(l.Row) + " " + l.Kind + " " + shown(cells)
}

// check holds what is printed against the judgement.
func (want trouble) check(t *testing.T, printed []byte) {
	t.Helper()
	got := trouble{name: want.name}
	for decoder := json.NewDecoder(bytes.NewReader(printed)); decoder.More(); {
		var l ndjsonLine
		if err := decoder.Decode(&l); err != nil {
			t.Fatal(err)
		}
		switch l.Type {
		case "file":
			got.encoding = l.Encoding
		case "sheet":
			got.delimiter, got.preamble, got.header = l.Dialect.Delimiter, l.Dialect.PreambleRows, l.Dialect.HeaderRows
		case "record":
			if i := slices.Index(want.some[:], l.record()); i >= 0 {
				got.some[i] = l.record()
			}
		case "summary":
			got.records = counts{l.Loaded, l.Rejected, l.Skipped}
			var names []string
			for _, c := range l.Sheets[0].Columns {
				names = append(names, c.Name)
			}
			got.columns = shown(names)
		}
	}
	if got != want {
		t.Errorf("got  %#v\nwant %#v", got, want)
	}
}
