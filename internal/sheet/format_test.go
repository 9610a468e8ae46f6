package sheet

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// nextStep matches what people are told to do.
var nextStep = regexp.MustCompile(`\. (Open|Copy|Export|Unpack|Save) .*\.$`)

// A file is judged by its content and refused in words that say what it is and what to do next.
func TestOtherFormatsAreRefused(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 4000)
	for i := range noise {
		noise[i] = byte(rand.New(rand.NewPCG(1, uint64(i))).Uint32())
	}
	parts := func(names ...string) string { return archive(t, append(names, "[Content_Types].xml")...) }
	for word, content := range map[string]string{
		"a PNG":                  "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
		"JPEG":                   "\xff\xd8\xff\xe0\x00\x10JFIF",
		"GIF":                    "GIF89a\x01\x00",
		"WebP":                   "RIFF\x24\x00\x00\x00WEBPVP8 ",
		"BMP":                    "BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00",
		"SVG":                    `<svg xmlns="http://www.w3.org/2000/svg"/>`,
		"PDF":                    "%PDF-1.7\n1 0 obj\n",
		"bzip2":                  "BZh91AY&SYxxxx",
		"tar archive,":           strings.Repeat("a", 100) + strings.Repeat("\x00", 157) + "ustar\x0000",
		"page without a table":   "\xef\xbb\xbf \n<!DOCTYPE HTML><html><p>1</p>",
		"HTML page without":      "<!-- saved -->\n<div>1</div>",
		"an HTML page":           "\xff\xfe<\x00h\x00t\x00m\x00l\x00>\x00",
		"an XML document":        `<?xml version="1.0"?><rows><row a="1"/></rows>`,
		"(MHTML)":                "MIME-Version: 1.0\nX-Document-Type: Workbook\nContent-Type: multipart/related; boundary=x\n\n--x\n",
		"is JSON, but no lines":  "[[1, 2], [3, 4]]",
		"text in UTF-32":         "\xff\xfe\x00\x00i\x00\x00\x00d\x00\x00\x00\n\x00\x00\x00",
		"in UTF-32":              "\x00\x00\xfe\xff\x00\x00\x00i\x00\x00\x00d\x00\x00\x00\n",
		"SQLite":                 "SQLite format 3\x00\x10\x00",
		"binary,":                string(noise),
		"Word document":          parts("word/document.xml"),
		"PowerPoint pres":        parts("ppt/presentation.xml"),
		"not a spreadsheet":      pack(t, map[string]string{"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": ""}),
		"OLE":                    compoundFile("Anything"),
		"Word 97":                compoundFile("WordDocument"),
		"without a file":         archive(t),
		"PNG image, which":       zipped(t, "\x89PNG\r\n\x1a\n"),
		"another archive inside": zipped(t, archive(t, "a.csv")),
		"is a tar archive":       zipped(t, strings.Repeat("a", 100)+strings.Repeat("\x00", 157)+"ustar\x0000"),
	} {
		_, err := Open(t.Context(), strings.NewReader(content), Options{}, DefaultLimits())
		refused, ok := errors.AsType[*Refusal](err)
		if !ok || refused.Code != UnsupportedFormat || !strings.Contains(refused.Message, word) || !nextStep.MatchString(refused.Message) ||
			strings.Count(refused.MessageJA, "。") < 2 {
			t.Errorf("%s: %v", word, err)
		}
	}
}

func TestEncryptedWorkbookIsRefused(t *testing.T) {
	t.Parallel()
	_, err := Open(t.Context(), strings.NewReader(compoundFile("EncryptedPackage")), Options{}, DefaultLimits())
	if refused, ok := errors.AsType[*Refusal](err); !ok || refused.Code != Encrypted {
		t.Error(err)
	}
}

// A name counts where a directory entry can stand, not in a stream's content.
func TestNameOfAStreamInAnother(t *testing.T) {
	t.Parallel()
	entry := compoundFile("EncryptedPackage")[1024+128:]
	_, err := Open(t.Context(), strings.NewReader(compoundFile("Workbook")+strings.Repeat("x", 64)+entry), Options{}, DefaultLimits())
	if refused, ok := errors.AsType[*Refusal](err); !ok || refused.Code != UnsupportedFormat {
		t.Error(err)
	}
}

