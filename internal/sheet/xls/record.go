package xls

import (
	"bufio"
	"encoding/binary"
	"io"

	"sheetdrop/internal/sheet/compound"
	"sheetdrop/internal/sheet/grid"
)

// The records that are read ([MS-XLS] 2.3.2).
const (
	idFormula   = 0x0006
	idEOF       = 0x000A
	idDateMode  = 0x0022
	idFilePass  = 0x002F
	idContinue  = 0x003C
	idCodePage  = 0x0042
	idSheet     = 0x0085
	idMulRK     = 0x00BD
	idRichText  = 0x00D6
	idXF        = 0x00E0
	idFont      = 0x0031
	idMerged    = 0x00E5
	idSST       = 0x00FC
	idLabelSST  = 0x00FD
	idNumber    = 0x0203
	idLabel     = 0x0204
	idBoolErr   = 0x0205
	idString    = 0x0207
	idRow       = 0x0208
	idRK        = 0x027E
	idFormat    = 0x041E
	idBOF       = 0x0809
	maxContinue = 1 << 20 // records that continue one
)

// records reads records from a place in the stream on.
type records struct {
	r    *bufio.Reader
	id   uint16
	data grid.Fields // valid until the next record is read
	back bool        // the current record is to be returned again
}

const blockBytes = 64 << 10

func recordsFrom(s *compound.Stream, offset int64) *records {
	return &records{r: bufio.NewReaderSize(io.NewSectionReader(s, offset, max(0, s.Size()-offset)), blockBytes)}
}

// next goes to the next record; ok is false at the end of the stream, and where it is truncated.
func (r *records) next() (ok bool) {
	if r.back {
		r.back = false
		return true
	}
	var head [4]byte
	if _, err := io.ReadFull(r.r, head[:]); err != nil {
		return false
	}
	r.id = binary.LittleEndian.Uint16(head[:])
	n := int(binary.LittleEndian.Uint16(head[2:]))
	if cap(r.data) < n {
		r.data = make([]byte, max(n, 1<<14))
	}
	r.data = r.data[:n]
	_, err := io.ReadFull(r.r, r.data)
	return err == nil
}

// skipNested goes to the end of the part of the stream that has just begun, such as a chart in a worksheet.
func (r *records) skipNested() bool {
	for depth := 1; depth > 0; {
		if !r.next() {
			return false
		}
		switch r.id {
		case idBOF:
			depth++
		case idEOF:
			depth--
		}
	}
	return true
}
