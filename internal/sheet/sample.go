package sheet

import (
	"bytes"
	"context"
	"fmt"

	"sheetdrop/internal/sheet/charset"
)

// Samples lie where the size alone says, so that the same bytes are always judged by the same samples. A file up to wholeBytes is its
// own sample and is read once.
const (
	wholeBytes  = 1 << 20
	headBytes   = 128 << 10
	windowBytes = 16 << 10
	windows     = 16 // evenly between head and end, the last one at the end
)

// sample is a piece of the file.
type sample struct {
	off int64
	charset.Sample
}

// takeSamples reads the file's samples, the head first; each begins at an even offset, as UTF-16's characters do. A small file comes
// back as a Source in memory too.
func takeSamples(ctx context.Context, src Source) (Source, []sample, error) {
	size := src.Size()
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
		b := make([]byte, p[1]-p[0])
		if err := readFull(src, b, p[0]); err != nil {
			return nil, nil, err
		}
		samples = append(samples, sample{p[0], charset.Sample{Bytes: b, Head: p[0] == 0, Tail: p[1] == size}})
	}
	if len(places) == 1 {
		src = bytes.NewReader(samples[0].Bytes)
	}
	return src, samples, nil
}
