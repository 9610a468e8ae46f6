package xlsx

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
)

// archive is a package of parts as described by Open Packaging Conventions (ECMA-376 part 2).
type archive struct {
	src      *source
	limits   Limits
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
	notWorkbook = "The file is not an Excel workbook (xlsx, xlsm)."
)

func openArchive(src *source, o Options) (*archive, error) {
	if src.size > o.Limits.PackageBytes {
		return nil, &Error{PackageTooLarge, fmt.Sprintf("The workbook has %d bytes; the limit is %d.", src.size, o.Limits.PackageBytes)}
	}
	mark := make([]byte, len(oleMark))
	if _, err := src.ReadAt(mark, 0); err != nil {
		return nil, src.blame(&Error{UnsupportedFormat, notWorkbook})
	}
	if string(mark) == oleMark {
		plain, err := decrypted(src, o.Decrypt)
		src.wait()
		if err != nil {
			return nil, err
		}
		src = &source{r: bytes.NewReader(plain), size: int64(len(plain))}
	} else if m := string(mark[:4]); m != zipMark && m != emptyZip {
		return nil, &Error{UnsupportedFormat, notWorkbook}
	}
	a := &archive{src: src, limits: o.Limits, parts: map[string]*part{}}
	return a, a.readDirectory()
}

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

func (a *archive) readDirectory() error {
	reader := &directoryReader{a.src, 256<<10 + a.limits.Parts*entryBytes}
	dir, err := zip.NewReader(reader, a.src.size)
	if errors.Is(err, errDirectory) {
		return a.checkParts(a.limits.Parts + 1)
	}
	if err != nil {
		return a.src.blame(damaged("its zip archive is truncated or damaged"))
	}
	if err := a.checkParts(len(dir.File)); err != nil {
		return err
	}
	reader.left = 1 << 62
	dir.RegisterDecompressor(zip.Deflate, func(r io.Reader) io.ReadCloser { return flate.NewReader(bufio.NewReaderSize(r, inputBytes)) })
	var unzipped int64
	for _, f := range dir.File {
		name := partName(f.Name)
		_, twice := a.parts[name]
		a.parts[name] = &part{file: f, twice: twice}
		unzipped = min(unzipped+int64(min(f.UncompressedSize64, 1<<60)), 1<<60)
	}
	return a.checkSize(unzipped)
}

// checkParts checks a number of parts, or of references to parts, against the limit.
func (a *archive) checkParts(n int) error {
	if n > a.limits.Parts {
		return &Error{TooManyParts, fmt.Sprintf("The workbook has more parts than the limit of %d.", a.limits.Parts)}
	}
	return nil
}

// checkSize checks an unpacked size against the limits.
func (a *archive) checkSize(unzipped int64) error {
	if unzipped > a.limits.UnzippedBytes {
		return &Error{UnzippedTooLarge, fmt.Sprintf("The workbook unpacks to more than the limit of %d bytes.", a.limits.UnzippedBytes)}
	}
	if unzipped > ratioFloor && unzipped/a.limits.UnzipRatio > a.src.size {
		return &Error{UnzipRatio, fmt.Sprintf("The workbook unpacks to more than %d times its size.", a.limits.UnzipRatio)}
	}
	return nil
}

// partName normalises names: Excel ignores case, and some writers use backslashes or a leading slash.
func partName(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/"))
}

// has reports whether the part exists.
func (a *archive) has(name string) bool { return a.parts[name] != nil }

// open starts reading a part. What is unpacked counts for the archive, again if a part is read again.
func (a *archive) open(name string) (*partReader, error) {
	p := a.parts[name]
	switch {
	case p == nil:
		return nil, damaged("its part %s is missing", name)
	case p.twice:
		return nil, damaged("it has two parts named %s", name)
	}
	r, err := p.file.Open()
	if err != nil {
		return nil, a.src.blame(damaged("its part %s is damaged", name))
	}
	return &partReader{archive: a, name: name, r: r}, nil
}

// partReader reads a part. Its errors are *Error or the source's.
type partReader struct {
	archive *archive
	name    string
	r       io.Reader
	preview bool  // the part will be read once more, and counts then
	read    int64 // bytes of a preview
}

func (p *partReader) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	if err != nil && err != io.EOF {
		return n, p.archive.src.blame(damaged("its part %s is damaged", p.name))
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

// resolve returns the name of the part to which a relation's target refers; target is a URI reference relative to
// folder.
func resolve(folder, target string) string {
	target = strings.ReplaceAll(target, `\`, "/")
	if plain, err := url.PathUnescape(target); err == nil {
		target = plain
	}
	if !strings.HasPrefix(target, "/") {
		target = folder + "/" + target
	}
	return partName(target)
}
