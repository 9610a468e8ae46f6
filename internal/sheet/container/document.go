package container

import (
	"errors"
	"io"

	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/xlsx/xmlscan"
)

// Document reads an XML part.
type Document struct {
	*xmlscan.Scanner
	part string
}

// Document starts reading a part. Errors are *grid.Error or the source's.
func (a *Archive) Document(name string) (*Document, error) {
	r, err := a.Part(name)
	if err != nil {
		return nil, err
	}
	return &Document{xmlscan.New(r), name}, nil
}

// Preview opens a document for a part that will be read once more.
func (a *Archive) Preview(name string) (*Document, error) {
	r, err := a.PreviewPart(name)
	if err != nil {
		return nil, err
	}
	return &Document{xmlscan.New(r), name}, nil
}

// Fault converts an error of the scanner into a *grid.Error.
func (d *Document) Fault(err error) error {
	if syntax, ok := errors.AsType[*xmlscan.SyntaxError](err); ok {
		return grid.Damaged("its part %s is not valid XML: %s", d.part, syntax.Message)
	}
	return err
}

// Root goes to the root element, calls read there, and reads the part to its end.
func (d *Document) Root(read func() error) error {
	_, err := d.Next()
	if err == nil {
		err = read()
	}
	if err == nil {
		_, err = d.Next()
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return d.Fault(err)
}

// Each calls read at each child element of the current element and goes to the end of that. read must go to the end of
// the child.
func (d *Document) Each(read func(name []byte) error) error {
	for {
		kind, err := d.Next()
		switch {
		case err != nil:
			return err
		case kind == xmlscan.End:
			return nil
		case kind == xmlscan.Start:
			if err := read(d.Name()); err != nil {
				return err
			}
		}
	}
}

// MaxAttribute is the length to which an attribute's value is truncated: no real name, target or format is nearly as
// long.
const MaxAttribute = 4 << 10

// Attributes returns the attributes of the element that has just started.
func (d *Document) Attributes() map[string]string {
	list := map[string]string{}
	for name, value, ok := d.Attribute(); ok; name, value, ok = d.Attribute() {
		list[string(name)] = string(value[:min(len(value), MaxAttribute)])
	}
	return list
}

// AppendContent appends the text of the current element until dst is longer than most, and goes to the end of the
// element. Nested elements are ignored.
func (d *Document) AppendContent(dst []byte, most int) ([]byte, error) {
	if text, ok := d.Content(); ok {
		return append(dst, text[:min(len(text), max(0, most+1-len(dst)))]...), nil
	}
	for {
		kind, err := d.Next()
		switch {
		case err != nil:
			return dst, err
		case kind == xmlscan.End:
			return dst, nil
		case kind == xmlscan.Start:
			if err := d.Skip(); err != nil {
				return dst, err
			}
		case len(dst) <= most:
			if dst = d.AppendText(dst); len(dst) > most {
				dst = dst[:most+1]
			}
		}
	}
}

// Read returns a Document that is not part of a package: name is what messages call it.
func Read(r io.Reader, name string) *Document { return &Document{xmlscan.New(r), name} }
