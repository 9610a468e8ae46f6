package pollution_test

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/sheettest/pollution"
)

// What the engine must reach, of 10: the mean over all files, and the mean over the families by their weights.
const (
	simpleAtLeast   = 9.985
	weightedAtLeast = 9.99
)

func TestScores(t *testing.T) {
	t.Parallel()
	var sum, weighted, weights float64
	files := 0
	tables := map[string][]float64{}
	t.Logf("%-20s %6s %6s %7s %7s %7s %7s", "family", "files", "score", "header", "record", "cell", "dialect")
	for _, f := range pollution.Families() {
		var family, header, records, cells, dialects float64
		list := f.Cases()
		for _, c := range list {
			s, dialect := rate(t, c)
			if s.Sum() < 9.9 || !dialect {
				t.Logf("  %.2f %s/%s", s.Sum(), f.Name, c.Name)
			}
			family += s.Sum()
			table, _, _ := strings.Cut(c.Name, ":")
			tables[table] = append(tables[table], s.Sum())
			header, records, cells = header+s.Header.F1, records+s.Records.F1, cells+s.Cells.F1
			if dialect {
				dialects++
			}
		}
		n := float64(len(list))
		sum, files = sum+family, files+len(list)
		weighted, weights = weighted+f.Weight*family/n, weights+f.Weight
		t.Logf("%-20s %6d %6.3f %7.3f %7.3f %7.3f %7.3f", f.Name, len(list), family/n, header/n, records/n, cells/n, dialects/n)
	}
	for name, scores := range tables {
		t.Logf("%-20s %6d %6.3f", name, len(scores), mean(scores))
	}
	simple := sum / float64(files)
	weighted /= weights
	t.Logf("%d files: simple %.3f, weighted %.3f", files, simple, weighted)
	if simple < simpleAtLeast || weighted < weightedAtLeast {
		t.Errorf("simple %.3f, at least %.3f; weighted %.3f, at least %.3f", simple, simpleAtLeast, weighted, weightedAtLeast)
	}
}

func mean(list []float64) (m float64) {
	for _, f := range list {
		m += f / float64(len(list))
	}
	return m
}

// rate reads the file without options and tells whether its dialect was found, as far as the file shows it.
func rate(t *testing.T, c pollution.Case) (pollution.Score, bool) {
	t.Helper()
	book, err := sheet.Open(t.Context(), bytes.NewReader(c.Content), sheet.Options{}, sheet.DefaultLimits())
	if err != nil {
		t.Logf("%s: %v", c.Name, err)
		return pollution.Score{}, false
	}
	defer book.Close()
	s, err := book.Next()
	if err != nil {
		t.Logf("%s: %v", c.Name, err)
		return pollution.Score{}, false
	}
	got, err := read(s)
	if err != nil {
		t.Logf("%s: %v", c.Name, err)
		return pollution.Score{}, false
	}
	d := s.Dialect()
	found := pollution.Dialect{Encoding: book.Encoding(), Delimiter: d.Delimiter, Quote: d.Quote, Escape: d.Escape, Newline: d.Newline,
		HeaderRows: d.HeaderRows, PreambleRows: d.PreambleRows}
	if c.Dialect.Quote == "" {
		found.Quote, found.Escape = "", ""
	}
	if !bytes.Contains(c.Content, []byte(c.Dialect.Quote)) || c.Dialect.Delimiter == " " {
		found.Quote, found.Escape = c.Dialect.Quote, c.Dialect.Escape
	}
	if found != c.Dialect {
		t.Logf("    found %#v, want %#v", found, c.Dialect)
	}
	return pollution.Rate(c.Want, got), found == c.Dialect
}

// read takes the cells of rows and of rejects, which a person can repair.
func read(s *sheet.Sheet) (got pollution.Content, err error) {
	for {
		rec, err := s.Read()
		if errors.Is(err, io.EOF) {
			return got, nil
		}
		if err != nil {
			return got, err
		}
		cells := make([]string, len(rec.Cells))
		for i, cell := range rec.Cells {
			cells[i] = string(cell)
		}
		switch rec.Kind {
		case sheet.Header:
			got.Header = append(got.Header, cells)
		case sheet.Row, sheet.Reject:
			got.Records = append(got.Records, cells)
		}
	}
}

// The same files come at every call, and no two of one name.
func TestCasesAreTheSame(t *testing.T) {
	t.Parallel()
	for _, f := range pollution.Families() {
		first, second := f.Cases(), f.Cases()
		if !slices.EqualFunc(first, second, func(a, b pollution.Case) bool { return a.Name == b.Name && bytes.Equal(a.Content, b.Content) }) {
			t.Errorf("%s differs", f.Name)
		}
		slices.SortFunc(first, func(a, b pollution.Case) int { return cmp.Compare(a.Name, b.Name) })
		for i := 1; i < len(first); i++ {
			if first[i].Name == first[i-1].Name {
				t.Errorf("%s: two files are %s", f.Name, first[i].Name)
			}
		}
	}
}
