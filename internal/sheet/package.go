package sheet

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"golang.org/x/net/html/charset"
)

// officePackage is a zip archive of parts that point to each other, as Open Packaging Conventions (ECMA-376 part 2) describe it.
type officePackage struct {
	parts map[string]*zip.File // by name without a leading slash, in lower case
}

// ratioFloor is the unpacked size up to which any ratio is good.
const ratioFloor = 16 << 20

// openPackage refuses what is no workbook, or is over a limit by what its directory says. Go's reader holds parts to their directory.
func openPackage(file []byte, lim Limits) (*officePackage, error) {
	if bytes.HasPrefix(file, []byte(oleSignature)) {
		return nil, refuseOLE(file)
	}
	dir, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, damaged("its zip archive is cut off or broken")
	}
	if len(dir.File) > lim.Parts {
		return nil, refuse(TooManyParts, fmt.Sprintf("The workbook has %d parts; %d can be read.", len(dir.File), lim.Parts))
	}
	p := &officePackage{parts: make(map[string]*zip.File, len(dir.File))}
	var unzipped uint64
	for _, f := range dir.File {
		unzipped = min(unzipped+min(f.UncompressedSize64, 1<<62), 1<<62)
		p.parts[partName(f.Name)] = f
	}
	if err := p.refuseOther(); err != nil {
		return nil, err
	}
	if unzipped > uint64(lim.UnzippedBytes) {
		return nil, refuse(UnzippedTooLarge, fmt.Sprintf("The workbook unpacks to %d bytes; %d can be read.", unzipped, lim.UnzippedBytes))
	}
	if ratio := unzipped / uint64(len(file)); unzipped > ratioFloor && ratio > uint64(lim.UnzipRatio) {
		return nil, refuse(UnzipRatio, fmt.Sprintf("The workbook unpacks to %d times its size; up to %d times can be read.", ratio, lim.UnzipRatio))
	}
	return p, nil
}

func damaged(what string) *Refusal {
	return refuse(DamagedFile, "The workbook cannot be read: "+what+".")
}

func partName(name string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
}

// refuseOther refuses a zip archive that is no xlsx or xlsm.
func (p *officePackage) refuseOther() error {
	folders := map[string]bool{}
	for name := range p.parts {
		folder, _, _ := strings.Cut(name, "/")
		folders[folder] = true
	}
	switch {
	case p.parts["xl/workbook.bin"] != nil:
		return unsupported("a binary Excel workbook (xlsb)")
	case folders["xl"]:
		return nil
	case folders["word"]:
		return unsupported("a Word document")
	case folders["ppt"]:
		return unsupported("a PowerPoint presentation")
	case p.parts["mimetype"] != nil:
		return unsupported("an OpenDocument file (ods)")
	}
	return unsupported("a zip archive")
}

// relation is a part's pointer to another part.
type relation struct {
	ID     string `xml:"Id,attr"`
	Type   string `xml:"Type,attr"`
	Target string `xml:"Target,attr"`
}

// is compares the last word of the type; what stands before differs between transitional and strict workbooks.
func (r relation) is(kind string) bool { return path.Base(r.Type) == kind }

// relations gives what the part points to, with the targets as part names. The package itself is the part "".
func (p *officePackage) relations(part string) ([]relation, error) {
	folder, name := path.Split(part)
	b, err := p.read(partName(folder + "_rels/" + name + ".rels"))
	if err != nil {
		return nil, err
	}
	var list struct {
		Relations []relation `xml:"Relationship"`
	}
	if err := newXMLDecoder(bytes.NewReader(b)).Decode(&list); err != nil {
		return nil, damaged("the relations of " + part + " are broken")
	}
	for i, r := range list.Relations {
		if !strings.HasPrefix(r.Target, "/") {
			r.Target = path.Join("/", folder, r.Target)
		}
		list.Relations[i].Target = partName(r.Target)
	}
	return list.Relations, nil
}

func (p *officePackage) read(part string) ([]byte, error) {
	f := p.parts[part]
	if f == nil {
		return nil, damaged("its part " + part + " is missing")
	}
	r, err := f.Open()
	if err == nil {
		defer r.Close()
		var b []byte
		if b, err = io.ReadAll(r); err == nil {
			return b, nil
		}
	}
	return nil, damaged("its part " + part + " is broken")
}

// checkXML reads the part to its end and refuses one that is not well-formed.
func (p *officePackage) checkXML(part string) error {
	f := p.parts[part]
	if f == nil {
		return damaged("its part " + part + " is missing")
	}
	r, err := f.Open()
	if err != nil {
		return damaged("its part " + part + " is broken")
	}
	defer r.Close()
	dec := newXMLDecoder(r)
	for {
		_, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return damaged(fmt.Sprintf("its part %s breaks off or is broken: %v", part, err))
		}
	}
}

func newXMLDecoder(r io.Reader) *xml.Decoder {
	dec := xml.NewDecoder(r)
	dec.CharsetReader = charset.NewReaderLabel
	return dec
}
