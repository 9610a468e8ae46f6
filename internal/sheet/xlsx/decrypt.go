package xlsx

import (
	"bytes"
	"encoding/binary"
	"io"
	"strconv"

	"github.com/richardlehane/mscfb"
	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/sheet/xlsx/xmlscan"
)

// maxSpins is how often a password may be hashed; Excel does it 100,000 times.
const maxSpins = 1_000_000

// decrypt gives the package within an encrypted workbook ([MS-OFFCRYPTO]). It holds all of it in memory.
func decrypt(src *source, password string) ([]byte, error) {
	names, ok := streams(src)
	switch {
	case !ok:
		return nil, src.blame(damaged("its compound file is cut off or broken"))
	case !names["EncryptedPackage"]:
		return nil, refuseOLE(names)
	case password == "":
		return nil, &Error{Encrypted, "The workbook opens with a password only."}
	}
	file := make([]byte, src.size)
	if _, err := io.ReadFull(io.NewSectionReader(src, 0, src.size), file); err != nil {
		return nil, err
	}
	plain, ok := decryptFile(file, password)
	if !ok || !bytes.HasPrefix(plain, []byte(zipMark)) {
		return nil, &Error{WrongPassword, "The password does not open the workbook."}
	}
	return plain, nil
}

// decryptFile uses excelize, which trusts the sizes and counts in the file and panics where they are wrong.
func decryptFile(file []byte, password string) (plain []byte, ok bool) {
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

// spins finds the count of hash rounds in the XML that agile encryption has behind eight bytes of version; the older standard
// encryption has no such count.
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
