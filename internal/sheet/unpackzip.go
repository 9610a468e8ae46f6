package sheet

import (
	"archive/zip"
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"

	"sheetdrop/internal/sheet/xlsx"
)

// isArchive reports whether opening a workbook failed because the file is a zip archive of other files; according to
// its directory, it is within the limits.
func isArchive(err error) bool {
	fault, ok := errors.AsType[*xlsx.Error](err)
	return ok && fault.Code == xlsx.PlainArchive
}

// unpackZip unpacks a zip archive's only file.
func unpackZip(ctx context.Context, src Source, lim Limits) (*unpacked, error) {
	packed := &watchedSource{ctx: ctx, src: src}
	dir, err := zip.NewReader(packed, src.Size())
	if err != nil {
		return nil, packed.blame(err)
	}
	dir.RegisterDecompressor(zip.Deflate, func(r io.Reader) io.ReadCloser { return flate.NewReader(bufio.NewReaderSize(r, blockBytes)) })
	files := slices.DeleteFunc(dir.File, isBeside)
	switch {
	case len(files) == 0:
		return nil, unsupported("a zip archive without a file")
	case len(files) > 1:
		return nil, unsupported(fmt.Sprintf("a zip archive of %d files (%s), of which only one can be read", len(files), listFiles(files)))
	case files[0].Flags&1 != 0:
		return nil, refuse(Encrypted, "The zip archive is encrypted. Save it without a password.")
	}
	r, err := files[0].Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		return nil, unsupported("a zip archive that is packed in an unusual way")
	}
	if err != nil {
		return nil, packed.blame(err)
	}
	return unpack(packed, r, lim)
}

// isBeside reports whether an entry is a directory, or one that operating systems add to people's files.
func isBeside(f *zip.File) bool {
	name := strings.ReplaceAll(f.Name, `\`, "/")
	base := path.Base(name)
	return strings.HasSuffix(name, "/") || strings.HasPrefix(name, "__MACOSX/") || strings.HasPrefix(base, "._") ||
		base == ".DS_Store" || strings.EqualFold(base, "thumbs.db") || strings.EqualFold(base, "desktop.ini")
}

// maxNamed is how many of an archive's files a message names.
const maxNamed = 5

func listFiles(files []*zip.File) string {
	var names []string
	for _, f := range files[:min(len(files), maxNamed)] {
		names = append(names, shortName(f.Name))
	}
	if len(files) > maxNamed {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}
