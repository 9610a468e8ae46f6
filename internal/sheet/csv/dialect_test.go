package csv

import (
	"slices"
	"strings"
	"testing"
)

func TestDialects(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config Config
		text   string
		want   []string
	}{
		"long delimiter":              {Config{Delimiter: "||", Quote: '"', Escape: '"'}, "a||b|c||\"d||e\"\n|", []string{"a|b|c|d||e @1+0", "| @2+15"}},
		"long delimiter, empty":       {Config{Delimiter: "::", Quote: '"', Escape: '"'}, "::a::\n:::\n", []string{"|a| @1+0", "|: @2+6"}},
		"delimiter beyond ASCII":      {Config{Delimiter: "，", Quote: '"', Escape: '"'}, "a，b、c\n", []string{"a|b、c @1+0"}},
		"long delimiter, stray quote": {Config{Delimiter: "~|", Quote: '"', Escape: '"'}, "\"a~|b\n\"c\"~|d\n", []string{"\"a|b @1+0 ! open at quote, column 1", "c|d @2+6"}},
		"single quotes":               {Config{Delimiter: ",", Quote: '\'', Escape: '\''}, "'a,''b''',\"c\"\n", []string{"a,'b'|\"c\" @1+0"}},
		"no quotes":                   {Config{Delimiter: ","}, "\"a,b\",'c'\nd\x00\n", []string{"\"a|b\"|'c' @1+0", "d\x00 @2+10"}},
		"backslash":                   {Config{Delimiter: ",", Quote: '"', Escape: '\\'}, `"a \"b\", \\",c:\d,"e"` + "\n", []string{`a "b", \|c:\d|e @1+0`}},
		"backslash, not quoted":       {Config{Delimiter: ",", Escape: '\\'}, "a\\,b,c\\\nd\\\\,e\\f\ng\n", []string{"a,b|c\nd\\|e\\f @1+0", "g @3+16"}},
		"backslash, doubled quotes":   {Config{Delimiter: ",", Quote: '"', Escape: '\\'}, `"a""b",c` + "\n", []string{`a""b|c @1+0`}},
		"spaces":                      {Config{Delimiter: ",", Quote: '"', Escape: '"', SkipSpace: true}, "a, \"b, c\" ,  d e , \n  f", []string{"a|b, c|d e | @1+0", "f @2+20"}},
		"zones in brackets":           {Config{Delimiter: " ", Quote: '"', Escape: '"', Brackets: true}, "a [b +0100] \"c d\"\n[e f] [g +01] [h\n", []string{"a|b +0100|c d @1+0", "[e|f]|[g|+01]|[h @2+18"}},
		"spaces, stray quote":         {Config{Delimiter: ",", Quote: '"', Escape: '"', SkipSpace: true}, "\"a, 1\n\"b\", \"2\"\n", []string{"\"a| 1 @1+0 ! open at quote, column 1", "b|2 @2+6"}},
		"marks":                       {Config{Delimiter: ",", Quote: '"', Escape: '"', Mark: "\ufeff"}, "\ufeff\"a,b\"\n\ufeffc\nd\ufeff\n\ufeff", []string{"a,b @1+0", "c @2+9", "d\ufeff @3+14", " @4+19"}},
		"marks that are text":         {Config{Delimiter: ",", Quote: '"', Escape: '"'}, "\ufeffa\n", []string{"\ufeffa @1+0"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.config.RecordBytes, c.config.Fields = 1000, 100
			if got := brief(scan(t, strings.NewReader(c.text), c.config)); !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			checkChunks(t, c.text, c.config)
		})
	}
}

// A line whose first quote is stray is split as its other cells are meant.
func TestRestOfALineWithAStrayQuote(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		`"a,b,c`:        {`"a`, "b", "c"},
		`x,"a,"b,c",d`:  {"x", `"a`, "b,c", "d"},
		`"a,"b ""c""",`: {`"a`, `b "c"`, ""},
		`"a,"b,"c`:      {`"a`, `"b`, `"c`},
	} {
		got := scan(t, strings.NewReader(line+"\n\"next\",1\n"), comma(1000))
		if got[0].Fault == NoFault || !slices.Equal(got[0].Fields, want) || got[0].Raw != line {
			t.Errorf("%s: %q, fault %v", line, got[0].Fields, faults[got[0].Fault])
		}
	}
}

// A text in memory is read as one that comes from a reader, by any number of scanners.
func TestTextInMemory(t *testing.T) {
	t.Parallel()
	source := "a,\"b\nc\"\n\"d,e\nf"
	text := NewText([]byte(source))
	s := NewTextScanner(text, comma(1000))
	for range 2 {
		s.Use(text)
		for _, want := range scan(t, strings.NewReader(source), comma(1000)) {
			rec, err := s.Next()
			if err != nil || string(rec.Raw) != want.Raw || rec.Line != want.Line || rec.Fault != want.Fault {
				t.Errorf("got %+v, %v; want %+v", rec, err, want)
			}
		}
	}
}

// A field that begins with a quote and holds one that is text is told of; one that begins otherwise is not.
func TestLooseQuotes(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]int{
		"1,\"Meyer\" KG,x\n2,\"Braun\" AG,y\n": 2,
		"\"the \"big\" one\",\"a\"b\"\n":       1,
		"1,5\" pipe,\"6\"\" pipe\"\n":          0,
		"1,\"a \"\"b\"\"\",x\n":                0,
	} {
		if rec := scan(t, strings.NewReader(source), comma(1000))[0]; rec.LooseColumn != want || rec.Fault != NoFault {
			t.Errorf("%q: %+v", source, rec)
		}
	}
}

// Quotes that do not end a field but stand in pairs are text: nothing of the line is missing.
func TestQuotesInPairsAreText(t *testing.T) {
	t.Parallel()
	for source, fault := range map[string]Fault{
		"1,\"Meyer\" KG,x\n2,\"Braun\" AG,y\n": NoFault,
		"1,\"Meyer\" KG,\"x\"\n2,Braun,y\n":    NoFault,
		"1,\"Meyer\" KG,\"x\n2,Braun,y\n":      OpenAtQuote,
		"1,\"Meyer KG,x\"\" y\n2,Braun,y\n":    OpenAtEnd,
		"1,\"Meyer KG,x\n2,\"Braun\",y\n":      OpenAtQuote,
	} {
		if rec := scan(t, strings.NewReader(source), comma(1000))[0]; rec.Fault != fault || rec.Line != 1 || len(rec.Fields) != 3 {
			t.Errorf("%q: %+v", source, rec)
		}
	}
}
