package container

import (
	"io"
	"strings"

	"sheetdrop/internal/sheet/compound"
	"sheetdrop/internal/sheet/grid"
)

// Spreadsheet is the media type of an OpenDocument spreadsheet; that of a template begins with it.
const Spreadsheet = "application/vnd.oasis.opendocument.spreadsheet"

// RefuseOther returns an error that names what a package other than a workbook is; PlainArchive if it is a zip archive of
// files.
func (a *Archive) RefuseOther() error {
	folders := map[string]bool{}
	for name := range a.parts {
		folder, _, _ := strings.Cut(name, "/")
		folders[folder] = true
	}
	var err *grid.Error
	switch {
	case folders["xl"]:
		err = grid.Damaged("its list of sheets is missing")
	case folders["word"]:
		err = grid.Unsupported("a Word document", "Word文書", grid.CopyTable)
	case folders["ppt"]:
		err = grid.Unsupported("a PowerPoint presentation", "PowerPointのプレゼンテーション", grid.CopyTable)
	case folders["index"] && a.Has("index/document.iwa"):
		err = grid.Unsupported("an Apple iWork document (Numbers, Pages)", "Apple iWorkの文書（Numbers、Pages）", grid.ExportTable)
	case a.Has("mimetype"):
		err = a.namedByType()
	default:
		err = grid.Refuse(grid.PlainArchive, "The file is a zip archive, but not an Excel workbook (xlsx, xlsm).")
	}
	return a.src.blame(err)
}

// MediaType returns the beginning of a package's media type, which OpenDocument and EPUB have in their first part; "" if
// there is none.
func (a *Archive) MediaType() string {
	var mediaType [64]byte
	n := 0
	if part, err := a.Part("mimetype"); err == nil {
		n, _ = io.ReadFull(part, mediaType[:])
	}
	return string(mediaType[:n])
}

func (a *Archive) namedByType() *grid.Error {
	switch mediaType := a.MediaType(); {
	case strings.HasPrefix(mediaType, Spreadsheet):
		return grid.Unsupported("an OpenDocument spreadsheet (ods)", "OpenDocumentスプレッドシート（ods）", grid.SaveAsWorkbook)
	case strings.HasPrefix(mediaType, "application/vnd.oasis.opendocument."):
		return grid.Unsupported("an OpenDocument file, but not a spreadsheet", "スプレッドシート以外のOpenDocumentファイル", grid.CopyTable)
	}
	return grid.Unsupported("a zip archive of some document", "何らかの文書のzipアーカイブ", grid.CopyTable)
}

// refuseOLE returns an error that names what a compound file other than an encrypted workbook is.
func refuseOLE(file *compound.File) *grid.Error {
	switch {
	case file.Has("Workbook"), file.Has("Book"):
		return grid.Unsupported("an Excel 97–2003 workbook (xls)", "Excel 97-2003ブック（xls）", grid.SaveAsWorkbook)
	case file.Has("WordDocument"):
		return grid.Unsupported("a Word 97–2003 document", "Word 97-2003文書", grid.CopyTable)
	case file.Has("PowerPoint Document"):
		return grid.Unsupported("a PowerPoint 97–2003 presentation", "PowerPoint 97-2003のプレゼンテーション", grid.CopyTable)
	}
	return grid.Unsupported("an OLE compound file", "OLE複合ファイル", grid.SaveAsWorkbook)
}
