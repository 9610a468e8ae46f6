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
		if got, err := read(t, c.file, Options{Password: c.password}); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("with the password: %q, %v", got, err)
		}
		for password, want := range map[string]Code{"": Encrypted, "wrong": WrongPassword} {
			if _, err := read(t, c.file, Options{Password: password}); codeOf(err) != want {
				t.Errorf("password %q: %v, want %s", password, err, want)
			}
		}
	}
}

// An encrypted workbook that is broken gives an error, whatever the library makes of it.
func TestEncryptedBroken(t *testing.T) {
	t.Parallel()
	for _, file := range [][]byte{encrypted(t, "secret"), agileFile(t)} {
		for n := 0; n < 2048; n += 293 {
			for _, broken := range [][]byte{file[:n*len(file)/2048], slices.Concat(file[:n], bytes.Repeat([]byte{0xFF}, 8), file[n+8:])} {
				if got, err := read(t, broken, Options{Password: "secret"}); err != nil && codeOf(err) == "" {
					t.Fatalf("at byte %d: %q, %v", n, got, err)
				}
			}
		}
	}
}

// Counts and sizes that no true file has are found before a library makes room for them, and its panic is no one else's.
func TestDecryptTrusts(t *testing.T) {
	t.Parallel()
	file := agileFile(t)
	for _, at := range []int{40, 44, 64, 72} {
		if isDecryptable(slices.Concat(file[:at], []byte{0xFF, 0xFF, 0xFF, 0x0F}, file[at+4:])) {
			t.Errorf("believes the count at byte %d", at)
		}
	}
	entry := bytes.Index(file, utf16LE("EncryptedPackage"))
	large := slices.Concat(file[:entry+120], []byte{0xFF, 0xFF, 0xFF, 0x7F}, file[entry+124:])
	if isDecryptable(large) {
		t.Error("believes a stream's size")
	}
	panics := bytes.Replace(file, []byte(`blockSize="16"`), []byte(`blockSize="00"`), 1)
	if _, err := read(t, panics, Options{Password: "secret"}); codeOf(err) != WrongPassword {
		t.Errorf("where excelize panics: %v", err)
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
	if _, err := read(t, file, Options{}); codeOf(err) != Encrypted {
		t.Errorf("got %v", err)
	}
	copy(file[sector*(directory+1):], utf16LE("Workbook\x00"))
	if _, err := read(t, file, Options{}); codeOf(err) != UnsupportedFormat || !strings.Contains(err.Error(), "xls") {
		t.Errorf("got %v", err)
	}
	put(sector*(fat+1)+4*(directory%128), directory)
	if _, err := read(t, file, Options{}); codeOf(err) != DamagedFile {
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

// Nobody waits for a password that is to be hashed for hours.
func TestSpins(t *testing.T) {
	t.Parallel()
	for info, want := range map[string]int{
		`VersionX<encryption><keyEncryptor><p:encryptedKey spinCount="7" saltSize="16"/><p:encryptedKey spinCount="100000"/></keyEncryptor></encryption>`: 100_000,
		`VersionX<encryption spinCount="99999999999999999999">`: maxSpins + 1,
		`VersionX binary`: 0,
		`short`:           0,
	} {
		if got := spins(strings.NewReader(info)); got != want {
			t.Errorf("%s: %d, want %d", info, got, want)
		}
	}
	file := bytes.Replace(agileFile(t), []byte(`spinCount="100000" saltSize`), []byte(`spinCount="9000000"saltSize`), 1)
	if isDecryptable(file) {
		t.Error("hashes nine million times")
	}
}

func agileFile(t testing.TB) []byte {
	file, err := os.ReadFile("testdata/agile-encrypted.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	return file
}
