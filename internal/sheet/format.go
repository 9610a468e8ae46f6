package sheet

import (
	"bytes"
	"strings"
)

// A format is decided by the content, never by a name.
const (
	formatCSV  = "csv"
	formatXLSX = "xlsx"
)

// signatures are the first bytes of what people send instead of a spreadsheet.
var signatures = []struct{ prefix, name string }{
	{"%PDF-", "a PDF document"},
	{"\x89PNG\r\n\x1a\n", "a PNG image"},
	{"GIF87a", "a GIF image"},
	{"GIF89a", "a GIF image"},
	{"\xff\xd8\xff", "a JPEG image"},
	{"II*\x00", "a TIFF image"},
	{"MM\x00*", "a TIFF image"},
	{"\x1f\x8b", "a gzip archive"},
	{"BZh", "a bzip2 archive"},
	{"\xfd7zXZ\x00", "an xz archive"},
	{"\x28\xb5\x2f\xfd", "a Zstandard archive"},
	{"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"},
	{"Rar!\x1a\x07", "a RAR archive"},
	{"PAR1", "a Parquet file"},
	{"SQLite format 3\x00", "an SQLite database"},
	{`{\rtf`, "an RTF document"},
	{"\x7fELF", "a program"},
}

const (
	zipSignature      = "PK\x03\x04"
	emptyZipSignature = "PK\x05\x06"
	oleSignature      = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
)

func unsupported(name string) *Refusal {
	return refuse(UnsupportedFormat, "The file is "+name+"; CSV text and Excel workbooks (xlsx, xlsm) can be read.")
}

// refuseKnown refuses what is recognised by its first bytes.
func refuseKnown(head []byte) error {
	for _, s := range signatures {
		if bytes.HasPrefix(head, []byte(s.prefix)) {
			return unsupported(s.name)
		}
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	start := strings.ToLower(string(text[:min(len(text), 64)]))
	switch {
	case strings.HasPrefix(start, "<!doctype html"), strings.HasPrefix(start, "<html"), strings.HasPrefix(start, "<table"), strings.HasPrefix(start, "<meta"):
		return unsupported("an HTML page")
	case strings.HasPrefix(start, "<?xml"):
		return unsupported("an XML document")
	}
	return nil
}

// refuseBinary refuses a file in whose head more than one byte in fifty is a control character that no text has. A few of them in a
// small file are left to the records that they stand in.
func refuseBinary(head []byte) error {
	control := 0
	for _, c := range head {
		if c < 0x20 && !strings.ContainsRune("\t\n\v\f\r\x1a\x1b", rune(c)) {
			control++
		}
	}
	if control < 16 || control*50 < len(head) {
		return nil
	}
	return unsupported("binary")
}
