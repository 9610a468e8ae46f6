package sheet_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"sheetdrop/internal/sheet"
)

// unseenFile is a file of testdata/unseen with what a person reads in it, written down before the reader had seen the file. What is not
// there was not judged.
type unseenFile struct {
	File       string        `json:"file"`
	What       string        `json:"what"`
	Family     string        `json:"family"`
	Encoding   string        `json:"encoding"`
	Rejects    *[]int64      `json:"rejects"` // lines of texts, otherwise rows
	MoreSheets bool          `json:"more_sheets"`
	Sheets     []unseenSheet `json:"sheets"`
}

type unseenSheet struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"` // "": without a name
	Rows    int      `json:"rows"`
	First   []string `json:"first"`
	Last    []string `json:"last"`
	Types   []string `json:"types"` // "": not judged
}

// unseenSets are the sets, with how many files were read as the person reads them when the reader first saw them, and how many of these had
// the types that were judged. The fourth one was made of what had been wrong in the others. Those from the fifth one on are made to be hard:
// three of texts with two twists or three each, and three of worksheets, each read first after what was wrong in the one before was mended;
// the eleventh one has tables that rules were made for, and as many that look like these and are ordinary. Then four of texts again, three of
// worksheets, three of what was known to be read otherwise, with as many look-alikes, and one more. Then two of texts in all
// families, of which the second is the harder one, and one of worksheets; the last ones have texts again, half of them hard.
var unseenSets = []struct {
	name                string
	files, right, typed int
}{
	{"set1", 165, 157, 156}, {"set2", 128, 115, 109}, {"set3", 71, 60, 59}, {"set4", 48, 33, 33},
	{"set5", 99, 84, 82}, {"set6", 64, 53, 51}, {"set7", 29, 25, 25}, {"set8", 120, 103, 98}, {"set9", 45, 37, 36}, {"set10", 30, 28, 28},
	{"set11", 60, 57, 57},
	{"set12", 107, 99, 97}, {"set13", 75, 67, 67}, {"set14", 54, 48, 46}, {"set15", 30, 22, 22},
	{"set16", 68, 49, 49}, {"set17", 60, 52, 52}, {"set18", 30, 28, 28},
	{"set19", 59, 37, 33}, {"set20", 40, 40, 40}, {"set21", 50, 48, 48},
	{"set22", 42, 38, 38},
	{"set23", 125, 117, 114}, {"set24", 29, 24, 24}, {"set25", 60, 46, 41},
	{"set26", 120, 97, 96}, {"set27", 40, 29, 29},
}

// P6: the files are read as a person reads them, but for those that are known not to be.
func TestUnseenFiles(t *testing.T) {
	t.Parallel()
	for _, set := range unseenSets {
		t.Run(set.name, func(t *testing.T) {
			t.Parallel()
			answers, err := os.ReadFile(filepath.Join("testdata", "unseen", set.name+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			var files, right, typed int
			for line := range bytes.Lines(answers) {
				var want unseenFile
				if err := json.Unmarshal(line, &want); err != nil {
					t.Fatal(err)
				}
				files++
				got := readUnseen(t, filepath.Join("testdata", "unseen", set.name, want.File))
				if !isKnown(t, want, want.differsFrom(got), readOtherwise) {
					continue
				}
				right++
				if isKnown(t, want, want.typesDifferFrom(got), typedOtherwise) {
					typed++
				}
			}
			if files != set.files {
				t.Errorf("%d files, want %d", files, set.files)
			}
			t.Logf("of %d files %d are read as a person reads them, %d at the first try; of these %d with their types, %d at the first try",
				files, right, set.right, typed, set.typed)
		})
	}
}

// isKnown reports whether a file is read as it should be, and fails where the list of those that are not says otherwise.
func isKnown(t *testing.T, want unseenFile, differs string, list map[string]string) bool {
	t.Helper()
	_, listed := list[want.File]
	switch {
	case differs == "" && listed:
		t.Errorf("%s is read as it should be: it is no longer to be listed", want.File)
	case differs != "" && !listed:
		t.Errorf("%s (%s): %s", want.File, want.What, differs)
	}
	return differs == ""
}

// readUnseen reads a file of the testdata.
func readUnseen(t *testing.T, path string) unseenFile {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, content)
}

// read reads a file of which nothing is said.
func read(t *testing.T, content []byte) (got unseenFile) {
	t.Helper()
	book, err := sheet.Open(t.Context(), bytes.NewReader(content), sheet.Options{}, sheet.DefaultLimits())
	if err != nil {
		got.What = err.Error()
		return got
	}
	defer book.Close()
	got.Rejects = new([]int64)
	for {
		s, err := book.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			got.What = err.Error()
			return got
		}
		if s.LeftOut() {
			continue
		}
		read, err := readUnseenSheet(s, got.Rejects)
		if !errors.Is(err, io.EOF) {
			got.What = err.Error()
			return got
		}
		got.Sheets = append(got.Sheets, read)
	}
	got.Encoding = book.Encoding()
	return got
}

func readUnseenSheet(s *sheet.Sheet, rejects *[]int64) (got unseenSheet, err error) {
	got.Name = s.Name()
	for {
		var rec *sheet.Record
		if rec, err = s.Read(); err != nil {
			break
		}
		switch rec.Kind {
		case sheet.Reject:
			*rejects = append(*rejects, cmp.Or(rec.Line, rec.No))
		case sheet.Row:
			got.Last = got.Last[:0:0]
			for _, cell := range rec.Cells {
				got.Last = append(got.Last, string(cell))
			}
			if got.Rows++; got.Rows == 1 {
				got.First = got.Last
			}
		}
	}
	for _, c := range s.Columns() {
		got.Columns, got.Types = append(got.Columns, c.Name), append(got.Types, string(c.Type))
	}
	return got, err
}
