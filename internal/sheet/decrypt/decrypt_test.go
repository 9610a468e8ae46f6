package decrypt

import (
	"bytes"
	"encoding/binary"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

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
	if _, ok := With("secret")(panics); ok {
		t.Error("decrypts a file at which excelize panics")
	}
	if _, ok := With("secret")(file[:40]); ok {
		t.Error("decrypts a file that ends in its header")
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

// agileFile is encrypted as Excel does it, with the password secret.
func agileFile(t *testing.T) []byte {
	t.Helper()
	file, err := os.ReadFile("../xlsx/testdata/agile-encrypted.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	return file
}
