package xlsx

import (
	"errors"
	"io"

	"sheetdrop/internal/sheet/xlsx/xmlscan"
)

// document reads an XML part.
type document struct {
	*xmlscan.Scanner
	part string
}

func (a *archive) document(name string) (*document, error) {
	r, err := a.open(name)
	if err != nil {
		return nil, err
	}
	return &document{xmlscan.New(r), name}, nil
}

// preview opens a document for a part that will be read once more.
func (a *archive) preview(name string) (*document, error) {
	r, err := a.open(name)
	if err != nil {
		return nil, err
	}
	r.preview = true
	return &document{xmlscan.New(r), name}, nil
}

// fault converts an error of the scanner into an *Error.
func (d *document) fault(err error) error {
	if syntax, ok := errors.AsType[*xmlscan.SyntaxError](err); ok {
		return damaged("its part %s is not valid XML: %s", d.part, syntax.Message)
	}
	return err
}

// root goes to the root element, calls read there, and reads the part to its end.
func (d *document) root(read func() error) error {
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
	return d.fault(err)
}

// each calls read at each child element of the current element and goes to the end of that. read must go to the end of
// the child.
func (d *document) each(read func(name []byte) error) error {
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

// maxAttribute is the length to which an attribute's value is truncated: no real name, target or format is nearly as
// long.
const maxAttribute = 4 << 10

// attributes returns the attributes of the element that has just started.
func (d *document) attributes() map[string]string {
	list := map[string]string{}
	for name, value, ok := d.Attribute(); ok; name, value, ok = d.Attribute() {
		list[string(name)] = string(value[:min(len(value), maxAttribute)])
	}
	return list
}
