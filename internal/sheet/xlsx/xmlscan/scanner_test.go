package xmlscan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
)

// tokens scans a document into words such as "<a x=1", ">" and "text". Adjacent texts are one.
func tokens(r io.Reader) ([]string, error) { return scan(r, true) }

func scan(r io.Reader, attributes bool) ([]string, error) {
	s := New(r)
	list := []string{}
	var text []byte
	for {
		kind, err := s.Next()
		if kind == Text {
			text = s.AppendText(text)
			continue
		}
		if len(text) > 0 {
			list = append(list, string(text))
			text = text[:0]
		}
		if err != nil {
			return list, err
		}
		if kind == End {
			list = append(list, ">")
			continue
		}
		word := "<" + string(s.Name())
		for name, value, ok := s.Attribute(); ok && attributes; name, value, ok = s.Attribute() {
			word += fmt.Sprintf(" %s=%s", name, value)
		}
		list = append(list, word)
	}
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long & ", bufferBytes/3)
	for name, c := range map[string]struct {
		document string
		want     []string
	}{
		"elements":              {`<a><b/><c></c ></a>`, []string{"<a", "<b", ">", "<c", ">", ">"}},
		"prefixes":              {`<x:a xmlns:x="urn:x"><x:b/></x:a>`, []string{"<a xmlns:x=urn:x", "<b", ">", ">"}},
		"attributes":            {"<a b='1' c = \"2\"\n\td='\"'/>", []string{`<a b=1 c=2 d="`, ">"}},
		"> in a value":          {`<a b="1>2" c='>'>x</a>`, []string{"<a b=1>2 c=>", "x", ">"}},
		"quotes in quotes":      {`<a b='"' c=">"/>`, []string{`<a b=" c=>`, ">"}},
		"entities":              {`<a b="&quot;&#65;">&lt;&amp;&gt;&apos;&#x3042;&#13;</a>`, []string{`<a b="A`, "<&>'あ\r", ">"}},
		"zero":                  {"<a>x&#0;y\x00</a>", []string{"<a", "x\x00y\x00", ">"}},
		"surrogates":            {"<a>&#xD83D;&#xDE00;</a>", []string{"<a", "😀", ">"}},
		"lone surrogate":        {"<a>&#xD83D;-</a>", []string{"<a", "\xed\xa0\xbd-", ">"}},
		"line ends":             {"<a>1\r\n2\r3\n4</a>", []string{"<a", "1\n2\n3\n4", ">"}},
		"CDATA":                 {"<a>1<![CDATA[<&amp;>]] ]]]>2</a>", []string{"<a", "1<&amp;>]] ]2", ">"}},
		"empty CDATA":           {"<a><![CDATA[]]></a>", []string{"<a", ">"}},
		"comments":              {"<!-- <x> --><a>1<!-- - -- > -->2<?pi <y>?></a><!-- -->", []string{"<a", "12", ">"}},
		"declaration":           {`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\r\n<a/>", []string{"<a", ">"}},
		"byte order mark":       {"\ufeff<a>é</a>", []string{"<a", "é", ">"}},
		"says UTF-16 and isn't": {`<?xml version="1.0" encoding="utf-16"?><a>é</a>`, []string{"<a", "é", ">"}},
		"what follows the root": {"<a/>\x00\x00 rest <b>", []string{"<a", ">"}},
		"long text":             {"<a>" + strings.ReplaceAll(long, "&", "&amp;") + "</a>", []string{"<a", long, ">"}},
		"long comment":          {"<a><!--" + long + "-->x</a>", []string{"<a", "x", ">"}},
		"long CDATA":            {"<a><![CDATA[" + long + "]]>x</a>", []string{"<a", long + "x", ">"}},
		"line ends far out":     {"<a>" + strings.Repeat("x\r\n", bufferBytes) + "</a>", []string{"<a", strings.Repeat("x\n", bufferBytes), ">"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkTokens(t, c.document, c.want)
			checkTokens(t, utf16Text(c.document, 0), c.want, "utf-16le")
			checkTokens(t, utf16Text(c.document, 1), c.want, "utf-16be")
		})
	}
}

// checkTokens reads the document at once and byte by byte.
func checkTokens(t *testing.T, document string, want []string, about ...string) {
	t.Helper()
	for name, r := range map[string]io.Reader{
		"at once": strings.NewReader(document), "byte by byte": iotest.OneByteReader(strings.NewReader(document)),
		"with its end": iotest.DataErrReader(strings.NewReader(document)),
	} {
		got, err := tokens(r)
		if !errors.Is(err, io.EOF) || !slices.Equal(got, want) {
			t.Errorf("%v %s: got %.300q, %v, want %.300q", about, name, got, err, want)
		}
	}
}

// utf16Text writes a text in UTF-16, low says which byte of a unit comes first.
func utf16Text(text string, low int) string {
	var b bytes.Buffer
	for _, u := range utf16.Encode([]rune(text)) {
		unit := [2]byte{byte(u), byte(u >> 8)}
		b.Write([]byte{unit[low], unit[1-low]})
	}
	return b.String()
}

func TestOtherEncodings(t *testing.T) {
	t.Parallel()
	for label, encode := range map[string]func(string) string{
		"windows-1252": func(s string) string { text, _ := charmap.Windows1252.NewEncoder().String(s); return text },
		"US-ASCII":     func(s string) string { return strings.ReplaceAll(s, "é", "&#233;") },
	} {
		document := encode(`<?xml version="1.0" encoding="` + label + `"?><a>` + strings.Repeat("é ", bufferBytes) + "</a>")
		checkTokens(t, document, []string{"<a", strings.Repeat("é ", bufferBytes), ">"}, label)
	}
}

// A document that is not well-formed is never read to its end in silence: in a worksheet, what is lost may be a row.
func TestNotWellFormed(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]string{
		"empty":                 "",
		"space only":            " \n",
		"text before the root":  "x<a/>",
		"cut in text":           "<a>x",
		"cut in a tag":          "<a><b",
		"cut in an end":         "<a></a",
		"cut after <":           "<a><",
		"cut in CDATA":          "<a><![CDATA[x]]</a>",
		"cut in a comment":      "<a><!-- </a>",
		"cut in an entity":      "<a>&am",
		"wrong end":             "<a><b></a></b>",
		"wrong prefix":          "<x:a></a>",
		"end without beginning": "</a>",
		"unknown entity":        "<a>&nbsp;</a>",
		"unknown in a value":    `<a b="&nbsp;"/>`,
		"entity without end":    "<a>& </a>",
		"character too large":   "<a>&#x110000;</a>",
		"no number":             "<a>&#x;</a>",
		"attribute unquoted":    "<a b=1></a>",
		"attribute valueless":   "<a b></a>",
		"attribute open":        `<a b="1></a>`,
		"attributes together":   `<a b="1"c="2"/>`,
		"no name":               "<a>< b/></a>",
		"document type":         `<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>`,
		"declaration within":    "<a><!ELEMENT b></a>",
		"unknown encoding":      `<?xml version="1.0" encoding="klingon"?><a/>`,
		"too deep":              strings.Repeat("<a>", maxDepth+1) + strings.Repeat("</a>", maxDepth+1),
		"tag too long":          "<a b='" + strings.Repeat("x", bufferBytes) + "'/>",
		"CDATA before the root": "<![CDATA[x]]><a/>",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tokens(strings.NewReader(document))
			if _, ok := errors.AsType[*SyntaxError](err); !ok {
				t.Errorf("got %q, %v, want a SyntaxError", got, err)
			}
		})
	}
}

