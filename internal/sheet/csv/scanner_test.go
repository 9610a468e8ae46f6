package csv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// seen is a record in a form that can be kept and compared.
type seen struct {
	Fields      []string
	Raw         string
	Offset      int64
	Line        int64
	Width       int
	NUL         bool
	Fault       Fault
	Column      int
	LooseColumn int
}

func scan(t interface{ Fatal(...any) }, r io.Reader, c Config) []seen {
	s := NewScanner(r, c)
	var all []seen
	for {
		rec, err := s.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.ASCII && bytes.ContainsFunc(rec.Raw, func(r rune) bool { return r >= utf8.RuneSelf }) {
			t.Fatal("not only ASCII: ", string(rec.Raw))
		}
		kept := seen{nil, string(rec.Raw), rec.Offset, rec.Line, rec.Width, rec.NUL, rec.Fault, rec.FaultColumn, rec.LooseColumn}
		for _, f := range rec.Fields {
			text := rec.Raw[f.Start:f.End]
			if f.Escaped {
				text = c.AppendText(nil, text)
			}
			kept.Fields = append(kept.Fields, string(text))
		}
		all = append(all, kept)
	}
}

func comma(recordBytes int) Config {
	return Config{Delimiter: ",", Quote: '"', Escape: '"', RecordBytes: recordBytes, Fields: 100}
}

var faults = map[Fault]string{
	OpenAtEnd: "open at end", OpenAtLimit: "open at limit", OpenAtQuote: "open at quote", OpenAtLine: "open at line", TooLong: "too long",
}

// brief writes records as "a|b" with "@line+offset" and the fault with its column.
func brief(records []seen) (list []string) {
	for _, r := range records {
		s := fmt.Sprintf("%s @%d+%d", strings.Join(r.Fields, "|"), r.Line, r.Offset)
		if r.Fault != NoFault {
			s += " ! " + faults[r.Fault]
		}
		if r.Column != 0 {
			s += fmt.Sprintf(", column %d", r.Column)
		}
		list = append(list, s)
	}
	return list
}

