package xmlscan

import (
	"bytes"
	"cmp"
	"io"
	"regexp"
	"strings"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"

	"sheetdrop/internal/sheet/charset"
)

var declared = regexp.MustCompile(`^<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z0-9._:-]+)["']`)

// decode detects the document's encoding as described in XML 1.0, appendix F, and continues reading it as UTF-8. A
// document that declares UTF-16 in bytes that obviously are not is UTF-8: writers that build their text in memory first
// produce such documents.
func (s *Scanner) decode() error {
	for s.end < 1024 && s.fill() {
		continue
	}
	head := s.buf[:s.end]
	switch {
	case bytes.HasPrefix(head, charset.UTF8.BOM()):
		s.pos = len(charset.UTF8.BOM())
		return nil
	case bytes.HasPrefix(head, charset.UTF16LE.BOM()):
		s.reread(2, charset.UTF16LE.Reader)
		return nil
	case bytes.HasPrefix(head, charset.UTF16BE.BOM()):
		s.reread(2, charset.UTF16BE.Reader)
		return nil
	case bytes.HasPrefix(head, []byte("<\x00")):
		s.reread(0, charset.UTF16LE.Reader)
		return nil
	case bytes.HasPrefix(head, []byte("\x00<")):
		s.reread(0, charset.UTF16BE.Reader)
		return nil
	}
	found := declared.FindSubmatch(head)
	if found == nil {
		return nil
	}
	label := strings.ToLower(string(found[1]))
	if label == "utf-8" || label == "us-ascii" || strings.HasPrefix(label, "utf-16") {
		return nil
	}
	encoding, err := htmlindex.Get(label)
	if err != nil {
		return &SyntaxError{"it is written in " + label + ", which is no known encoding"}
	}
	s.reread(0, func(r io.Reader) io.Reader { return transform.NewReader(r, encoding.NewDecoder()) })
	return nil
}

// reread reads the text again from skip bytes on, through a decoder.
func (s *Scanner) reread(skip int, decoder func(io.Reader) io.Reader) {
	head := bytes.NewReader(bytes.Clone(s.buf[skip:s.end]))
	s.src = decoder(io.MultiReader(head, &rest{s.src, s.ended, s.srcErr}))
	s.pos, s.end, s.ended, s.srcErr = 0, 0, false, nil
}

// rest is what a reader has not returned yet.
type rest struct {
	io.Reader
	ended bool
	err   error
}

func (r *rest) Read(p []byte) (int, error) {
	if r.ended {
		return 0, cmp.Or(r.err, io.EOF)
	}
	return r.Reader.Read(p)
}