// Whatever the reader was in the middle of, a source that fails is not taken for a document that breaks off.
func TestSourceFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("connection reset")
	document := `<?xml version="1.0"?><!-- c --><a b='1'>x &amp; <![CDATA[y]]><c/></a><!-- d -->`
	for n := range len(document) + 1 {
		_, err := tokens(io.MultiReader(strings.NewReader(document[:n]), iotest.ErrReader(broken)))
		if !errors.Is(err, broken) {
			t.Errorf("after %q: %v", document[:n], err)
		}
	}
}

func TestSkip(t *testing.T) {
	t.Parallel()
	s := New(strings.NewReader("<a><b>x<b/>y</b><c/></a>"))
	names := []string{}
	for {
		kind, err := s.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) || !slices.Equal(names, []string{"a", "b", "c"}) {
				t.Errorf("got %q, %v", names, err)
			}
			return
		}
		if kind != Start {
			continue
		}
		names = append(names, string(s.Name()))
		if string(s.Name()) == "b" {
			if err := s.Skip(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// What is skipped unread ends where its tokens end, whatever is in it and however the source comes.
func TestSkipUnread(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("<d>x</d><e a='/'/>", bufferBytes/8)
	for document, sound := range map[string]bool{
		"<b/>": true, "<b></b>": true, "<b>x<d/>y</b >": true, "<x:b><b>x</b></x:b>": true, "<b><!-- </b> --><d/></b>": true,
		"<b><![CDATA[</b>]]>x</b>": true, "<b><?pi </b>?><d/></b>": true, "<b>" + long + "</b>": true, "<b><bb></bb></b\n>": true,
		"<b><![CDATA[" + long + "]]></b>": true, "<b>" + long: false, "<b><!-- </b>": false, "<b><![CDATA[</b>": false, "<b><!x></b>": false,
	} {
		for _, r := range []io.Reader{strings.NewReader("<a>" + document + "<c/></a>"), iotest.OneByteReader(strings.NewReader("<a>" + document + "<c/></a>"))} {
			s := New(r)
			_, _ = s.Next()
			_, err := s.Next()
			if err == nil {
				err = s.SkipUnread()
			}
			_, next := s.Next()
			if name := string(s.Name()); (err == nil && next == nil && name == "c") != sound {
				t.Errorf("%.80s: %v, %v, then %q", document, err, next, name)
			}
		}
	}
}

// Who reads elements from memory leaves the scanner behind them.
func TestTake(t *testing.T) {
	t.Parallel()
	s := New(strings.NewReader("<a><b>1</b><c/><![CDATA[<d/>]]></a>"))
	if len(s.Unread()) != 0 {
		t.Error("there is text before the root")
	}
	_, _ = s.Next()
	if got := string(s.Unread()); !strings.HasPrefix(got, "<b>1</b><c/>") {
		t.Fatalf("got %q", got)
	}
	s.Take(len("<b>1</b>"))
	if _, err := s.Next(); err != nil || string(s.Name()) != "c" || len(s.Unread()) > 0 {
		t.Errorf("then %q, %v, and %q of an element that has ended", s.Name(), err, s.Unread())
	}
}

func TestContent(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]string{
		"<a>x y</a>": "x y", "<a></a>": "", "<x:a>1</x:a>": "1",
		"<a/>": "-", "<a>&amp;</a>": "-", "<a>\r</a>": "-", "<a>x<b/></a>": "-", "<a>x</b>": "-", "<a>x</a >": "-", "<a>x": "-",
	} {
		s := New(strings.NewReader(document))
		if _, err := s.Next(); err != nil {
			t.Fatal(err)
		}
		got := "-"
		if text, ok := s.Content(); ok {
			got = string(text)
			if _, err := s.Next(); !errors.Is(err, io.EOF) {
				t.Errorf("%s: then %v", document, err)
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", document, got, want)
		}
	}
}

// There is no allocation per token.
func TestAllocations(t *testing.T) {
	document := "<a>" + strings.Repeat(`<c r="A1" s="1"><v>x &amp; y</v></c>`, 10_000) + "</a>"
	got := testing.AllocsPerRun(1, func() {
		s := New(strings.NewReader(document))
		text := make([]byte, 0, 64)
		for {
			kind, err := s.Next()
			switch {
			case err != nil:
				return
			case kind == Start:
				for _, _, ok := s.Attribute(); ok; _, _, ok = s.Attribute() {
					continue
				}
			case kind == Text:
				text = s.AppendText(text[:0])
			}
		}
	})
	if got > 20 {
		t.Errorf("%v allocations for 70,000 tokens", got)
	}
}
