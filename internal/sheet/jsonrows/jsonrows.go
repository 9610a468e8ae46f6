// Package jsonrows reads JSON lines and JSON arrays of objects as records. The columns are the names of the members of the
// first objects; a value that is an object or an array becomes its JSON text.
//
// For example,
//
//	{"id": 1, "tags": ["a", "b"]}
//	{"id": 2, "price": 1.50}
//
// has the columns id, tags and price, and the records 1, ["a","b"] and nothing; 2, nothing and 1.50.
package jsonrows

import (
	"bytes"
	"errors"
	"io"
)

// Config says how a text is read.
type Config struct {
	Offset      int64 // of the text in the file
	RecordBytes int   // the length of a record
	Columns     int   // the number of columns
	Cut         bool  // the text is the beginning of one: what may go on behind it is not returned
}

// Fault is why a record cannot be read.
type Fault uint8

// The faults.
const (
	NoFault  Fault = iota
	Blank          // a line without text
	Invalid        // no JSON
	NoObject       // another value than an object
	Unknown        // it has a member that is no column: Record.Name
	Twice          // it has a member twice: Record.Name
	Encoding       // its bytes are no UTF-8, or half of a UTF-16 pair: at Record.At
	TooLong        // it is longer than Config.RecordBytes; reading continued on the next line
	Open           // it does not end; reading continued on the next line
	NoEnd          // the array's closing bracket is missing
	Behind         // it follows the array's closing bracket
)

// Record is a record. It and what it points to are valid until the next call of Next.
type Record struct {
	Line, Offset int64    // of its first byte: from 1; in the file
	Raw          []byte   // its bytes, without what separates it from others
	Cells        [][]byte // one for each column: the text of its value; nil for null, and for a member that is not there
	Fault        Fault
	Name         string // of a member, by the fault
	At           int    // of a byte in Raw, by the fault
}

// The bounds of what is read to find the columns.
const (
	aheadRecords = 1000
	aheadBytes   = 1 << 20
)

// Reader reads the records of a text in UTF-8. It is not safe for concurrent use.
type Reader struct {
	config  Config
	src     io.Reader
	buf     []byte // what was read and not used
	pos     int    // of the next byte in buf
	srcErr  error
	line    int64 // of the next byte
	offset  int64
	array   bool // the records are the elements of an array
	lines   bool // each record is a line
	started bool
	ended   bool // the array has ended
	lost    int  // how many records did not end
	columns map[string]int
	names   []string
	ahead   []kept
	scratch []byte // memory for cells
	rec     Record
}

// kept is a record that was read to find the columns.
type kept struct {
	line, offset int64
	raw          []byte
	fault        Fault
}

// NewReader returns a Reader.
func NewReader(src io.Reader, c Config) *Reader {
	return &Reader{config: c, src: src, line: 1, offset: c.Offset, columns: map[string]int{}}
}

// Limit returns the length of a record, as configured.
func (r *Reader) Limit() int { return r.config.RecordBytes }

// Columns reads the first records, a thousand or a mebibyte of them, and returns the names of their members in the order in
// which they come. It returns the error of src.
func (r *Reader) Columns() ([]string, error) {
	for size := 0; len(r.ahead) < aheadRecords && size < aheadBytes; {
		k, err := r.frame()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		k.raw = bytes.Clone(k.raw)
		r.ahead = append(r.ahead, k)
		size += len(k.raw)
		if k.fault == NoFault {
			r.learn(k.raw)
		}
	}
	return r.names, nil
}

// learn adds the members of an object to the columns.
func (r *Reader) learn(raw []byte) {
	m, ok := membersOf(raw)
	if !ok {
		return
	}
	for m.next() {
		if _, known := r.columns[string(m.name)]; !known && len(r.names) <= r.config.Columns {
			r.columns[string(m.name)] = len(r.names)
			r.names = append(r.names, string(m.name))
		}
	}
}

// Next returns the next record, and io.EOF after the last one; otherwise the error of src. Columns must have been called.
func (r *Reader) Next() (*Record, error) {
	var k kept
	if len(r.ahead) > 0 {
		k, r.ahead = r.ahead[0], r.ahead[1:]
	} else {
		var err error
		if k, err = r.frame(); err != nil {
			return nil, err
		}
	}
	r.rec = Record{Line: k.line, Offset: k.offset, Raw: k.raw, Fault: k.fault, Cells: r.rec.Cells[:0]}
	if k.fault == NoFault {
		r.split(&r.rec)
	}
	return &r.rec, nil
}
