package xlsx

import (
	"bytes"
	"io"
)

// decrypted returns the package inside an encrypted workbook ([MS-OFFCRYPTO]). It holds all of it in memory. decrypt is
// nil if there is no password.
func decrypted(src *source, decrypt func(file []byte) (plain []byte, ok bool)) ([]byte, error) {
	names, ok := streams(src)
	switch {
	case !ok:
		return nil, src.blame(damaged("its compound file is truncated or damaged"))
	case !names["EncryptedPackage"]:
		return nil, refuseOLE(names)
	case decrypt == nil:
		return nil, &Error{Encrypted, "The workbook is encrypted. Save it without a password."}
	}
	file := make([]byte, src.size)
	if _, err := io.ReadFull(io.NewSectionReader(src, 0, src.size), file); err != nil {
		return nil, err
	}
	plain, ok := decrypt(file)
	if !ok || !bytes.HasPrefix(plain, []byte(zipMark)) {
		return nil, &Error{WrongPassword, "The password does not open the workbook."}
	}
	return plain, nil
}
