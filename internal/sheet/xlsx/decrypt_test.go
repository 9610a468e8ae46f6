package xlsx

import (
	"bytes"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

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
