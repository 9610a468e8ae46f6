package csv

import (
	"bytes"
	stdcsv "encoding/csv"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	_ "sheetdrop/internal/rapidseed"
)

// pieces make texts in which quotes, delimiters and line ends meet in every way.
var pieces = rapid.SampledFrom([]string{`"`, `""`, ",", "::", ":", `\`, "\n", "\r\n", "\r", "a", "bc", "abcdefghi", " ", "é", "\x00", "\x81", "\xef", "\xef\xbb\xbf"})

func text(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(pieces, 0, 60).Draw(t, "pieces"), "")
}

func config(t *rapid.T) Config {
	return Config{
		Delimiter:   rapid.SampledFrom([]string{",", "::", ",a", " "}).Draw(t, "delimiter"),
		Quote:       rapid.SampledFrom([]byte{'"', 'a', 0}).Draw(t, "quote"),
		Escape:      rapid.SampledFrom([]byte{'"', '\\'}).Draw(t, "escape"),
		SkipSpace:   rapid.Bool().Draw(t, "skip space"),
		Mark:        rapid.SampledFrom([]string{"", "\xef\xbb\xbf"}).Draw(t, "mark"),
		RecordBytes: rapid.SampledFrom([]int{1, 5, 16, 1000}).Draw(t, "limit"),
		Fields:      100,
		Columns:     rapid.SampledFrom([]int{0, 2, 3}).Draw(t, "columns"),
	}
}

// P6: what is found does not depend on the pieces in which the text comes.
func TestChunksDoNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		source := text(t)
		checkChunks(t, source, config(t))
	})
}

func checkChunks(t interface {
	Fatal(...any)
	Fatalf(string, ...any)
}, source string, c Config) {
	whole := scan(t, strings.NewReader(source), c)
	for name, r := range map[string]io.Reader{
		"single bytes":      iotest.OneByteReader(strings.NewReader(source)),
		"halves":            iotest.HalfReader(strings.NewReader(source)),
		"data with its EOF": iotest.DataErrReader(strings.NewReader(source)),
	} {
		if got := scan(t, r, c); !reflect.DeepEqual(got, whole) {
			t.Fatalf("%q in %s:\n%q\nand whole:\n%q", source, name, brief(got), brief(whole))
		}
	}
}

// P5: every byte of the text is in a record, or is a line end, or is the cut rest of a line that is too long.
func TestNothingIsSwallowed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		source := text(t)
		checkTiling(t, source, config(t))
	})
}

func checkTiling(t interface {
	Fatal(...any)
	Fatalf(string, ...any)
}, source string, c Config) {
	at, line := 0, int64(1)
	long := false // the last record has a cell that is too long, whose other lines are skipped
	for i, r := range scan(t, strings.NewReader(source), c) {
		if int(r.Offset) < at || r.Line < line || !strings.HasPrefix(source[r.Offset:], r.Raw) || len(r.Raw) > c.RecordBytes ||
			r.NUL != strings.Contains(r.Raw, "\x00") {
			t.Fatalf("%q: record %d does not stand where it says: %+v", source, i, r)
		}
		if gap := source[at:r.Offset]; !long && gap != "" && gap != "\n" && gap != "\r" && gap != "\r\n" {
			t.Fatalf("%q: %q is in no record", source, gap)
		}
		at, line = int(r.Offset)+len(r.Raw), r.Line
		if r.Fault == TooLong {
			at += max(0, strings.IndexAny(source[at:]+"\n", "\r\n"))
		}
		long = r.Fault == TooLong && r.Column > 0
	}
	if rest := source[at:]; !long && rest != "" && rest != "\n" && rest != "\r" && rest != "\r\n" {
		t.Fatalf("%q: %q at the end is in no record", source, rest)
	}
}

// What encoding/csv writes, and what it would read from any valid text of RFC 4180, is read the same here.
func TestEqualsEncodingCSV(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		// The standard reader drops blank lines and turns CR LF within quotes to LF, so there are neither here.
		cell := rapid.StringMatching(`[a-zé"\n,; ]{0,12}`)
		rows := rapid.SliceOf(rapid.SliceOfN(cell, 2, 5)).Draw(t, "rows")
		var b bytes.Buffer
		w := stdcsv.NewWriter(&b)
		w.UseCRLF = rapid.Bool().Draw(t, "CR LF")
		if w.UseCRLF {
			for _, row := range rows {
				for i := range row {
					row[i] = strings.ReplaceAll(row[i], "\n", "")
				}
			}
		}
		if err := w.WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		r := stdcsv.NewReader(bytes.NewReader(b.Bytes()))
		r.FieldsPerRecord = -1
		want, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		got := scan(t, bytes.NewReader(b.Bytes()), comma(1000))
		if !slices.EqualFunc(got, want, func(a seen, b []string) bool { return a.Fault == NoFault && slices.Equal(a.Fields, b) }) {
			t.Fatalf("%q: %q, want %q", b.String(), brief(got), want)
		}
	})
}

func FuzzScanner(f *testing.F) {
	for _, seed := range []string{
		"a,b\r\nc,\"d\ne\"\n", "\"a,1\nb,2\n\"c\",3\n", "\"", "\"\"\"", "a,\"\"x\n\"\r", "\r\r\n\x00,\"\x00", strings.Repeat("x,", 40),
	} {
		f.Add(seed, uint8(7))
	}
	f.Fuzz(func(t *testing.T, source string, limit uint8) {
		c := comma(int(limit) + 1)
		checkTiling(t, source, c)
		checkChunks(t, source, c)
	})
}