func TestRecords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"nothing":                       {"", nil},
		"one field":                     {"a", []string{"a @1+0"}},
		"empty fields":                  {",\n,,\n", []string{"| @1+0", "|| @2+2"}},
		"blank lines":                   {"\n\na\n\n", []string{" @1+0", " @2+1", "a @3+2", " @4+4"}},
		"LF":                            {"a,b\nc,d\n", []string{"a|b @1+0", "c|d @2+4"}},
		"CR LF":                         {"a,b\r\nc,d\r\n", []string{"a|b @1+0", "c|d @2+5"}},
		"CR":                            {"a,b\rc,d\r", []string{"a|b @1+0", "c|d @2+4"}},
		"mixed line ends":               {"a\r\nb\rc\nd", []string{"a @1+0", "b @2+3", "c @3+5", "d @4+7"}},
		"no last line end":              {"a,b\nc,", []string{"a|b @1+0", "c| @2+4"}},
		"CR last":                       {"a\r", []string{"a @1+0"}},
		"quoted":                        {`"a","b,c",""` + "\n", []string{"a|b,c| @1+0"}},
		"quoted last":                   {`a,"b"`, []string{"a|b @1+0"}},
		"empty quoted last":             {`a,""`, []string{"a| @1+0"}},
		"doubled quotes":                {`"a ""b""",""""`, []string{`a "b"|" @1+0`}},
		"line ends in quotes":           {"\"a\nb\r\nc\rd\",e\nf\n", []string{"a\nb\r\nc\rd|e @1+0", "f @5+13"}},
		"quote in an unquoted field":    {"a\"b,c\"\n", []string{`a"b|c" @1+0`}},
		"quote after a blank":           {"a, \"b\"\n", []string{`a| "b" @1+0`}},
		"lone quote in a quoted field":  {`"5" pipe",x` + "\n", []string{`5" pipe|x @1+0`}},
		"lone and doubled quotes":       {`"5"" and 6" pipe",x`, []string{`5" and 6" pipe|x @1+0`}},
		"quote open at the end":         {"a,\"b\nc,d\n", []string{`a|"b @1+0 ! open at end, column 2`, "c|d @2+5"}},
		"quote open in the last line":   {"a,\"b", []string{`a|"b @1+0 ! open at end, column 2`}},
		"lone quote last":               {"a,\"", []string{`a|" @1+0 ! open at end, column 2`}},
		"quote open before another":     {"\"a,1\nb,2\n\"c\",3\n", []string{`"a|1 @1+0 ! open at quote, column 1`, "b|2 @2+5", "c|3 @3+9"}},
		"fault after quoted line ends":  {"\"x\ny\",\"a\nb,2\n\"c\",3\n", []string{"x\ny|\"a @1+0 ! open at quote, column 2", "b|2 @3+9", "c|3 @4+13"}},
		"quote open before quoted text": {"1,\"a\n2,\"\"\"b\"\" c\"\n", []string{`1|"a @1+0 ! open at quote, column 2`, `2|"b" c @2+5`}},
		"quoted text at the end":        {"1,\"a,\"\"\"\n2,\"\"\"\",b\n", []string{`1|a," @1+0`, `2|"|b @2+9`}},
		"quote open within its line":    {"\"a,\"b\",c\nd\n", []string{`"a|b|c @1+0 ! open at quote, column 1`, "d @2+9"}},
		"tabs and controls are text":    {"a\tb,\x0b\x0c\nc", []string{"a\tb|\x0b\x0c @1+0", "c @2+7"}},
		"beyond a word":                 {"abcdefgh,ijklmnopqrstuvwx,\"yz abcdefghijklm\"\n1", []string{"abcdefgh|ijklmnopqrstuvwx|yz abcdefghijklm @1+0", "1 @2+45"}},
		"text of more than ASCII":       {"東京,\"大阪\n名古屋\"\n", []string{"東京|大阪\n名古屋 @1+0"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := brief(scan(t, strings.NewReader(c.text), comma(1000))); !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestRecordLimit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"as long as the limit":            {"12345678\nb\n", []string{"12345678 @1+0", "b @2+9"}},
		"as long and last":                {"12345678", []string{"12345678 @1+0"}},
		"longer":                          {"123456789\nb\n", []string{" @1+0 ! too long", "b @2+10"}},
		"longer and last":                 {"b\n1234,6789", []string{"b @1+0", "1234 @2+2 ! too long"}},
		"much longer":                     {strings.Repeat("1", 1000) + "\r\nb", []string{" @1+0 ! too long", "b @2+1002"}},
		"quoted, longer":                  {"\"1\n23456\"7\n\"b\"", []string{"\"1 @1+0 ! open at limit, column 1", "23456\"7 @2+3", "b @3+11"}},
		"quote open, line too long":       {"a,\"3456789\nb\n", []string{"a @1+0 ! too long", "b @2+11"}},
		"quote open, lines within":        {"a,\"\nb\nc\nd\ne\nf\n", []string{"a|\" @1+0 ! open at limit, column 2", "b @2+4", "c @3+6", "d @4+8", "e @5+10", "f @6+12"}},
		"longer behind a quoted line end": {"\"1\n\",456789\nb", []string{"1\n @1+0 ! too long", "b @3+12"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := brief(scan(t, strings.NewReader(c.text), comma(8))); !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			for _, r := range scan(t, strings.NewReader(c.text), comma(8)) {
				if r.Fault == TooLong && r.Raw != strings.ReplaceAll(c.text, "b\n", "")[:8] {
					t.Errorf("of the long record %q is kept", r.Raw)
				}
			}
		})
	}
}

// A record of millions of fields lists no more of them than asked for, and counts them all.
func TestFieldLimit(t *testing.T) {
	t.Parallel()
	text := strings.Repeat(",", 99) + "\n"
	got := scan(t, strings.NewReader(text), Config{Delimiter: ",", Quote: '"', Escape: '"', RecordBytes: 1000, Fields: 10})
	if len(got) != 1 || len(got[0].Fields) != 10 || got[0].Width != 100 {
		t.Errorf("got %+v", got)
	}
}

