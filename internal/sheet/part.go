package sheet

import (
	"context"
	"errors"
	"io"
)

// Part says how much of a file is read. The zero value is all of it.
type Part struct {
	Bytes int64 // at most so many bytes of a text, unpacked ones if it is in an archive; 0 is all
	Cut   bool  // the Source is the beginning of a file
}

// ErrPart is returned for the beginning of a workbook or a zip archive: it can be read as a whole only.
var ErrPart = errors.New("the file is a workbook or a zip archive, of which the beginning alone cannot be read")

// OpenPart is like Open for a part of a file. A record that may go on behind the part is not returned, nothing counts as a note below the
// table, and no policy is applied.
func OpenPart(ctx context.Context, src Source, part Part, opt Options, lim Limits) (*Book, error) {
	return open(ctx, src, opening{options: opt, limits: lim, blockSize: blockBytes, part: part})
}

// Complete reports whether the Book has the whole file, as far as it is a text.
func (b *Book) Complete() bool { return !b.workbook.cut() }

func (f *csvFile) cut() bool { return f.config.Cut }

func (f *xlsxFile) cut() bool { return false }

// beginning is the part of a text that is read.
type beginning struct {
	Source
	cut bool // there is more of the text
}

// begin returns what is to be read of a text, and its first sample.
func (o opening) begin(ctx context.Context, src Source) (text beginning, head sample, err error) {
	text = beginning{src, o.part.Cut}
	if most := o.part.Bytes; most > 0 && src.Size() > most {
		text = beginning{io.NewSectionReader(src, 0, most), true}
	}
	text.Source, head, err = takeHead(ctx, text.Source)
	return text, head, err
}

// reader returns as much of an archive's text as the part has, and a byte more if there is more.
func (p Part) reader(text io.Reader) io.Reader {
	if p.Cut {
		text = cutArchive{text}
	}
	if p.Bytes > 0 {
		text = io.LimitReader(text, p.Bytes+1)
	}
	return text
}

// cutArchive is the text of an archive that ends too early.
type cutArchive struct{ text io.Reader }

func (c cutArchive) Read(p []byte) (int, error) {
	n, err := c.text.Read(p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}
