//go:build linux

package soak

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// targetFile is a file for a target.
type targetFile struct {
	*sheetFile
	upload  *upload
	columns []string // that it has
	rows    []targetRow
	refused []map[string]string // the values of its rejects, corrected

	sent    time.Duration // since the beginning
	retried bool          // its task may have a later turn than its sending
	undone  bool          // somebody undoes its load

	corrects    *targetFile // whose rejects it corrects; nil: it is no file of corrections
	correctedBy *targetFile // nil: nobody has corrected its rejects
}

// targetRow is a row that is loaded: its record's number, and the values of the file's columns.
type targetRow struct {
	no     int
	values map[string]string
}

// poolKeys is how many keys the files of a target share.
const poolKeys = 120

func poolKey(n int) string { return fmt.Sprintf("k-%03d", n) }

// newTargetFile makes the n-th file of a run, for a target.
func newTargetFile(t *testing.T, into *soakTarget, n int, random *rand.Rand) *targetFile {
	t.Helper()
	f := &targetFile{sheetFile: &sheetFile{name: fmt.Sprintf("%s-%d.csv", into.name, n), status: "COMPLETED"}}
	script, w := beginText(f.sheetFile, random)
	f.options.Set("target", into.name)
	f.columns = columnsFor(into, random)
	parts := []string{"p1", "p2", "p3"}
	if slices.Contains(script.words, "東京都") {
		parts = append(parts, "東京都")
	}
	d := targetDraw{Rand: random, into: into, number: n, parts: parts, faulty: random.IntN(2) == 0}
	header := slices.Clone(f.columns)
	if random.IntN(20) == 0 { // without the key's column
		header[slices.Index(header, "id")] = "number"
		f.status, f.code = "FAILED", "mapping_needed"
	}
	w.record(header)
	var want expected
	for i, key := range d.keys() {
		no := i + 2 // the header is the first record
		values := d.values(key, no)
		code := d.spoil(f, values)
		cells := make([]string, 0, len(f.columns)+1)
		for _, name := range f.columns {
			cells = append(cells, values[name])
		}
		if code == "extra_cell" {
			cells = append(cells, "too many")
		}
		raw := w.record(cells)
		if code != "" {
			want.rejects.add(no, code, raw)
			f.refused = append(f.refused, d.corrected(code, values, no))
			continue
		}
		f.rows = append(f.rows, targetRow{no, values})
	}
	f.sheets = []expected{want}
	f.content = w.text.Bytes()
	if w.err != nil {
		t.Errorf("write %s: %v", script.name, w.err)
	}
	return f
}

// columnsFor chooses which columns a file has. Those that it leaves out keep their values.
func columnsFor(into *soakTarget, random *rand.Rand) []string {
	columns := []string{"id", "amount"}
	if into.name == "stock" || random.IntN(4) > 0 {
		columns = append(columns, "part")
	}
	if random.IntN(4) > 0 {
		columns = append(columns, "day")
	}
	if into.widened.Load() && random.IntN(2) == 0 {
		columns = append(columns, "remark")
	}
	random.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
	return columns
}

// targetDraw draws the rows of a file.
type targetDraw struct {
	*rand.Rand
	into   *soakTarget
	number int
	parts  []string
	faulty bool // some rows are refused
}

// keys are those of the file's rows, each once.
func (d targetDraw) keys() (keys []string) {
	for _, n := range d.Perm(poolKeys)[:1+d.IntN(60)] {
		keys = append(keys, poolKey(n))
	}
	if d.into.name == "ledger" {
		for i := range d.IntN(4) {
			keys = append(keys, fmt.Sprintf("only-%d-%d", d.number, i))
		}
	}
	return keys
}

// values are those of a row. In shared each amount is another one, so that every load changes every row that it has; elsewhere rows often stay
// what they are.
func (d targetDraw) values(key string, no int) map[string]string {
	amount := []string{"1.00", "2.00", "3.50"}[d.IntN(3)]
	if d.into.name == "shared" {
		amount = fmt.Sprintf("%d.50", d.number*100+no)
	}
	return map[string]string{
		"id": key, "amount": amount, "part": d.parts[d.IntN(len(d.parts))], "day": fmt.Sprintf("2026-0%d-15", 1+d.IntN(3)),
		"remark": []string{"open", "closed"}[d.IntN(2)],
	}
}

// spoil makes some rows of a faulty file such that they are refused, and returns the reject's code: by the reader, by a rule of the definition,
// or by the table. A row is otherwise loaded, "".
func (d targetDraw) spoil(f *targetFile, values map[string]string) string {
	if !d.faulty || d.IntN(8) > 0 {
		return ""
	}
	switch code := []string{"extra_cell", "out_of_range", "duplicate_key", "constraint"}[d.IntN(4)]; {
	case code == "out_of_range":
		values["amount"] = "-1.00"
		return code
	case code == "duplicate_key" && d.into.keyed && len(f.rows) > 0:
		values["id"] = f.rows[d.IntN(len(f.rows))].values["id"]
		return code
	case code == "constraint" && d.into.name == "stock":
		values["amount"] = "13.00"
		return code
	}
	return "extra_cell"
}
