package sheet

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"sheetdrop/internal/sheet/charset"
)

// The format is decided by the content, never by the name.
const (
	formatCSV  = "csv"
	formatXLSX = "xlsx"
)

// signatures are the bytes, at an offset, of files that people send instead of a spreadsheet.
var signatures = []struct {
	at          int
	bytes, name string
}{
	{0, "%PDF-", "a PDF document"},
	{0, "\x89PNG\r\n\x1a\n", "a PNG image"},
	{0, "GIF87a", "a GIF image"},
	{0, "GIF89a", "a GIF image"},
	{0, "\xff\xd8\xff", "a JPEG image"},
	{0, "II*\x00", "a TIFF image"},
	{0, "MM\x00*", "a TIFF image"},
	{8, "WEBPVP8", "a WebP image"},
	{4, "ftyphei", "a HEIC image"},
	{4, "1AY&SY", "a bzip2 archive"},
	{0, "\xfd7zXZ\x00", "an xz archive"},
	{0, "\x28\xb5\x2f\xfd", "a Zstandard archive"},
	{0, "7z\xbc\xaf\x27\x1c", "a 7-Zip archive"},
	{0, "Rar!\x1a\x07", "a RAR archive"},
	{257, "ustar", "a tar archive"},
	{0, "PAR1\x15", "a Parquet file"},
	{0, "SQLite format 3\x00", "an SQLite database"},
	{0, `{\rtf`, "an RTF document"},
	{0, "\x7fELF", "a program"},
	{0, "MZ\x90\x00", "a program"},
}

const (
	zipSignature      = "PK\x03\x04"
	emptyZipSignature = "PK\x05\x06"
	oleSignature      = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
	gzipSignature     = "\x1f\x8b\x08"
)

func unsupported(name string) *Refusal {
	return refuse(
		UnsupportedFormat,
		"The file is "+name+"; only CSV text and Excel workbooks (xlsx, xlsm) can be read. Save the table as one of these.",
	)
}

// isPackage reports whether the file is a zip archive or a compound file, as workbooks are.
func isPackage(head []byte) bool {
	return slices.ContainsFunc([]string{zipSignature, emptyZipSignature, oleSignature}, func(signature string) bool {
		return bytes.HasPrefix(head, []byte(signature))
	})
}

func isGzip(head []byte) bool { return bytes.HasPrefix(head, []byte(gzipSignature)) }

// recognise returns the name of a file format that certainly is not a table as text, or "" if the file may be one.
func recognise(head []byte) (name string) {
	for _, s := range signatures {
		if len(head) >= s.at && bytes.HasPrefix(head[s.at:], []byte(s.bytes)) {
			return s.name
		}
	}
	if bytes.HasPrefix(head, []byte("BM")) && len(head) > 10 && string(head[6:10]) == "\x00\x00\x00\x00" {
		return "a BMP image"
	}
	return recogniseText(head)
}

// refuseBinary refuses a file if more than one byte in fifty of its head is a control character that does not occur in
// text. A few of them in a small file are left to the records that contain them.
func refuseBinary(head []byte) error {
	control := 0
	for _, c := range head {
		// the last four are used as delimiters by databases
		if c < 0x20 && !strings.ContainsRune("\t\n\v\f\r\x1a\x1b\x01\x02\x1e\x1f", rune(c)) {
			control++
		}
	}
	if control < binaryControls || control*bytesPerControl < len(head) {
		return nil
	}
	return unsupported("binary")
}

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
