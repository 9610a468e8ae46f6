// Package decrypt opens encrypted workbooks ([MS-OFFCRYPTO]). It is separate from package sheet because only the
// command line accepts passwords: programs that do not import it link nothing of excelize.
package decrypt

import (
	"bytes"
	"encoding/binary"
	"io"
	"strconv"

	"github.com/richardlehane/mscfb"
	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/sheet/xlsx/xmlscan"
)

// maxSpins is the maximum number of hash rounds for a password; Excel uses 100,000.
const maxSpins = 1_000_000

// With returns a function that decrypts a workbook, a compound file in memory, with a password. ok is false if the
// password does not open it, or the file is damaged.
func With(password string) func(file []byte) (plain []byte, ok bool) {
	return func(file []byte) ([]byte, bool) { return workbook(file, password) }
}

// workbook uses excelize, which trusts the sizes and counts in the file and panics if they are wrong.
func workbook(file []byte, password string) (plain []byte, ok bool) {
	defer func() {
		if recover() != nil {
			plain, ok = nil, false
		}
	}()
	if !isDecryptable(file) {
		return nil, false
	}
	plain, err := excelize.Decrypt(file, &excelize.Options{Password: password})
	return plain, err == nil
}

// isDecryptable looks for counts that no true file has: of sectors in the compound file's header, of a stream's bytes, of hash rounds.
func isDecryptable(file []byte) bool {
	const header = 76
	if len(file) < header {
		return false
	}
	for _, at := range []int{40, 44, 64, 72} { // directory, FAT, mini FAT, DIFAT
		if int(binary.LittleEndian.Uint32(file[at:])) > len(file)/512 {
			return false
		}
	}
	doc, err := mscfb.New(bytes.NewReader(file))
	if err != nil {
		return false
	}
	for _, entry := range doc.File {
		if entry.Size < 0 || entry.Size > int64(len(file)) {
			return false
		}
		if entry.Name == "EncryptionInfo" && spins(entry) > maxSpins {
			return false
		}
	}
	return true
}

// spins returns the number of hash rounds from the XML that agile encryption stores after eight bytes of version; the
// older standard encryption has no such number.
func spins(info io.Reader) int {
	if _, err := io.CopyN(io.Discard, info, 8); err != nil {
		return 0
	}
	most := 0
	for xml := xmlscan.New(info); ; {
		kind, err := xml.Next()
		if err != nil {
			return most
		}
		if kind != xmlscan.Start {
			continue
		}
		for name, value, ok := xml.Attribute(); ok; name, value, ok = xml.Attribute() {
			if string(name) == "spinCount" {
				n, err := strconv.Atoi(string(value))
				if err != nil {
					n = maxSpins + 1
				}
				most = max(most, n)
			}
		}
	}
}
