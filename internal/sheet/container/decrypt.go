package container

import (
	"bytes"
	"io"

	"sheetdrop/internal/sheet/compound"
	"sheetdrop/internal/sheet/grid"
)

// encryptedPackage is the stream of a compound file that has an encrypted workbook.
const encryptedPackage = "EncryptedPackage"

// decrypted returns the package inside an encrypted workbook ([MS-OFFCRYPTO]). It holds all of it in memory. decrypt is
// nil if there is no password.
func decrypted(src *source, decrypt Decrypt) ([]byte, error) {
	file, ok := compound.Open(src, src.size)
	switch {
	case !ok:
		return nil, src.blame(grid.Damaged("its compound file is truncated or damaged"))
	case !file.Has(encryptedPackage):
		return nil, refuseOLE(file)
	case decrypt == nil:
		return nil, grid.Refuse(grid.Encrypted, "The workbook is encrypted. Save it without a password.")
	}
	all := make([]byte, src.size)
	if _, err := io.ReadFull(io.NewSectionReader(src, 0, src.size), all); err != nil {
		return nil, err
	}
	plain, ok := decrypt(all)
	if !ok || !bytes.HasPrefix(plain, []byte(zipMark)) {
		return nil, grid.Refuse(grid.WrongPassword, "The password does not open the workbook.")
	}
	return plain, nil
}
