package xlsx

import (
	"io"
	"strings"
)

func unsupported(name string) *Error {
	return &Error{
		UnsupportedFormat,
		"The file is " + name + "; only CSV text and Excel workbooks (xlsx, xlsm) can be read. Save the table as one of these.",
	}
}

// refuseOther returns an error that names what a zip archive other than xlsx or xlsm is.
func (a *archive) refuseOther() *Error {
	folders := map[string]bool{}
	for name := range a.parts {
		folder, _, _ := strings.Cut(name, "/")
		folders[folder] = true
	}
	switch {
	case a.has("xl/workbook.bin"):
		return unsupported("a binary Excel workbook (xlsb)")
	case folders["xl"]:
		return damaged("its list of sheets is missing")
	case folders["word"]:
		return unsupported("a Word document")
	case folders["ppt"]:
		return unsupported("a PowerPoint presentation")
	case a.has("mimetype"):
		return unsupported(a.namedByType())
	}
	return &Error{PlainArchive, "The file is a zip archive, but not an Excel workbook (xlsx, xlsm)."}
}

// namedByType returns what a zip archive is according to the media type in its first part, as in OpenDocument and EPUB.
func (a *archive) namedByType() string {
	var mediaType [64]byte
	n := 0
	if part, err := a.open("mimetype"); err == nil {
		n, _ = io.ReadFull(part, mediaType[:])
	}
	switch text := string(mediaType[:n]); {
	case strings.HasPrefix(text, "application/vnd.oasis.opendocument.spreadsheet"):
		return "an OpenDocument spreadsheet (ods)"
	case strings.HasPrefix(text, "application/vnd.oasis.opendocument."):
		return "an OpenDocument file"
	}
	return "a zip archive of some document"
}

// refuseOLE returns an error that names what a compound file other than an encrypted workbook is.
func refuseOLE(streams map[string]bool) *Error {
	switch {
	case streams["Workbook"], streams["Book"]:
		return unsupported("an Excel 97–2003 workbook (xls)")
	case streams["WordDocument"]:
		return unsupported("a Word 97–2003 document")
	case streams["PowerPoint Document"]:
		return unsupported("a PowerPoint 97–2003 presentation")
	}
	return unsupported("an OLE compound file")
}