func TestOffsetsAreMeasured(t *testing.T) {
	t.Parallel()
	double := func(b []byte) int64 { return 2 * int64(len(b)) }
	text := "ab\n" + strings.Repeat("c", 50) + "\n\nd"
	got := brief(scan(t, strings.NewReader(text), Config{Delimiter: ",", Quote: '"', Escape: '"', RecordBytes: 8, Fields: 9, Offset: 2, Measure: double}))
	if want := []string{"ab @1+2", " @2+8 ! too long", " @3+110", "d @4+112"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNULIsSeen(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"a,b": false, "a\x00,b": true, "\"\x00\"": true, "a,\x00": true} {
		if got := scan(t, strings.NewReader(text), comma(100)); len(got) != 1 || got[0].NUL != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// A zero byte is a fault of the record that holds it, and of no record before it, however far was read for the end of a quoted field.
func TestNULOfALaterRecordIsNotAFault(t *testing.T) {
	t.Parallel()
	double := Config{Delimiter: "::", Quote: '"', Escape: '"', RecordBytes: 5, Fields: 9}
	for name, c := range map[string]struct {
		text   string
		config Config
		want   []bool // by record
	}{
		"behind quotes that are text":       {"\"Meyer\" GmbH\n\x00", comma(100), []bool{false, true}},
		"behind a delimiter of two letters": {"\"\",\n\x00", double, []bool{false, true}},
		"in the line of such quotes":        {"\"Meyer\" \x00\nb", comma(100), []bool{true, false}},
		"before such quotes":                {"\x00,\"Meyer\" GmbH\nb", comma(100), []bool{true, false}},
		"behind a quote left open":          {"a,\"b\nc\x00", comma(100), []bool{false, true}},
		"behind a record that is too long":  {"a,\"3456789\n\x00", comma(8), []bool{false, true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []bool
			for _, r := range scan(t, strings.NewReader(c.text), c.config) {
				got = append(got, r.NUL)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q: zero bytes in %v, want %v", c.text, got, c.want)
			}
		})
	}
}

// Records before the error are given; the error comes back as it is, again and again.
func TestErrorsOfTheReader(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	s := NewScanner(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), comma(100))
	if rec, err := s.Next(); err != nil || string(rec.Raw) != "a" {
		t.Fatal(rec, err)
	}
	for range 2 {
		if rec, err := s.Next(); !errors.Is(err, broken) {
			t.Fatal(rec, err)
		}
	}
}

// A file of quotes that never end is read in time that grows with its size alone: what is looked at in vain is bounded.
func TestUnendingQuotesCostLinearTime(t *testing.T) {
	t.Parallel()
	const limit = 1 << 10
	text := strings.Repeat("a,\"\"\"\"\"x\n", 100_000)
	s := NewScanner(strings.NewReader(text), comma(limit))
	records, impatient := 0, false
	for {
		rec, err := s.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if records++; string(rec.Raw) != `a,"""""x` || rec.Fault == NoFault {
			t.Fatalf("record %d: %q, fault %d", records, rec.Raw, rec.Fault)
		}
		impatient = impatient || rec.Fault == OpenAtLine
	}
	if records != 100_000 || !impatient || s.reread > 5*int64(len(text))+17*limit {
		t.Errorf("%d records, %d bytes of %d were looked at in vain", records, s.reread, len(text))
	}
}

func TestAppendText(t *testing.T) {
	t.Parallel()
	c := comma(100)
	for field, want := range map[string]string{`""`: `"`, `a""b`: `a"b`, `""""`: `""`, `a"b""`: `a"b"`, "": ""} {
		if got := c.AppendText([]byte("x"), []byte(field)); !bytes.Equal(got, []byte("x"+want)) {
			t.Errorf("%q became %q", field, got)
		}
	}
}

// Most records are known to be ASCII without another look at them.
func TestASCIIIsNoticed(t *testing.T) {
	t.Parallel()
	s := NewScanner(strings.NewReader("a,b\n1,\"2 \"\"3\"\"\"\n\"4\",5\nfirst,second,é\n"), comma(100))
	for _, want := range []bool{true, true, true, false} {
		if r, err := s.Next(); err != nil || r.ASCII != want {
			t.Errorf("%q: %v, %v", r.Raw, r.ASCII, err)
		}
	}
}
