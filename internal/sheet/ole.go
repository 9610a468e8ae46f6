package sheet

import (
	"bytes"
	"encoding/binary"
)

// refuseOLE tells an encrypted workbook from one of the old binary format; both are compound files.
func refuseOLE(file []byte) error {
	switch {
	case hasStream(file, "EncryptedPackage"):
		return refuse(Encrypted, "The workbook opens with a password only; save it without one.")
	case hasStream(file, "Workbook"), hasStream(file, "Book"):
		return unsupported("an Excel 97–2003 workbook (xls)")
	case hasStream(file, "WordDocument"):
		return unsupported("a Word 97–2003 document")
	}
	return unsupported("an OLE compound file")
}

// hasStream reports whether a directory entry of the compound file, as MS-CFB 2.6.1 describes it, names the stream. Entries have 128
// bytes and stand at multiples of these, so none of the file's own sizes and pointers has to be believed.
func hasStream(file []byte, name string) bool {
	const entry, lengthAt, kindAt, stream = 128, 64, 66, 2
	var key []byte
	for _, r := range name + "\x00" {
		key = append(key, byte(r), 0)
	}
	for at := 0; ; at++ {
		i := bytes.Index(file[at:], key)
		if i < 0 {
			return false
		}
		at += i
		if at%entry == 0 && at+entry <= len(file) && file[at+kindAt] == stream &&
			int(binary.LittleEndian.Uint16(file[at+lengthAt:])) == len(key) {
			return true
		}
	}
}
