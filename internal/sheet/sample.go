package sheet

import (
	"bytes"
	"context"
	"fmt"

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
	if int64(len(head.Bytes)) == src.Size() {
		return samples, nil
	}
	for i := range int64(windows) {
		end := headBytes + (src.Size()-headBytes)*(i+1)/windows
		s, err := takeSample(ctx, src, (end-windowBytes)&^1, end)
		if err != nil {
			return nil, err
		}
		samples = append(samples, s)
	}
	return samples, nil
}

func takeSample(ctx context.Context, src Source, off, end int64) (sample, error) {
	if err := ctx.Err(); err != nil {
		return sample{}, fmt.Errorf("read the file: %w", err)
	}
	b := make([]byte, end-off)
	if err := readahead.Full(src, b, off); err != nil {
		return sample{}, err
	}
	return sample{off, charset.Sample{Bytes: b, Head: off == 0, Tail: end == src.Size()}}, nil
}
