package sheet

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/flate"

	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/parquet"
)

// zipFile is a zip archive of files, each of which is a sheet, or a workbook of sheets. They are unpacked one after the other. A
// file that is no table, or a text to be read by people, is a sheet that is left out. Names of files name sheets, and nothing else.
type zipFile struct {
	ctx      context.Context
	opening  opening
	packed   *watchedSource
	files    []*zip.File // to be read
	all      []*zip.File
	unpacked int64     // bytes so far
	name     string    // of the current file
	current  workbook  // nil if there is none
	file     *unpacked // that it reads
	number   int       // of the sheet that was returned last
	foundOne bool      // the requested sheet
	partial  bool      // of a file only the beginning was read
}

// zip opens a zip archive that is no workbook; according to its directory, it is within the limits.
func (o opening) zip(ctx context.Context, src Source) (workbook, error) {
	packed := &watchedSource{ctx: ctx, src: src}
	dir, err := zip.NewReader(packed, src.Size())
	if err != nil {
		return nil, packed.blame(err)
	}
	dir.RegisterDecompressor(zip.Deflate, new(inflater).reader)
	files := slices.DeleteFunc(dir.File, isBeside)
	if len(files) == 0 {
		return nil, fileFault(grid.Unsupported("a zip archive without a file", "ファイルのないzipアーカイブ", grid.ExportTable))
	}
	z := &zipFile{ctx: ctx, opening: o, packed: packed, files: files, all: files}
	if len(files) > 1 {
		z.opening.asked, z.opening.options.Sheet, z.opening.among = o.options.Sheet, "", true
		return z, nil
	}
	if err := z.open(files[0]); err != nil {
		return nil, err
	}
	return &packedFile{z.current, z.file}, nil
}

// inflater unpacks files one after the other, all of them in the memory of the first: an archive may have thousands.
type inflater struct {
	in  *bufio.Reader
	out io.ReadCloser
}

// reader unpacks the next file, from then on instead of the one before.
func (i *inflater) reader(packed io.Reader) io.ReadCloser {
	if i.in == nil {
		i.in = bufio.NewReaderSize(packed, blockBytes)
		i.out = flate.NewReader(i.in)
		return i.out
	}
	i.in.Reset(packed)
	_ = i.out.(flate.Resetter).Reset(i.in, nil) // never fails without a dictionary
	return i.out
}

// packedFile is the only file of an archive. The positions of a text's records are those in the text.
type packedFile struct {
	workbook
	file *unpacked
}

func (p *packedFile) close() error { return errors.Join(p.workbook.close(), p.file.Close()) }

