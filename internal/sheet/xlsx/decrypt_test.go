package xlsx

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/sheet/decrypt"
	"sheetdrop/internal/sheet/grid"
)

// encrypted is a workbook in standard encryption. A small one would lie in a part of the compound file that excelize writes wrongly.
func encrypted(t testing.TB, password string) []byte {
	filler := make([]byte, 8<<10)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range filler {
		filler[i] = byte(random.Uint32())
	}
	file, err := excelize.Encrypt(workbookOf(oneCell, nil).with("filler.bin", string(filler)).zip(t), &excelize.Options{Password: password})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestEncrypted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file     []byte
		password string
		want     []string
	}{
		{encrypted(t, "パス word"), "パス word", oneCellRead},
		{agileFile(t), "secret", []string{"1 A=name B=amount", "2 A=東京 B=12.5:number"}},
	} {
		if got, err := read(t, c.file, Options{Decrypt: decrypt.With(c.password)}); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("with the password: %q, %v", got, err)
		}
		if _, err := read(t, c.file, Options{}); codeOf(err) != grid.Encrypted {
			t.Errorf("without a password: %v, want %s", err, grid.Encrypted)
		}
		if _, err := read(t, c.file, Options{Decrypt: decrypt.With("wrong")}); codeOf(err) != grid.WrongPassword {
			t.Errorf("with a wrong password: %v, want %s", err, grid.WrongPassword)
		}
	}
}

// An encrypted workbook that is broken gives an error, whatever the library makes of it.
func TestEncryptedBroken(t *testing.T) {
	t.Parallel()
	for _, file := range [][]byte{encrypted(t, "secret"), agileFile(t)} {
		for n := 0; n < 2048; n += 293 {
			for _, broken := range [][]byte{file[:n*len(file)/2048], slices.Concat(file[:n], bytes.Repeat([]byte{0xFF}, 8), file[n+8:])} {
				if got, err := read(t, broken, Options{Decrypt: decrypt.With("secret")}); err != nil && codeOf(err) == "" {
					t.Fatalf("at byte %d: %q, %v", n, got, err)
				}
			}
		}
	}
}

// The directory of a large compound file lies where the header's own list of the FAT does not reach.
func TestLargeCompoundFile(t *testing.T) {
	t.Parallel()
	const sector, directory, difat, fat = 512, 14_000, 14_001, 14_002
	file := make([]byte, sector*(fat+2))
	put := func(at int, value uint32) { binary.LittleEndian.PutUint32(file[at:], value) }
	copy(file, oleMark)
	file[30] = 9
	put(48, directory)
	put(68, difat)
	const place = directory / 128 // of the FAT sector that knows what follows the directory
	put(sector*(difat+1)+4*(place-difatInHeader), fat)
	put(sector*(fat+1)+4*(directory%128), endOfChain)
	copy(file[sector*(directory+1):], utf16LE("EncryptedPackage"))
	if _, err := read(t, file, Options{}); codeOf(err) != grid.Encrypted {
		t.Errorf("got %v", err)
	}
	copy(file[sector*(directory+1):], utf16LE("Workbook\x00"))
	if _, err := read(t, file, Options{}); codeOf(err) != grid.UnsupportedFormat || !strings.Contains(err.Error(), "xls") {
		t.Errorf("got %v", err)
	}
	put(sector*(fat+1)+4*(directory%128), directory)
	if _, err := read(t, file, Options{}); codeOf(err) != grid.DamagedFile {
		t.Errorf("a directory without end: %v", err)
	}
}

func utf16LE(text string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

func agileFile(t testing.TB) []byte {
	file, err := os.ReadFile("testdata/agile-encrypted.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// Of compound files, as [MS-CFB] has them.
const (
	oleMark       = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
	difatInHeader = 109
	endOfChain    = 0xFFFFFFFE
)
