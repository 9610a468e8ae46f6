package grid

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
)

// TableMemory is how many bytes of text a StringTable keeps in memory; strings beyond go to a file.
const TableMemory = 32 << 20

const (
	pageBytes = 4 << 10
	pages     = 2 << 10 // of the file, cached
)

// StringTable stores the shared strings: the first ones in memory, the others in a temporary file whose name was
// removed.
type StringTable struct {
	ends   ends // of each string
	text   []byte
	file   *os.File
	writer *bufio.Writer
	remove string // the file's name, on systems that cannot remove an open file
	pages  [pages]page
}

// page is a cached page of the file.
type page struct {
	number int64 // from 1; 0 if unused
	text   []byte
}

// NewStringTable returns a table for strings of about size bytes in total.
func NewStringTable(size int64) *StringTable {
	return &StringTable{text: make([]byte, 0, min(size, TableMemory))}
}

// Len returns the number of strings.
func (t *StringTable) Len() int { return t.ends.count }

func (t *StringTable) length() uint32 { return t.ends.of(t.ends.count - 1) }

// Add appends a string. The file, once there are more than TableMemory bytes, is made in folder.
func (t *StringTable) Add(s []byte, folder string) error {
	end := int64(t.length()) + int64(len(s))
	if end > math.MaxUint32 {
		return Refuse(UnzippedTooLarge, "The workbook's shared strings have more text than the limit of 4 GiB.")
	}
	if t.writer == nil && len(t.text)+len(s) > TableMemory {
		if err := t.openFile(folder); err != nil {
			return err
		}
	}
	if t.writer == nil {
		t.text = append(t.text, s...)
	} else if _, err := t.writer.Write(s); err != nil {
		return fmt.Errorf("keep the shared strings: %w", err)
	}
	t.ends.add(uint32(end))
	return nil
}

// openFile creates the file. Its name is removed at once, so that nothing is left behind however the process ends.
func (t *StringTable) openFile(folder string) error {
	file, err := os.CreateTemp(folder, "shared-strings-*")
	if err != nil {
		return fmt.Errorf("keep the shared strings: %w", err)
	}
	if os.Remove(file.Name()) != nil {
		t.remove = file.Name()
	}
	t.file, t.writer = file, bufio.NewWriterSize(file, 64<<10)
	return nil
}

// Finish is called after the last add.
func (t *StringTable) Finish() error {
	if t.writer == nil {
		return nil
	}
	if err := t.writer.Flush(); err != nil {
		return fmt.Errorf("keep the shared strings: %w", err)
	}
	return nil
}

// AppendTo returns string i: either memory that must not be modified, or what it appended to dst.
func (t *StringTable) AppendTo(dst []byte, i int) (text, newDst []byte, err error) {
	start, end := int64(t.ends.of(i-1)), int64(t.ends.of(i))
	inMemory := int64(len(t.text))
	if end <= inMemory {
		return t.text[start:end:end], dst, nil
	}
	from := len(dst)
	for start, end = start-inMemory, end-inMemory; start < end; {
		p, err := t.page(start / pageBytes)
		if err != nil {
			return nil, dst, err
		}
		piece := p[start%pageBytes:]
		piece = piece[:min(int64(len(piece)), end-start)]
		dst = append(dst, piece...)
		start += int64(len(piece))
	}
	return dst[from:len(dst):len(dst)], dst, nil
}

// SetShared sets the cell's value to string i, as AppendTo returns it. A string that is not there is a fault of the cell; t may be nil.
func (t *StringTable) SetShared(c *Cell, dst []byte, i int64) (newDst []byte, err error) {
	c.Kind = Text
	if t == nil || i >= int64(t.Len()) {
		c.Text = strconv.AppendInt(nil, i, 10)
		c.Flaw(MissingSharedString)
		return dst, nil
	}
	c.Text, dst, err = t.AppendTo(dst, int(i))
	return dst, err
}

// CheckStrings checks a number of shared strings against the limit.
func (l *Limits) CheckStrings(n int64) error {
	if n > l.Cells {
		return Refuse(TooManyCells, fmt.Sprintf("The workbook has more shared strings than the limit of %d.", l.Cells))
	}
	return nil
}

// page returns a page of the file, from the cache unless a few thousand others were used since.
func (t *StringTable) page(number int64) ([]byte, error) {
	p := &t.pages[number%pages]
	if p.number == number+1 {
		return p.text, nil
	}
	if p.text == nil {
		p.text = make([]byte, pageBytes)
	}
	p.number = 0
	n := min(pageBytes, int64(t.length())-int64(len(t.text))-number*pageBytes)
	if _, err := t.file.ReadAt(p.text[:n], number*pageBytes); err != nil {
		return nil, fmt.Errorf("read the shared strings that were kept: %w", err)
	}
	p.number, p.text = number+1, p.text[:n]
	return p.text, nil
}

// Close removes the file.
func (t *StringTable) Close() error {
	if t.file == nil {
		return nil
	}
	err := t.file.Close()
	if t.remove != "" {
		err = errors.Join(err, os.Remove(t.remove))
	}
	return err
}
