package sheet

import (
	"bytes"
	"context"
	"fmt"

	"sheetdrop/internal/sheet/charset"
)

// Samples lie where the size alone says, so that the same bytes are always judged by the same samples. A file up to wholeBytes is its
// own sample, and one up to keptBytes is read once and kept in memory.
const (
	wholeBytes  = 1 << 20
	keptBytes   = 4 << 20
	headBytes   = 128 << 10
	windowBytes = 16 << 10
	windows     = 16 // evenly between head and end, the last one at the end
)

// sample is a piece of the file.
type sample struct {
	off int64
	charset.Sample
}

// takeSamples reads the file's samples, the head first; each begins at an even offset, as UTF-16's characters do. A file up to
// keptBytes comes back as a Source in memory too.
func takeSamples(ctx context.Context, src Source) (Source, []sample, error) {
	size := src.Size()
	read := func(off, end int64) ([]byte, error) {
		b := make([]byte, end-off)
		return b, readFull(src, b, off)
	}
	if size <= keptBytes {
		kept, err := read(0, size)
		if err != nil {
			return nil, nil, err
		}
		src = bytes.NewReader(kept)
		read = func(off, end int64) ([]byte, error) { return kept[off:end:end], nil }
	}
	places := [][2]int64{{0, size}}
	if size > wholeBytes {
		places = [][2]int64{{0, headBytes}}
		for i := range int64(windows) {
			end := headBytes + (size-headBytes)*(i+1)/windows
			off := (end - windowBytes) &^ 1
			places = append(places, [2]int64{off, end})
		}
	}
	samples := make([]sample, 0, len(places))
	for _, p := range places {
		if err := ctx.Err(); err != nil {
			return nil, nil, fmt.Errorf("read the file: %w", err)
		}
		b, err := read(p[0], p[1])
		if err != nil {
			return nil, nil, err
		}
		samples = append(samples, sample{p[0], charset.Sample{Bytes: b, Head: p[0] == 0, Tail: p[1] == size}})
	}
	return src, samples, nil
}
