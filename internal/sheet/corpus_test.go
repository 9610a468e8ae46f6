package sheet_test

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

var update = flag.Bool("update", false, "write what is read of the corpus into its golden files")

// corpusFile is a file of testdata/corpus and what has to be read from it, as a person who looks at it would say. Everything that is read
// is in the golden file of the same name, which ends with ndjson.
type corpusFile struct {
	name                string
	encoding, delimiter string
	preamble, header    int // records
	records             counts
	columns             string    // their names, as shown
	some                [2]string // records that the file is about: number, kind and cells, as shown; or ""
}

type counts struct{ rows, rejects, skips int }

// shown joins texts for the tables of the corpus. Characters that are hard to see there are replaced.
func shown(texts []string) string {
	visible := strings.NewReplacer("|", "¦", "\n", "⏎", "\r", "␍")
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = visible.Replace(text)
	}
	return strings.Join(list, "|")
}

// P6: each file of the corpus is read as a person would read it, and its golden file says so to the byte.
func TestCorpus(t *testing.T) {
	t.Parallel()
	files := slices.Concat(writingFiles, encodingFiles, layoutFiles, finderFiles, reportFiles, contentFiles, openDataFiles, structureFiles,
		publicFiles, businessFiles, programFiles)
	if found, err := filepath.Glob("testdata/corpus/*.csv"); err != nil || len(found) != len(files) || len(found) < 400 {
		t.Errorf("%d files in the folder, %d in the tables, %v", len(found), len(files), err)
	}
	for _, want := range files {
		t.Run(want.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join("testdata", "corpus", want.name)
			content, err := os.ReadFile(path + ".csv")
			if err != nil {
				t.Fatal(err)
			}
			printed := printBook(t, content)
			want.check(t, printed)
			if *update {
				if err := os.WriteFile(path+".ndjson", printed, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if golden, err := os.ReadFile(path + ".ndjson"); err != nil || !bytes.Equal(printed, golden) {
				t.Errorf("%v; printed\n%s", err, printed)
			}
		})
	}
}

// corpusLine is what the tables of the corpus need of a line of any type.
type corpusLine struct {
	Type, Encoding, Kind string
	Dialect              sheet.Dialect
	Row                  int
	Cells                []*string
	Loaded               int `json:"rows_loaded"`
	Rejected             int `json:"rows_rejected"`
	Skipped              int `json:"rows_skipped"`
	Sheets               []struct{ Columns []struct{ Name, Type string } }
}

func (l corpusLine) record() string {
	cells := make([]string, len(l.Cells))
	for i, cell := range l.Cells {
		cells[i] = "null"
		if cell != nil {
			cells[i] = *cell
		}
	}
	return strconv.Itoa(l.Row) + " " + l.Kind + " " + shown(cells)
}

// check compares what is printed with the table.
func (want corpusFile) check(t *testing.T, printed []byte) {
	t.Helper()
	got := corpusFile{name: want.name}
	for decoder := json.NewDecoder(bytes.NewReader(printed)); decoder.More(); {
		var l corpusLine
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
			var names, types []string
			for _, c := range l.Sheets[0].Columns {
				names, types = append(names, c.Name), append(types, c.Type)
			}
			got.columns = shown(names)
			if want, ok := finderTypes[want.name]; ok && shown(types) != want {
				t.Errorf("types %s, want %s", shown(types), want)
			}
		}
	}
	if got != want {
		t.Errorf("got  %#v\nwant %#v", got, want)
	}
}
