// Package container opens packages of parts as described by Open Packaging Conventions (ECMA-376 part 2) and OpenDocument:
// zip archives of XML documents. It trusts no size that an archive claims, and reads within limits.
package container

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/klauspost/compress/flate"

	"sheetdrop/internal/sheet/grid"
)

// Archive is an open package. It is not safe for concurrent use.
type Archive struct {
	src      *source
	limits   grid.Limits
	parts    map[string]*part // by name
	unzipped int64            // bytes that were actually unpacked
}

// part is a file in the package.
type part struct {
	file  *zip.File
	twice bool // there are two with this name, so it is unknown which one is meant
}

const (
	ratioFloor  = 16 << 20 // the unpacked size up to which any ratio is accepted
	entryBytes  = 512      // size in the directory of each part allowed
	inputBytes  = 64 << 10
	zipMark     = "PK\x03\x04"
	emptyZip    = "PK\x05\x06"
	oleMark     = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
	notWorkbook = "The file is not an Excel workbook (xlsx, xlsm). Save its table as one, or as CSV."
)

// Decrypt returns the package inside an encrypted workbook, or false if its password does not open it.
type Decrypt func(file []byte) (plain []byte, ok bool)

// Open reads the directory of a package; src must stay open until Close and is also read from one other goroutine. An
// encrypted workbook is opened by decrypt, nil if there is no password. A file that cannot be read is a *grid.Error. Any
// other error is that of src, wrapped.
func Open(src io.ReaderAt, size int64, decrypt Decrypt, lim grid.Limits) (*Archive, error) {
	file := &source{r: src, size: size}
	a, err := open(file, decrypt, lim)
	if err != nil {
		file.wait()
	}
	return a, err
}

func open(src *source, decrypt Decrypt, lim grid.Limits) (*Archive, error) {
	if src.size > lim.PackageBytes {
		return nil, grid.Refuse(grid.PackageTooLarge, fmt.Sprintf("The workbook has %d bytes; the limit is %d.", src.size, lim.PackageBytes))
	}
	mark := make([]byte, len(oleMark))
	if _, err := src.ReadAt(mark, 0); err != nil {
		return nil, src.blame(grid.Refuse(grid.UnsupportedFormat, notWorkbook))
	}
	if string(mark) == oleMark {
		plain, err := decrypted(src, decrypt)
		src.wait()
		if err != nil {
			return nil, err
		}
		src = &source{r: bytes.NewReader(plain), size: int64(len(plain))}
	} else if m := string(mark[:4]); m != zipMark && m != emptyZip {
		return nil, grid.Refuse(grid.UnsupportedFormat, notWorkbook)
	}
	a := &Archive{src: src, limits: lim, parts: map[string]*part{}}
	if err := a.readDirectory(); err != nil {
		return nil, err
	}
	return a, nil
}

// Close stops reading src.
func (a *Archive) Close() { a.src.wait() }

// errDirectory ends reading a directory that is too long.
var errDirectory = errors.New("directory too long")

// directoryReader limits how much of a directory is read: archive/zip holds all of it in memory.
type directoryReader struct {
	src  *source
	left int
}

func (d *directoryReader) ReadAt(p []byte, off int64) (int, error) {
	if d.left -= len(p); d.left < 0 {
		return 0, errDirectory
	}
	return d.src.ReadAt(p, off)
}

func (a *Archive) readDirectory() error {
	reader := &directoryReader{a.src, 256<<10 + a.limits.Parts*entryBytes}
	dir, err := zip.NewReader(reader, a.src.size)
	if errors.Is(err, errDirectory) {
		return a.CheckParts(a.limits.Parts + 1)
	}
	if err != nil {
		return a.src.blame(grid.Damaged("its zip archive is truncated or damaged"))
	}
	if err := a.CheckParts(len(dir.File)); err != nil {
		return err
	}
	reader.left = 1 << 62
	dir.RegisterDecompressor(zip.Deflate, func(r io.Reader) io.ReadCloser { return flate.NewReader(bufio.NewReaderSize(r, inputBytes)) })
	var unzipped int64
	for _, f := range dir.File {
		name := PartName(f.Name)
		_, twice := a.parts[name]
		a.parts[name] = &part{file: f, twice: twice}
		unzipped = min(unzipped+int64(min(f.UncompressedSize64, 1<<60)), 1<<60)
	}
	return a.checkSize(unzipped)
}

// CheckParts checks a number of parts, or of references to parts, against the limit.
func (a *Archive) CheckParts(n int) error {
	if n > a.limits.Parts {
		return grid.Refuse(grid.TooManyParts, fmt.Sprintf("The workbook has more parts than the limit of %d.", a.limits.Parts))
	}
	return nil
}

// checkSize checks an unpacked size against the limits.
func (a *Archive) checkSize(unzipped int64) error {
	if unzipped > a.limits.UnzippedBytes {
		return grid.Refuse(grid.UnzippedTooLarge, fmt.Sprintf("The workbook unpacks to more than the limit of %d bytes.", a.limits.UnzippedBytes))
	}
	if unzipped > ratioFloor && unzipped/a.limits.UnzipRatio > a.src.size {
		return grid.Refuse(grid.UnzipRatio, fmt.Sprintf("The workbook unpacks to more than %d times its size.", a.limits.UnzipRatio))
	}
	return nil
}

// PartName normalises names: Excel ignores case, and some writers use backslashes or a leading slash.
func PartName(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/"))
}

// Has reports whether the part exists.
func (a *Archive) Has(name string) bool { return a.parts[name] != nil }

// Size returns the unpacked size that the directory claims for a part, 0 for one that is missing.
func (a *Archive) Size(name string) int64 {
	if !a.Has(name) {
		return 0
	}
	return int64(min(a.parts[name].file.UncompressedSize64, 1<<60))
}

// Part starts reading a part. What is unpacked counts for the archive, again if a part is read again.
func (a *Archive) Part(name string) (*Reader, error) {
	p := a.parts[name]
	switch {
	case p == nil:
		return nil, grid.Damaged("its part %s is missing", name)
	case p.twice:
		return nil, grid.Damaged("it has two parts named %s", name)
	}
	r, err := p.file.Open()
	if err != nil {
		return nil, a.src.blame(grid.Damaged("its part %s is damaged", name))
	}
	return &Reader{archive: a, name: name, r: r}, nil
}

// PreviewPart starts reading a part that will be read once more, and counts then.
func (a *Archive) PreviewPart(name string) (*Reader, error) {
	r, err := a.Part(name)
	if err != nil {
		return nil, err
	}
	r.preview = true
	return r, nil
}

// Reader reads a part. Its errors are *grid.Error or the source's.
type Reader struct {
	archive *Archive
	name    string
	r       io.Reader
	preview bool  // the part will be read once more, and counts then
	read    int64 // bytes of a preview
}

func (p *Reader) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	if err != nil && err != io.EOF {
		return n, p.archive.src.blame(grid.Damaged("its part %s is damaged", p.name))
	}
	if p.preview {
		p.read += int64(n)
	} else {
		p.archive.unzipped += int64(n)
	}
	if err := p.archive.checkSize(p.archive.unzipped + p.read); err != nil {
		return 0, err
	}
	return n, err
}

// Resolve returns the name of the part to which a relation's target refers; target is a URI reference relative to
// folder.
func Resolve(folder, target string) string {
	target = strings.ReplaceAll(target, `\`, "/")
	if plain, err := url.PathUnescape(target); err == nil {
		target = plain
	}
	if !strings.HasPrefix(target, "/") {
		target = folder + "/" + target
	}
	return PartName(target)
}
