//go:build linux

package soak

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"
)

// corrected returns the values of a row that was refused for that reason as somebody corrects them.
func (d targetDraw) corrected(code string, values map[string]string, no int) map[string]string {
	values = maps.Clone(values)
	values["amount"] = "7.25"
	if d.into.name == "shared" { // as values does
		values["amount"] = fmt.Sprintf("%d.75", d.number*100+no)
	}
	if code == "duplicate_key" {
		values["id"] = fmt.Sprintf("corrected-%d-%d", d.number, no)
	}
	return values
}

// correct fetches the rejects of a load and sends them back corrected, as a file with the number n. Its caller undoes either of both afterwards,
// where loads of the target are undone.
func (s *soak) correct(t *testing.T, into *soakTarget, f *targetFile, n int, random *rand.Rand) {
	if into.name == "stock" || len(f.refused) == 0 || s.awaitTask(t, f.upload.task) != "COMPLETED" || !into.claim(f) {
		return
	}
	path := fmt.Sprintf("/api/tasks/%s/sheets/1/rejects?format=csv&layout=records&formulas=keep", f.upload.task)
	_, text := s.insist(t, request{method: http.MethodGet, path: path}, http.StatusOK)
	if text == nil {
		return
	}
	c, err := newCorrection(f, n, text)
	if err != nil {
		t.Errorf("seed %d: the rejects of upload %d: %v in %s", s.seed, f.upload.number, err, text)
		return
	}
	c.sent = time.Since(s.began)
	if c.upload.file, c.upload.task = s.send(t, c.sheetFile, c.upload.key, 0); c.upload.task == uuid.Nil {
		return
	}
	s.accepted(c.upload)
	if status := s.awaitTask(t, c.upload.task); status != "COMPLETED" {
		t.Errorf("seed %d: the corrections of upload %d are %s", s.seed, f.upload.number, status)
	}
	into.join(f, c)
	if random.IntN(2) == 0 {
		s.undo(t, into, random)
	}
}

// newCorrection makes the file of corrections: the rejects as they were fetched, each with its key, in which somebody has put the cells right.
func newCorrection(f *targetFile, n int, fetched []byte) (*targetFile, error) {
	reader := csv.NewReader(bytes.NewReader(fetched))
	reader.FieldsPerRecord = -1 // a record may have a cell too many
	records, err := reader.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(records) != 1+len(f.refused) || len(records[0]) < 1+len(f.columns) {
		return nil, fmt.Errorf("%d records, want %d", len(records), 1+len(f.refused))
	}
	c := &targetFile{sheetFile: &sheetFile{
		name: fmt.Sprintf("%d-corrected.csv", n), status: "COMPLETED", sheets: make([]expected, 1),
		options: url.Values{"corrects": {f.upload.task.String() + "/1"}},
	}, columns: f.columns, corrects: f}
	for i, values := range f.refused {
		records[i+1] = records[i+1][:len(records[0])]
		for column, name := range records[0] {
			if value, found := values[name]; found {
				records[i+1][column] = value
			}
		}
		c.rows = append(c.rows, targetRow{i + 2, values})
	}
	var text bytes.Buffer
	if err := csv.NewWriter(&text).WriteAll(records); err != nil {
		return nil, err
	}
	c.content = text.Bytes()
	c.upload = newUpload(n, c.sheetFile)
	return c, nil
}

// claim is false where somebody undoes the file's load; otherwise nobody does until it is joined with its corrections.
func (target *soakTarget) claim(f *targetFile) bool {
	target.mu.Lock()
	defer target.mu.Unlock()
	if f.undone {
		return false
	}
	f.undone = true
	return true
}

// join adds the corrections of a file, which has no rejects from now on.
func (target *soakTarget) join(f, c *targetFile) {
	target.mu.Lock()
	defer target.mu.Unlock()
	f.undone, f.correctedBy = false, c
	f.upload.want = c.upload.want
	target.files = append(target.files, c)
}
