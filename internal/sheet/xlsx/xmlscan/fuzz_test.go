package xmlscan

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	_ "sheetdrop/internal/rapidseed"
)

// FuzzScanner holds the scanner to three things on any bytes: it ends without a panic, it finds the same whatever pieces it reads, and
// where encoding/xml accepts the document too, both find the same elements and text.
func FuzzScanner(f *testing.F) {
	for _, seed := range []string{
		`<?xml version="1.0" encoding="UTF-8"?><w:a xmlns:w="urn:x"><w:b r='1'>x &amp; <![CDATA[y]]></w:b><!-- c --><d/></w:a>`,
		"<a>&#65;&#x1F600;\r\n</a> ", "\xff\xfe<\x00a\x00/\x00>\x00", "<a b='>'></a>", "<!DOCTYPE a><a/>", "<a>\x00&#0;</a>",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		got, err := tokens(bytes.NewReader(document))
		again, err2 := tokens(iotest.OneByteReader(bytes.NewReader(document)))
		if !slices.Equal(got, again) || err.Error() != err2.Error() {
			t.Fatalf("at once %q, %v; byte by byte %q, %v", got, err, again, err2)
		}
		got, err = scan(bytes.NewReader(document), false)
		want, ok := standardTokens(document)
		if ok && errors.Is(err, io.EOF) && !slices.Equal(got, want) {
			t.Fatalf("got %q, encoding/xml %q", got, want)
		}
	})
}

// standardTokens reads a document with encoding/xml, to the end of its root element.
func standardTokens(document []byte) (list []string, ok bool) {
	if bytes.HasPrefix(document, []byte("\ufeff")) {
		document = document[3:]
	}
	d := xml.NewDecoder(bytes.NewReader(document))
	depth, text := 0, ""
	flush := func() {
		if text != "" && depth > 0 {
			list = append(list, text)
		}
		text = ""
	}
	for {
		token, err := d.Token()
		if err != nil {
			return nil, false
		}
		switch token := token.(type) {
		case xml.CharData:
			text += string(token)
		case xml.StartElement:
			if strings.Contains(token.Name.Local, ":") { // half a prefix is no prefix to it
				return nil, false
			}
			flush()
			depth++
			list = append(list, "<"+token.Name.Local)
		case xml.EndElement:
			flush()
			list = append(list, ">")
			if depth--; depth == 0 {
				return list, true
			}
		}
	}
}

// What encoding/xml writes is read as it was meant.
func TestWrittenDocuments(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		drawElement(t, &b, 3)
		want, ok := standardTokens(b.Bytes())
		if !ok {
			t.Fatalf("%q is not well-formed", b.String())
		}
		got, err := scan(&b, false)
		if !errors.Is(err, io.EOF) || !slices.Equal(got, want) {
			t.Fatalf("got %q, %v, want %q", got, err, want)
		}
	})
}

func drawElement(t *rapid.T, b *bytes.Buffer, depth int) {
	name := rapid.SampledFrom([]string{"row", "c", "x:v", "is"}).Draw(t, "name")
	b.WriteString("<" + name + ` xmlns:x="urn:x" a="`)
	escape(b, rapid.String().Draw(t, "value"))
	b.WriteString(`">`)
	for range rapid.IntRange(0, depth).Draw(t, "children") {
		switch rapid.IntRange(0, 3).Draw(t, "child") {
		case 0:
			drawElement(t, b, depth-1)
		case 1:
			b.WriteString("<![CDATA[" + rapid.StringMatching(`[a-z&<>\r\n]*`).Draw(t, "verbatim") + "]]>")
		case 2:
			b.WriteString("<!--" + rapid.StringMatching(`[a-z&<>]*`).Draw(t, "comment") + "-->")
		default:
			escape(b, rapid.String().Draw(t, "text"))
		}
	}
	b.WriteString("</" + name + ">")
}

// escape writes a text without the characters that XML has no place for.
func escape(b *bytes.Buffer, text string) {
	if err := xml.EscapeText(b, []byte(text)); err != nil {
		panic(err)
	}
}
