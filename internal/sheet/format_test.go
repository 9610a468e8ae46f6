package sheet

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// A file is judged by its content and refused in words that say what it is.
func TestOtherFormatsAreRefused(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 4000)
	for i := range noise {
		noise[i] = byte(rand.New(rand.NewPCG(1, uint64(i))).Uint32())
	}
	for word, content := range map[string]string{
		"PNG":           "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
		"JPEG":          "\xff\xd8\xff\xe0\x00\x10JFIF",
		"PDF":           "%PDF-1.7\n1 0 obj\n",
		"gzip":          "\x1f\x8b\x08\x00a,b\n",
		"HTML":          "\xef\xbb\xbf \n<!DOCTYPE HTML><html><table><tr><td>1</table>",
		"XML":           "<?xml version=\"1.0\"?><Workbook/>",
		"SQLite":        "SQLite format 3\x00\x10\x00",
		"binary;":       string(noise),
		"Word document": archive(t, "[Content_Types].xml", "word/document.xml"),
		"OpenDocument":  pack(t, map[string]string{"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": ""}),
		"(xlsb)":        archive(t, "[Content_Types].xml", "xl/workbook.bin"),
		"zip archive":   archive(t, "prices.csv"),
		"a zip":         archive(t),
		"(xls)":         compoundFile("Workbook"),
		"OLE":           compoundFile("Anything"),
	} {
		_, err := Open(t.Context(), strings.NewReader(content), Options{}, DefaultLimits())
		refused, ok := errors.AsType[*Refusal](err)
		if !ok || refused.Code != UnsupportedFormat || !strings.Contains(refused.Message, word) {
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
