package sheet

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/readahead"
)

// unpacked is a text from an archive, in a temporary file.
type unpacked struct {
	*os.File
	size   int64
	remove string // the file's name, on systems that cannot remove an open file
}

// unpack writes the content of r to a temporary file, whose name is removed at once, so that nothing is left behind
// however the process ends. packed is the archive from which r reads, and of which so many bytes were unpacked before.
func unpack(packed *watchedSource, r io.Reader, before int64, lim Limits) (*unpacked, error) {
	file, err := os.CreateTemp("", "sheetdrop-unpacked-*")
	if err != nil {
		return nil, fmt.Errorf("keep the unpacked file: %w", err)
	}
	u := &unpacked{File: file}
	if os.Remove(file.Name()) != nil {
		u.remove = file.Name()
	}
	u.size, err = io.Copy(&boundedFile{file: file, packed: packed.Size(), written: before, limits: lim}, r)
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
		return 0, refuseArchive(UnzippedTooLarge, fmt.Sprintf("The archive unpacks to more than the limit of %d bytes.", b.limits.UnzippedBytes))
	case b.written > ratioFloor && b.written/b.limits.UnzipRatio > b.packed:
		return 0, refuseArchive(UnzipRatio, fmt.Sprintf("The archive unpacks to more than %d times its size.", b.limits.UnzipRatio))
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
	return unpack(packed, part.reader(r), 0, lim)
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

// orFault returns the source's error if it has one, otherwise err.
func (s *watchedSource) orFault(err error) error {
	if err != nil && s.err != nil {
		return s.err
	}
	return err
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
	return refuseArchive(DamagedFile, "The archive cannot be read: it is truncated or damaged.")
}

// packed opens a file that came out of an archive.
func (o opening) packed(ctx context.Context, file *unpacked, archive string) (*packedFile, error) {
	book, err := o.inside(ctx, file, archive)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &packedFile{book, file}, nil
}

// inside opens a file that came out of an archive, which may be a workbook, but no archive.
func (o opening) inside(ctx context.Context, file *unpacked, archive string) (workbook, error) {
	if file.size == 0 {
		return nil, noBytes.refuse()
	}
	text, head, err := o.begin(ctx, file)
	if err != nil {
		return nil, err
	}
	if isGzip(head.Bytes) {
		return nil, archiveInside(archive)
	}
	o.inArchive, o.part.Cut = true, false
	book, err := o.workbook(ctx, file, text, head)
	if isArchive(err) {
		return nil, archiveInside(archive)
	}
	return book, err
}

func archiveInside(archive string) error {
	return fileFault(grid.Unsupported(archive+" with another archive inside", "別のアーカイブを含むアーカイブ", grid.Unpack))
}

// isArchive reports whether opening a workbook failed because the file is a zip archive of other files; according to
// its directory, it is within the limits.
func isArchive(err error) bool {
	fault, ok := errors.AsType[*grid.Error](err)
	return ok && fault.Code == grid.PlainArchive
}
