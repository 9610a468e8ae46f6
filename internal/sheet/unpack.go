package sheet

import (
	"archive/zip"
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"

	"sheetdrop/internal/sheet/readahead"
	"sheetdrop/internal/sheet/xlsx"
)

// unpacked is a text from an archive, in a temporary file.
type unpacked struct {
	*os.File
	size   int64
	remove string // the file's name, on systems that cannot remove an open file
}

// unpack writes the content of r to a temporary file, whose name is removed at once, so that nothing is left behind
// however the process ends. packed is the archive from which r reads.
func unpack(packed *watchedSource, r io.Reader, lim Limits) (*unpacked, error) {
	file, err := os.CreateTemp("", "sheetdrop-unpacked-*")
	if err != nil {
		return nil, fmt.Errorf("keep the unpacked file: %w", err)
	}
	u := &unpacked{File: file}
	if os.Remove(file.Name()) != nil {
		u.remove = file.Name()
	}
	u.size, err = io.Copy(&boundedFile{file: file, packed: packed.Size(), limits: lim}, r)
	if err == nil {
		return u, nil
	}
	return nil, errors.Join(packed.blame(err), u.Close())
}

func (u *unpacked) Size() int64 { return u.size }

func (u *unpacked) Close() error {
	err := u.File.Close()
	if u.remove != "" {
		err = errors.Join(err, os.Remove(u.remove)) //nolint:gosec // a name that os.CreateTemp chose
	}
	return err
}

// boundedFile is a file that accepts no more than the limits allow to come out of an archive.
type boundedFile struct {
	file            *os.File
	packed, written int64
	limits          Limits
}

// diskError marks an error of the disk, not of the archive.
type diskError struct{ error }

func (d diskError) Unwrap() error { return d.error }

func (b *boundedFile) Write(p []byte) (int, error) {
	b.written += int64(len(p))
	switch {
	case b.written > b.limits.UnzippedBytes:
		return 0, refuse(UnzippedTooLarge, fmt.Sprintf("The archive unpacks to more than the limit of %d bytes.", b.limits.UnzippedBytes))
	case b.written > ratioFloor && b.written/b.limits.UnzipRatio > b.packed:
		return 0, refuse(UnzipRatio, fmt.Sprintf("The archive unpacks to more than %d times its size.", b.limits.UnzipRatio))
	}
	n, err := b.file.Write(p)
	if err != nil {
		err = diskError{fmt.Errorf("keep the unpacked file: %w", err)}
	}
	return n, err
}

// ratioFloor is the unpacked size up to which any ratio is accepted.
const ratioFloor = 16 << 20

// unpackGzip unpacks a gzip archive.
func unpackGzip(ctx context.Context, src Source, lim Limits, part Part) (*unpacked, error) {
	packed := &watchedSource{ctx: ctx, src: src}
	r, err := gzip.NewReader(bufio.NewReaderSize(io.NewSectionReader(packed, 0, src.Size()), blockBytes))
	if err != nil {
		return nil, packed.blame(err)
	}
	return unpack(packed, part.reader(r), lim)
}

// watchedSource is a Source that ends with a context and remembers its first error, so that a broken network can be
// told from a broken archive, whatever a library makes of the error.
type watchedSource struct {
	ctx context.Context
	src Source
	err error
}

func (s *watchedSource) Size() int64 { return s.src.Size() }

func (s *watchedSource) ReadAt(p []byte, off int64) (int, error) {
	if off >= s.Size() {
		return 0, io.EOF
	}
	want := min(int64(len(p)), s.Size()-off)
	err := s.ctx.Err()
	if err != nil {
		err = fmt.Errorf("read the file: %w", err)
	} else {
		err = readahead.Full(s.src, p[:want], off)
	}
	switch {
	case err != nil:
		s.err = err
		return 0, err
	case int(want) < len(p):
		return int(want), io.EOF
	}
	return len(p), nil
}

// blame decides whether the archive or its Source is at fault for an error of reading the archive.
func (s *watchedSource) blame(err error) error {
	if s.err != nil {
		return s.err
	}
	if refusal, ok := errors.AsType[*Refusal](err); ok {
		return refusal
	}
	if disk, ok := errors.AsType[diskError](err); ok {
		return disk.error
	}
	return refuse(DamagedFile, "The archive cannot be read: it is truncated or damaged.")
}

// packedText is a text from an archive. The positions of its records are those in the text.
type packedText struct {
	*csvFile
	file *unpacked
}

// packed opens a text that came out of an archive.
func (o opening) packed(ctx context.Context, file *unpacked, archive string) (*packedText, error) {
	text, err := o.inside(ctx, file, archive)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &packedText{text, file}, nil
}

func (o opening) inside(ctx context.Context, file *unpacked, archive string) (*csvFile, error) {
	if file.size == 0 {
		return nil, noBytes.refuse()
	}
	text, head, err := o.begin(ctx, file)
	if err != nil {
		return nil, err
	}
	if isPackage(head.Bytes) || isGzip(head.Bytes) {
		return nil, unsupported(archive + " with a workbook or another archive inside")
	}
	if name := recognise(head.Bytes); name != "" {
		return nil, unsupported(archive + " with " + name + " inside")
	}
	return o.text(ctx, text, head)
}

func (p *packedText) close() error { return errors.Join(p.csvFile.close(), p.file.Close()) }

// isArchive reports whether opening a workbook failed because the file is a zip archive of other files; according to
// its directory, it is within the limits.
func isArchive(err error) bool {
	fault, ok := errors.AsType[*xlsx.Error](err)
	return ok && fault.Code == xlsx.PlainArchive
}

// unpackZip unpacks a zip archive's only file.
func unpackZip(ctx context.Context, src Source, lim Limits, part Part) (*unpacked, error) {
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
	return unpack(packed, part.reader(r), lim)
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