// open unpacks a file and opens it as the current one.
func (z *zipFile) open(f *zip.File) error {
	file, err := z.unpack(f)
	if err != nil {
		return err
	}
	book, err := z.opening.inside(z.ctx, file, "a zip archive")
	if err != nil {
		return errors.Join(fileFault(err), file.Close())
	}
	z.name, z.current, z.file = storable(path.Base(strings.ReplaceAll(f.Name, `\`, "/"))), book, file
	z.name = strings.ToValidUTF8(z.name[:min(len(z.name), maxSheetName)], "")
	z.partial = z.partial || book.cut()
	return nil
}

// unpack writes a file to a temporary one. Of a text only the part that is to be read is unpacked.
func (z *zipFile) unpack(f *zip.File) (*unpacked, error) {
	if f.Flags&1 != 0 {
		return nil, refuseArchive(Encrypted, "The zip archive is encrypted. Save it without a password.")
	}
	r, err := f.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		return nil, fileFault(grid.Unsupported("a zip archive that is packed in an unusual way", "特殊な方式で圧縮されたzipアーカイブ", grid.Unpack))
	}
	if err != nil {
		return nil, z.packed.blame(err)
	}
	buffered := bufio.NewReader(r)
	head, _ := buffered.Peek(len(oleSignature)) // the error comes again
	var text io.Reader = buffered
	if !isZip(head) && !isOLE(head) && !bytes.HasPrefix(head, []byte(parquet.Signature)) {
		text = z.opening.part.reader(buffered)
	}
	file, err := unpack(z.packed, text, z.unpacked, z.opening.limits)
	if err == nil {
		z.unpacked += file.size
	}
	return file, err
}

func (z *zipFile) nextSheet() (*sheetInfo, records, error) {
	for {
		if z.current == nil {
			if len(z.files) == 0 {
				return nil, nil, z.end()
			}
			f := z.files[0]
			z.files = z.files[1:]
			if left, err := z.next(f); left != nil || err != nil {
				return left, nil, err
			}
		}
		info, records, err := z.current.nextSheet()
		if errors.Is(err, io.EOF) {
			if err := z.closeCurrent(); err != nil {
				return nil, nil, err
			}
			continue
		}
		if err != nil {
			return nil, nil, z.within(err)
		}
		z.number++
		info.number, info.among = z.number, true
		if info.prose && !saysTable(z.name) && z.opening.asked == "" {
			return noTable(z.number, z.name), nil, nil
		}
		if info.name = strings.TrimSuffix(z.name+": "+info.name, ": "); !z.wants(info) {
			info.leftOut, records = true, nil
		}
		return info, records, nil
	}
}

// next opens a file. A file that is no table, or is empty, is a sheet that is left out.
func (z *zipFile) next(f *zip.File) (left *sheetInfo, err error) {
	err = z.open(f)
	refusal, ok := errors.AsType[*Refusal](err)
	if !ok || refusal.Code != UnsupportedFormat && refusal.Code != EmptyFile {
		z.name = storable(path.Base(f.Name))
		return nil, z.within(err)
	}
	z.number++
	return noTable(z.number, shortName(path.Base(f.Name))), nil
}

// noTable returns the sheet of a file that is none.
func noTable(number int, name string) *sheetInfo {
	return &sheetInfo{number: number, name: name, visible: true, leftOut: true, noTable: true}
}

// within says which file of the archive a refusal is about.
func (z *zipFile) within(err error) error {
	refusal, ok := errors.AsType[*Refusal](err)
	if !ok {
		return err
	}
	name := shortName(z.name)
	return &Refusal{refusal.Code, name + ": " + refusal.Message, name + ": " + refusal.MessageJA}
}

// wants reports whether the sheet is to be read, by its name or its number.
func (z *zipFile) wants(info *sheetInfo) bool {
	asked := z.opening.asked
	wanted := asked == "" && !info.leftOut || asked != "" && (strings.EqualFold(asked, info.name) || asked == strconv.Itoa(info.number))
	z.foundOne = z.foundOne || wanted
	return wanted
}

// end is called behind the last sheet.
func (z *zipFile) end() error {
	if z.foundOne {
		return io.EOF
	}
	if z.opening.asked != "" {
		return noSheet.refuse(z.opening.asked, listFiles(z.all))
	}
	what := fmt.Sprintf("a zip archive of %d files (%s), none of which is a table", len(z.all), listFiles(z.all))
	whatJapanese := fmt.Sprintf("表のないzipアーカイブ（%s）", listFiles(z.all))
	return fileFault(grid.Unsupported(what, whatJapanese, grid.ExportTable))
}

func (z *zipFile) closeCurrent() error {
	if z.current == nil {
		return nil
	}
	err := errors.Join(z.current.close(), z.file.Close())
	z.current, z.file = nil, nil
	return err
}

func (z *zipFile) format() string { return formatZip }

// encoding returns that of the current file.
func (z *zipFile) encoding() (name string, confidence float64) {
	if z.current == nil {
		return "", 0
	}
	return z.current.encoding()
}

func (z *zipFile) found(info sheetInfo, o *Options) {
	if z.current != nil {
		z.current.found(info, o)
	}
	o.Sheet = strconv.Itoa(info.number)
}

func (z *zipFile) cut() bool { return z.partial }

func (z *zipFile) settle() error {
	if z.current == nil {
		return nil
	}
	return z.current.settle()
}

// textSize returns 0: each file has a size of its own.
func (z *zipFile) textSize() int64 { return 0 }

func (z *zipFile) close() error { return z.closeCurrent() }

// isBeside reports whether an entry is a directory, or one that operating systems and programs add to people's files: mostly hidden ones,
// and those that Excel makes while it has a workbook open.
func isBeside(f *zip.File) bool {
	name := strings.ReplaceAll(f.Name, `\`, "/")
	base := path.Base(name)
	return strings.HasSuffix(name, "/") || strings.HasPrefix(name, "__MACOSX/") || strings.HasPrefix(base, ".") ||
		strings.HasPrefix(base, "~$") || strings.EqualFold(base, "thumbs.db") || strings.EqualFold(base, "desktop.ini")
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