// A few control characters in a text are the matter of their records alone.
func TestTextWithControlCharactersIsText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a,b\n1\x00,2\n", "a\x1b[0m,b\n1,2\n\x1a", strings.Repeat("a,b,c\n", 1000) + strings.Repeat("\x00", 17)} {
		book, err := Open(t.Context(), strings.NewReader(text), Options{}, DefaultLimits())
		if err != nil {
			t.Fatalf("%.20q: %v", text, err)
		}
		book.Close()
	}
}

// What begins like another format and is a table is read.
func TestTablesThatLookLikeSomethingElse(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"PK,name\n1,a\n2,b\n", "PK\n1\n2\n", "<5,>=5\n1,2\n3,4\n", "<b>name</b>,price\n<i>x</i>,1\n<i>y</i>,2\n", "<tablets>,n\na,1\nb,2\n",
		"From: ,To: \na,b\nc,d\n", "[a],[b]\n[1],[2]\n", "{id},{name}\n1,2\n", `{"a"},b` + "\n1,2\n", "[[1]],x\n1,2\n", "BM,name\n1,2\n", "PAR1,PAR2\n1,2\n", "PARENT,b\n1,2\n", "PAR1,b\n1,2\n1,PAR1\n2,x\n", "%PD,a\n1,2\n",
		"dish,price\n" + strings.Repeat("soup,1\n", 35) + "mustard,2\n", // which has ustar where tar archives have it
	} {
		got := read(t, text, Options{Delimiter: ","}, DefaultLimits())
		if len(got) < 2 || !strings.HasPrefix(got[0], "header 1: ") || !strings.HasPrefix(got[1], "row 2: ") {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// archive makes a zip archive of empty parts.
func archive(t *testing.T, names ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		if _, err := w.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// compoundFile makes an OLE compound file of version 3, as MS-CFB describes it, with one empty stream: a header, a sector for the
// allocation table and one for the directory.
func compoundFile(stream string) string {
	const sector, free, endOfChain = 512, 0xFFFFFFFF, 0xFFFFFFFE
	file := make([]byte, 3*sector)
	copy(file, oleSignature)
	put16 := func(at int, v uint16) { binary.LittleEndian.PutUint16(file[at:], v) }
	put32 := func(at int, v uint32) { binary.LittleEndian.PutUint32(file[at:], v) }
	put16(24, 0x3E)
	put16(26, 3)
	put16(28, 0xFFFE)
	put16(30, 9)
	put16(32, 6)
	put32(44, 1)          // sectors of the allocation table
	put32(48, 1)          // the directory's first sector
	put32(56, 4096)       // streams shorter than this are in the mini stream
	put32(60, endOfChain) // which there is none of
	put32(68, endOfChain)
	for at := 80; at < sector; at += 4 {
		put32(at, free)
	}
	put32(76, 0) // the allocation table is sector 0
	for at := sector; at < 2*sector; at += 4 {
		put32(at, free)
	}
	put32(sector, 0xFFFFFFFD)
	put32(sector+4, endOfChain)
	entry := func(at int, name string, kind byte, child uint32) {
		for i, r := range name {
			put16(at+2*i, uint16(r))
		}
		put16(at+64, uint16(2*len(name)+2))
		file[at+66], file[at+67] = kind, 1
		put32(at+68, free)
		put32(at+72, free)
		put32(at+76, child)
		put32(at+116, endOfChain)
	}
	entry(2*sector, "Root Entry", 5, 1)
	entry(2*sector+128, stream, 2, free)
	return string(file)
}

// A text with a few broken characters is read, and says where they are; a file of other bytes is refused as a whole.
func TestControlCharactersOfBinaryFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		control, bytes int
		refused        bool
	}{
		"sixteen in a small file":      {16, 100, true},
		"fifteen in a small file":      {15, 100, false},
		"one of fifty bytes":           {20, 1000, true},
		"one of somewhat more":         {20, 1001, false},
		"as many in a file of nothing": {16, 16, true},
	} {
		err := refuseBinary([]byte(strings.Repeat("\x00", c.control) + strings.Repeat("a", c.bytes-c.control)))
		if (err != nil) != c.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
}
