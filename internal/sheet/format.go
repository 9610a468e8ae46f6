package sheet

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/grid"
)

// The formats that are read. They are decided by the content, never by the name.
const (
	formatCSV     = "csv"
	formatJSON    = "json" // lines, or an array of objects
	formatParquet = "parquet"
	formatXLSX    = "xlsx"
	formatXLSB    = "xlsb"
	formatODS     = "ods" // or fods
	formatXLS     = "xls"
	formatXML     = "xml" // Excel's of 2003
	formatHTML    = "html"
	formatZip     = "zip" // of several files
)

// signatures are the bytes, at an offset, of files that people send instead of a spreadsheet.
var signatures = []struct {
	at                        int
	bytes, what, whatJapanese string
	next                      grid.Step
}{
	{0, "%PDF-", "a PDF document", "PDF文書", grid.CopyTable},
	{0, "\x89PNG\r\n\x1a\n", "a PNG image", "PNG画像", grid.ExportTable},
	{0, "GIF87a", "a GIF image", "GIF画像", grid.ExportTable},
	{0, "GIF89a", "a GIF image", "GIF画像", grid.ExportTable},
	{0, "\xff\xd8\xff", "a JPEG image", "JPEG画像", grid.ExportTable},
	{0, "II*\x00", "a TIFF image", "TIFF画像", grid.ExportTable},
	{0, "MM\x00*", "a TIFF image", "TIFF画像", grid.ExportTable},
	{8, "WEBPVP8", "a WebP image", "WebP画像", grid.ExportTable},
	{4, "ftyphei", "a HEIC image", "HEIC画像", grid.ExportTable},
	{4, "1AY&SY", "a bzip2 archive", "bzip2アーカイブ", grid.Unpack},
	{0, "\xfd7zXZ\x00", "an xz archive", "xzアーカイブ", grid.Unpack},
	{0, "\x28\xb5\x2f\xfd", "a Zstandard archive", "Zstandardアーカイブ", grid.Unpack},
	{0, "7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "7-Zipアーカイブ", grid.Unpack},
	{0, "Rar!\x1a\x07", "a RAR archive", "RARアーカイブ", grid.Unpack},
	{257, "ustar\x00", "a tar archive", "tarアーカイブ", grid.Unpack},   // of POSIX
	{257, "ustar  \x00", "a tar archive", "tarアーカイブ", grid.Unpack}, // of GNU
	{0, "SQLite format 3\x00", "an SQLite database", "SQLiteデータベース", grid.ExportTable},
	{0, "\x09\x00\x04\x00", "a workbook of Excel 4 or older", "Excel 4以前のブック", grid.SaveAsWorkbook},
	{0, "\x09\x02\x06\x00", "a workbook of Excel 4 or older", "Excel 4以前のブック", grid.SaveAsWorkbook},
	{0, "\x09\x04\x06\x00", "a workbook of Excel 4 or older", "Excel 4以前のブック", grid.SaveAsWorkbook},
	{0, "\xff\xfe\x00\x00", "text in UTF-32", "UTF-32のテキスト", grid.SaveAsUTF8}, // where UTF-16 would begin with a NUL
	{0, "\x00\x00\xfe\xff", "text in UTF-32", "UTF-32のテキスト", grid.SaveAsUTF8},
	{0, `{\rtf`, "an RTF document", "RTF文書", grid.CopyTable},
	{0, "\x7fELF", "a program", "プログラム", grid.ExportTable},
	{0, "MZ\x90\x00", "a program", "プログラム", grid.ExportTable},
}

const (
	zipSignature      = "PK\x03\x04"
	emptyZipSignature = "PK\x05\x06"
	oleSignature      = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
	gzipSignature     = "\x1f\x8b\x08"
)

// isZip reports whether the file is a zip archive, as workbooks are.
func isZip(head []byte) bool {
	return slices.ContainsFunc([]string{zipSignature, emptyZipSignature}, func(signature string) bool {
		return bytes.HasPrefix(head, []byte(signature))
	})
}

// isOLE reports whether the file is a compound file, as old and encrypted workbooks are.
func isOLE(head []byte) bool { return bytes.HasPrefix(head, []byte(oleSignature)) }

func isGzip(head []byte) bool { return bytes.HasPrefix(head, []byte(gzipSignature)) }

// recognise returns the format of a file that certainly is not a table as text, "" if the file may be one, or why it is
// refused.
func recognise(head []byte) (format string, refused *grid.Error) {
	for _, s := range signatures {
		if len(head) >= s.at && bytes.HasPrefix(head[s.at:], []byte(s.bytes)) {
			return "", grid.Unsupported(s.what, s.whatJapanese, s.next)
		}
	}
	if bytes.HasPrefix(head, []byte("BM")) && len(head) > 10 && string(head[6:10]) == "\x00\x00\x00\x00" {
		return "", grid.Unsupported("a BMP image", "BMP画像", grid.ExportTable)
	}
	return recogniseText(head)
}

// refuseBinary refuses a file if more than one byte in fifty of its head is a control character that does not occur in
// text. A few of them in a small file are left to the records that contain them.
func refuseBinary(head []byte) error {
	control := 0
	if text := bytes.TrimRight(head, "\x00"); len(text) > 0 { // a crash has filled up the file
		head = text
	}
	for _, c := range head {
		// the last four are used as delimiters by databases
		if c < 0x20 && !strings.ContainsRune("\t\n\v\f\r\x1a\x1b\x01\x02\x1e\x1f", rune(c)) {
			control++
		}
	}
	if control < binaryControls || control*bytesPerControl < len(head) {
		return nil
	}
	return fileFault(grid.Unsupported("binary, of no known format", "未知のバイナリ形式", grid.ExportTable))
}

// markBytes limits how much of a text is examined to recognise it.
const markBytes = 8 << 10

var (
	htmlStart = regexp.MustCompile(`^(<!doctype html|<(html|head|body|table|meta|style|script|div)[\s/>])`)
	xmlStart  = regexp.MustCompile(`^(<\?xml\s|<[a-z][\w:.-]*\s+xmlns[:=])`)
	mimeStart = regexp.MustCompile(`^(mime-version|from|content-type|subject):`)
)

// recogniseText is recognise for formats of text.
func recogniseText(head []byte) (format string, refused *grid.Error) {
	text := startOfText(head)
	start := strings.ToLower(string(text[:min(len(text), markBytes)]))
	for strings.HasPrefix(start, "<!--") {
		_, behind, _ := strings.Cut(start, "-->")
		start = strings.TrimLeft(behind, " \t\r\n")
	}
	switch {
	case htmlStart.MatchString(start):
		return formatHTML, nil
	case xmlStart.MatchString(start):
		return xmlKind(start)
	case mimeStart.MatchString(start) && strings.Contains(start, "multipart/related"):
		return "", grid.Unsupported("a web archive (MHTML), as some programs write it under the name of xls", "Webアーカイブ（MHTML）", grid.SaveAsWorkbook)
	case strings.HasPrefix(start, "{") || strings.HasPrefix(start, "["):
		return jsonKind(text)
	}
	return "", nil
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

func xmlKind(start string) (format string, refused *grid.Error) {
	switch {
	case strings.Contains(start, "urn:schemas-microsoft-com:office:spreadsheet"):
		return formatXML, nil
	case strings.Contains(start, "urn:oasis:names:tc:opendocument"):
		return formatODS, nil
	case strings.Contains(start, "<html"):
		return formatHTML, nil
	case strings.Contains(start, "<svg"):
		return "", grid.Unsupported("an SVG image", "SVG画像", grid.ExportTable)
	}
	return "", grid.Unsupported("an XML document", "XML文書", grid.ExportTable)
}

// jsonKind recognises JSON by its first value, or by its first lines that are objects: text that begins with a brace or a
// bracket may be a table as well.
func jsonKind(text []byte) (format string, refused *grid.Error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	array := text[0] == '['
	if array {
		if _, err := dec.Token(); err != nil || !dec.More() {
			return "", nil //nolint:nilerr // what is no JSON may be a table
		}
	}
	var first json.RawMessage
	switch err := dec.Decode(&first); {
	case errors.Is(err, io.ErrUnexpectedEOF) && bytes.HasPrefix(bytes.TrimLeft(text[min(1, len(text)-1):], " \t\r\n"), []byte(`"`)):
		return formatJSON, nil // the head holds only the beginning of an object
	case err != nil && !array && jsonLines(text) >= leastJSONLines:
		return formatJSON, nil
	case err != nil:
		return "", nil //nolint:nilerr // likewise
	}
	behind := bytes.TrimLeft(text[dec.InputOffset():], " \t\r\n")
	switch {
	case array && len(behind) > 0 && behind[0] != ',' && behind[0] != ']', !array && standsAbove(text[:dec.InputOffset()], behind):
		return "", nil
	case first[0] == '{' && (array || len(behind) == 0 || behind[0] == '{' || strings.IndexByte("\r\n", text[dec.InputOffset()]) >= 0):
		return formatJSON, nil
	case first[0] == '[' && isJSON(text):
		return "", grid.Unsupported("JSON, but no lines of objects and no array of objects", "オブジェクトの行でも配列でもないJSON", grid.ExportTable)
	}
	return "", nil
}

// standsAbove reports whether the object is one line above a table, and tells of it: all lines below, three or more, begin with a letter or
// a digit, and so with no value of JSON.
//
//	{"device":"T-77","fw":"2.1"}
//	time,speed
//	05:00:00,0.0
//	05:00:10,14.2
func standsAbove(object, behind []byte) bool {
	if bytes.IndexByte(object, '\n') >= 0 || len(behind) == 0 {
		return false
	}
	n := 0
	for line := range bytes.Lines(behind[:min(len(behind), markBytes)]) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if r, _ := utf8.DecodeRune(line); !unicode.IsLetter(r) && !unicode.IsDigit(r) || bytes.Equal(line, []byte("null")) {
			return false
		}
		n++
	}
	return n >= leastBelow
}

// jsonLines returns how many of the first lines are objects.
func jsonLines(text []byte) (n int) {
	for line := range bytes.Lines(text[:min(len(text), markBytes)]) {
		if line = bytes.TrimSpace(line); len(line) > 2 && line[0] == '{' && json.Valid(line) {
			n++
		}
	}
	return n
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
