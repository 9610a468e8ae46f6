package sheet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "sheetdrop/internal/rapidseed"
	"sheetdrop/samples"
)

// outcome is all that a reading shows.
type outcome struct {
	Records  []string
	Columns  [][]Column
	Encoding string
	Dialects []Dialect
	Err      string
}

// readAll reads in blocks of a size and holds the records to what Record promises.
func readAll(t fataler, content string, opt Options, lim Limits, blockSize int) (o outcome) {
	book, err := open(t.Context(), strings.NewReader(content), opening{options: opt, limits: lim, blockSize: blockSize})
	if err != nil {
		o.Err = err.Error()
		return o
	}
	defer book.Close()
	for {
		s, err := book.Next()
		if err == nil {
			err = o.readSheet(t, s, content)
		}
		if errors.Is(err, io.EOF) {
			o.Encoding = book.Encoding()
			return o
		}
		if err != nil {
			o.Err = err.Error()
			return o
		}
	}
}

// fataler is a *testing.T or a *rapid.T.
type fataler interface {
	Context() context.Context
	Fatal(...any)
	Fatalf(string, ...any)
}

func (o *outcome) readSheet(t fataler, s *Sheet, content string) error {
	header := 0
	var no, nulls int64
	for {
		rec, err := s.Read()
		if err != nil {
			for _, c := range s.Columns() {
				nulls -= c.Nulls
			}
			if nulls != 0 {
				t.Fatalf("the columns' nulls are off by %d", nulls)
			}
			o.Columns, o.Dialects = append(o.Columns, s.Columns()), append(o.Dialects, s.Dialect())
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if rec.No <= no {
			t.Fatalf("record %d stands behind %d", rec.No, no)
		}
		no = rec.No
		switch rec.Kind {
		case Header:
			header++
		case Row:
			if len(rec.Cells) != len(s.Columns()) || len(rec.Errors) > 0 {
				t.Fatalf("row %s for %d columns", brief(rec), len(s.Columns()))
			}
			for _, cell := range rec.Cells {
				if cell == nil {
					nulls++
				}
			}
		case Reject:
			if len(rec.Errors) == 0 || rec.Offset >= 0 && !strings.HasPrefix(content[rec.Offset:], string(rec.Raw)) {
				t.Fatalf("reject %s has no error, or %q is not what stands at %d", brief(rec), rec.Raw, rec.Offset)
			}
		case Skip:
		default:
			t.Fatalf("record %d is of kind %d", rec.No, rec.Kind)
		}
		if header > s.Dialect().HeaderRows {
			t.Fatal("too many headers")
		}
		o.Records = append(o.Records, fmt.Sprintf("%s @%d+%d %q %+v", brief(rec), rec.Line, rec.Offset, rec.Raw, rec.Errors))
	}
}

var pieces = rapid.SampledFrom([]string{
	`"`, `""`, ",", ";", "\t", "|", "::", "'", `\`, "x,y,z\n", "3;4\n", "Total,,\n", "\n", "\r\n", "\r", "a", "bc,d\n", "1,2\n", " ", "é", "東京", "\x00", "\x81", "\x93\x8c", "\xff\xfe", "a\x00", ",\x00", "\xef\xbb\xbf",
})

// P5, P6: the same bytes give the same records, columns and decisions in blocks of any size; every record is of one kind, in order, and
// a reject keeps its bytes.
func TestSameResultInAnyChunking(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		content := strings.Join(rapid.SliceOfN(pieces, 1, 80).Draw(t, "pieces"), "")
		opt := Options{
			Encoding:  rapid.SampledFrom([]string{"", "", "cp932", "utf-16le", "utf-16be"}).Draw(t, "encoding"),
			Delimiter: rapid.SampledFrom([]string{"", "", ",", "\t", "|", "::"}).Draw(t, "delimiter"),
			Quote:     rapid.SampledFrom([]string{"", "", "none", "'"}).Draw(t, "quote"),
			Tables:    rapid.SampledFrom([]string{"", "all"}).Draw(t, "tables"),
			Footer:    rapid.SampledFrom([]string{"", "", "none"}).Draw(t, "footer"),
			Escape:    rapid.SampledFrom([]string{"", "", `\`}).Draw(t, "escape"),
		}
		if n := rapid.IntRange(-1, 3).Draw(t, "header"); n >= 0 {
			opt.Header = &n
		}
		if n := rapid.IntRange(-1, 3).Draw(t, "skip"); n >= 0 {
			opt.Skip = &n
		}
		lim := DefaultLimits()
		lim.RecordBytes = rapid.SampledFrom([]int{8, 64, 1 << 20}).Draw(t, "record limit")
		want := readAll(t, content, opt, lim, blockBytes)
		for _, blockSize := range []int{1, 2, 3, 7, 64} {
			if got := readAll(t, content, opt, lim, blockSize); !reflect.DeepEqual(got, want) {
				t.Fatalf("%q in blocks of %d:\n%+v\nwhole:\n%+v", content, blockSize, got, want)
			}
		}
	})
}

// No worksheet, however odd, brings the reading down, whether its first table is read or all of them.
func FuzzRows(f *testing.F) {
	for _, rows := range []string{
		text(1, "a", "b") + text(3, "", "1"), number(1, "1E3") + number(99999, "x"), `<row><c><v>1</v></c><c r="A1" t="s"><v>-1</v></c></row>`,
		`<row r="0"><c r="XFE1" s="99" t="d"><f/><v>2024</v></c></row><row r="2"/>`, `<row r="1"><c r="A1" t="inlineStr"><is><r><t>_x0000_</t></r></is></c></row>`,
	} {
		f.Add(rows)
	}
	f.Fuzz(func(t *testing.T, rows string) {
		content := pack(t, parts(rows, nil))
		for _, opt := range []Options{{}, {Tables: "all"}, {Tables: "all", Footer: "none"}} {
			once := readAll(t, content, opt, DefaultLimits(), blockBytes)
			if again := readAll(t, content, opt, DefaultLimits(), blockBytes); !reflect.DeepEqual(again, once) {
				t.Fatalf("first %+v, then %+v", once, again)
			}
		}
	})
}

// FuzzRead reads any bytes with any options.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"orders.csv", "prices.csv", "stock.xlsx"} {
		content, err := samples.Files.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(content), "")
	}
	f.Add("\xff\xfea\x00,\x00\"\x00\n\x00", "")
	f.Add("a;b\n1;\xff\n", "encoding=cp932&delimiter=%3B")
	f.Add("a,b,c\n1,2,3\n4,5,6\n\nd,e\n7,8\n9,10\n11,12\n\nTotal,,\n", "tables=all&footer=none")
	f.Add("id,name,note\n1,x\n2,-,y\n", "header=1&skip=0&pad=true&null=-&policy=limit:1")
	f.Add(compoundFile("EncryptedPackage"), "")
	f.Fuzz(func(t *testing.T, content, options string) {
		values, err := url.ParseQuery(options)
		if err != nil {
			return
		}
		opt, err := ParseOptions(values)
		if _, refused := errors.AsType[*OptionError](err); err != nil && !refused {
			t.Fatal(err)
		}
		if err != nil {
			return
		}
		lim := DefaultLimits()
		lim.UnzippedBytes = 8 << 20
		whole := readAll(t, content, opt, lim, blockBytes)
		if pieces := readAll(t, content, opt, lim, 13); !reflect.DeepEqual(pieces, whole) {
			t.Fatalf("in blocks of 13:\n%+v\nwhole:\n%+v", pieces, whole)
		}
	})
}
