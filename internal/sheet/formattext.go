package sheet

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"

	"sheetdrop/internal/sheet/charset"
)

// markBytes limits how much of a text is examined to recognise it.
const markBytes = 8 << 10

var (
	htmlStart = regexp.MustCompile(`^(<!doctype html|<(html|head|body|table|meta|style|script|div)[\s/>])`)
	xmlStart  = regexp.MustCompile(`^(<\?xml\s|<[a-z][\w:.-]*\s+xmlns[:=])`)
	mimeStart = regexp.MustCompile(`^(mime-version|from|content-type|subject):`)
	jsonStart = regexp.MustCompile(`^(\{\s*["}]|\[\s*[\[{])`)
)

// recogniseText returns the name of a text format that certainly is not a table, or "" if it may be one.
func recogniseText(head []byte) (name string) {
	text := startOfText(head)
	start := strings.ToLower(string(text[:min(len(text), markBytes)]))
	for strings.HasPrefix(start, "<!--") {
		_, behind, _ := strings.Cut(start, "-->")
		start = strings.TrimLeft(behind, " \t\r\n")
	}
	switch {
	case htmlStart.MatchString(start):
		return "an HTML page, as some programs write it under the name of xls"
	case xmlStart.MatchString(start):
		return xmlKind(start)
	case mimeStart.MatchString(start) && strings.Contains(start, "multipart/related"):
		return "a web archive (MHTML), as some programs write it under the name of xls"
	case jsonStart.MatchString(start) && isJSON(text):
		return "JSON"
	}
	return ""
}

// startOfText skips what may precede a text, and converts UTF-16 with a byte order mark to UTF-8.
func startOfText(head []byte) []byte {
	for _, enc := range []charset.Encoding{charset.UTF16LE, charset.UTF16BE} {
		if bytes.HasPrefix(head, enc.BOM()) {
			if text, err := io.ReadAll(enc.Reader(bytes.NewReader(head[len(enc.BOM()):min(len(head), 2*markBytes)]))); err == nil {
				head = text
			}
			break
		}
	}
	return bytes.TrimLeft(bytes.TrimPrefix(head, charset.UTF8.BOM()), " \t\r\n")
}

func xmlKind(start string) string {
	switch {
	case strings.Contains(start, "urn:schemas-microsoft-com:office:spreadsheet"):
		return "an Excel 2003 XML spreadsheet (SpreadsheetML)"
	case strings.Contains(start, "urn:oasis:names:tc:opendocument"):
		return "an OpenDocument file in one piece (fods)"
	case strings.Contains(start, "<html"):
		return "an HTML page, as some programs write it under the name of xls"
	case strings.Contains(start, "<svg"):
		return "an SVG image"
	}
	return "an XML document"
}

// isJSON reports whether the text, which may be truncated, is one JSON value or several.
func isJSON(text []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(text))
	for tokens := 0; ; tokens++ {
		if _, err := dec.Token(); err != nil {
			return tokens > 1 && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF))
		}
	}
}
