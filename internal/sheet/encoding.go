package sheet

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/readahead"
)

// textEncoding is the encoding of a text file: what it is believed to be and, while that is uncertain, how it becomes
// certain.
type textEncoding struct {
	charset.Decision
	detector charset.Detector
	settled  bool
}

// lookBytes limits how much of a text is scanned to determine its encoding if the samples have left it open.
const lookBytes = 8 << 20

// decideEncoding uses the option, then a byte order mark, then the samples and, if these leave it open, all of a file
// that is in memory. The encoding of a larger file stays open until its first character beyond ASCII.
func decideEncoding(ctx context.Context, src Source, samples []sample, opt Options) (*textEncoding, error) {
	if enc, ok := charset.Lookup(opt.Encoding); ok {
		return settledEncoding(enc), nil
	}
	for _, enc := range []charset.Encoding{charset.UTF8, charset.UTF16LE, charset.UTF16BE} {
		if bytes.HasPrefix(samples[0].Bytes, enc.BOM()) {
			return settledEncoding(enc), nil
		}
	}
	e := new(textEncoding)
	for _, s := range samples {
		e.detector.Add(s.Sample)
	}
	e.Decision = e.detector.Decide()
	e.settled = e.Sure() || len(samples) == 1
	if e.settled || src.Size() > keptBytes {
		return e, nil
	}
	_, err := e.lookOn(ctx, src, 0)
	e.settled = true
	return e, err
}

func settledEncoding(enc charset.Encoding) *textEncoding {
	return &textEncoding{Decision: charset.Decision{Encoding: enc, Confidence: 1, Found: true}, settled: true}
}

// as returns the encoding as the text's delimiter needs it, once it is certain.
func (e *textEncoding) as(enc charset.Encoding) *textEncoding {
	if !e.settled || enc == e.Encoding {
		return e
	}
	other := *e
	other.Encoding = enc
	return &other
}

// lookOn adds the text from off, where a character begins, to the evidence, until the decision is certain or enough has
// been scanned. It returns the offset up to which it scanned.
func (e *textEncoding) lookOn(ctx context.Context, src Source, off int64) (int64, error) {
	b := make([]byte, headBytes)
	end := min(src.Size(), off+lookBytes)
	for first := true; off < end && !e.Sure(); first = false {
		if err := ctx.Err(); err != nil {
			return 0, fmt.Errorf("read the file: %w", err)
		}
		b = b[:min(int64(len(b)), end-off)]
		if err := readahead.Full(src, b, off); err != nil {
			return 0, err
		}
		off += int64(len(b))
		e.detector.Add(charset.Sample{Bytes: b, Head: first, Tail: off == src.Size()})
		e.Decision = e.detector.Decide()
	}
	return off, nil
}

// settle decides the encoding of the text from off for good, as reading does when it meets the first character beyond
// ASCII.
func (e *textEncoding) settle(ctx context.Context, src Source, off int64) error {
	b := make([]byte, min(blockBytes, max(0, src.Size()-off)))
	for off < src.Size() && !e.settled {
		b = b[:min(int64(len(b)), src.Size()-off)]
		if err := readahead.Full(src, b, off); err != nil {
			return err
		}
		plain := charset.PlainLen(b)
		off += int64(plain)
		if plain == len(b) {
			continue
		}
		var err error
		if off, err = e.lookOn(ctx, src, off); err != nil {
			return err
		}
		e.settled = e.Found
	}
	return nil
}

// reader returns in's text, which begins at off in src, as bytes to split into records.
func (e *textEncoding) reader(ctx context.Context, src Source, off int64, in *readahead.Reader) io.Reader {
	if e.settled {
		return e.Encoding.Reader(in)
	}
	return &settlingReader{ctx: ctx, enc: e, src: src, off: off, in: in}
}

// settlingReader returns ASCII unchanged, because it is the same in every encoding that the text can have, and settles
// the encoding at the first other byte.
type settlingReader struct {
	ctx    context.Context
	enc    *textEncoding
	src    Source
	off    int64 // of the next byte
	ascii  int64 // everything before this offset is known to be ASCII
	unread []byte
	in     *readahead.Reader // what follows unread
	rest   io.Reader         // everything that follows, once the encoding is settled
}

func (r *settlingReader) Read(p []byte) (int, error) {
	for r.rest == nil {
		n, err := r.next(p)
		known := int(min(max(r.ascii-r.off, 0), int64(n)))
		plain := known + charset.PlainLen(p[known:n])
		r.off += int64(plain)
		if plain < n {
			r.unread = append(bytes.Clone(p[plain:n]), r.unread...)
		}
		if plain > 0 || n == 0 {
			return plain, err
		}
		if err := r.settle(); err != nil {
			return 0, err
		}
	}
	return r.rest.Read(p)
}

func (r *settlingReader) next(p []byte) (int, error) {
	if len(r.unread) == 0 {
		return r.in.Read(p)
	}
	n := copy(p, r.unread)
	r.unread = r.unread[n:]
	return n, nil
}

func (r *settlingReader) settle() (err error) {
	if !r.enc.settled {
		if r.ascii, err = r.enc.lookOn(r.ctx, r.src, r.off); err != nil || !r.enc.Found {
			return err
		}
		r.enc.settled = true
	}
	r.rest = r.enc.Encoding.Reader(io.MultiReader(bytes.NewReader(r.unread), r.in))
	return nil
}

// doubt notes a cell whose text depends on an encoding that is uncertain.
func (f *csvFile) doubt(column int) {
	if f.enc.Confidence < leastCertainty && f.enc.Encoding != charset.UTF8 {
		f.warned.add(UncertainEncoding, f.no, column)
	}
}

// warnings returns what is worth a look: what was read in an encoding that is uncertain, and formulas that were read as their text.
func (f *csvFile) warnings() []Warning {
	list := f.warned.list()
	for i := range list {
		if w := &list[i]; w.Code == UncertainEncoding {
			w.Encodings = []string{f.enc.Encoding.Name()}
			if f.enc.Rival != nil {
				w.Encodings = append(w.Encodings, f.enc.Rival.Name())
			}
		}
	}
	return list
}
