package sheet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/readahead"
)

// The positions of samples depend only on the size, so that the same bytes are always judged by the same samples. A
// file up to wholeBytes is its own sample, and one up to keptBytes is read once and kept in memory.
const (
	wholeBytes  = 384 << 10
	keptBytes   = 4 << 20
	headBytes   = 128 << 10
	windowBytes = 16 << 10
	windows     = 16 // evenly spaced between head and end, the last one at the end
)

// sample is a part of the file.
type sample struct {
	off int64
	charset.Sample
	gaps []gap // the texts of long cells that it does not have
}

// takeHead reads the file's first sample. A file up to keptBytes is returned as a Source in memory too.
func takeHead(ctx context.Context, src Source) (Source, sample, error) {
	size := src.Size()
	if size <= keptBytes {
		all, err := takeSample(ctx, src, 0, size)
		if err != nil {
			return nil, sample{}, err
		}
		head := all
		if size > wholeBytes {
			head.Bytes, head.Tail = all.Bytes[:headBytes:headBytes], false
		}
		return bytes.NewReader(all.Bytes), head, nil
	}
	head, err := takeSample(ctx, src, 0, headBytes)
	return src, head, err
}

// takeSamples reads the samples after the head; each begins at an even offset, as the characters of UTF-16 do.
func takeSamples(ctx context.Context, src Source, head sample) ([]sample, error) {
	samples := []sample{head}
	if int64(len(head.Bytes)) == src.Size() && len(head.gaps) == 0 {
		return samples, nil
	}
	for i := range int64(windows) {
		end := headBytes + (src.Size()-headBytes)*(i+1)/windows
		off := (end - windowBytes) &^ 1
		if hidden := hiddenUpTo(head.gaps, off, end); hidden > off && end < src.Size() {
			continue
		} else if hidden > off {
			off = hidden
		}
		s, err := takeSample(ctx, src, off, end)
		if err != nil {
			return nil, err
		}
		samples = append(samples, s)
	}
	return samples, nil
}

// hiddenUpTo returns where the last gap ends that has something of the part; off if none has.
func hiddenUpTo(gaps []gap, off, end int64) int64 {
	hidden := off
	for _, g := range gaps {
		if g.start < end && g.end > off {
			hidden = max(hidden, g.end)
		}
	}
	return hidden
}

func takeSample(ctx context.Context, src Source, off, end int64) (sample, error) {
	if err := ctx.Err(); err != nil {
		return sample{}, fmt.Errorf("read the file: %w", err)
	}
	b := make([]byte, end-off)
	if err := readahead.Full(src, b, off); err != nil {
		return sample{}, err
	}
	return sample{off: off, Sample: charset.Sample{Bytes: b, Head: off == 0, Tail: end == src.Size()}}, nil
}

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

func (f *gridFile) cut() bool { return false }

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
