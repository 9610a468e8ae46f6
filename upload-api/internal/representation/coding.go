package representation

import (
	"io"
	"net/http"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"sheetdrop/internal/acceptencoding"
)

// The codings of content, by their names in HTTP; the better one first.
const (
	zstdCoding = "zstd"
	gzipCoding = "gzip"
)

// encoder compresses what is written to it.
type encoder interface {
	io.WriteCloser
	Flush() error
	Reset(io.Writer)
}

// zstdWindow bounds the memory of an encoder, and of a decoder in a browser.
const zstdWindow = 512 << 10

var encoders = map[string]*sync.Pool{
	gzipCoding: {New: func() any { return must(gzip.NewWriterLevel(nil, gzip.BestSpeed)) }},
	zstdCoding: {New: func() any {
		return must(zstd.NewWriter(nil,
			zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(zstdWindow)))
	}},
}

func must[T encoder](e T, err error) encoder {
	if err != nil {
		panic(err) // the settings are constants
	}
	return e
}

// chooseCoding returns the coding that a request prefers; "" is none.
func chooseCoding(request http.Header) (chosen string) {
	var best float64
	for _, coding := range []string{zstdCoding, gzipCoding} {
		if quality := acceptencoding.Quality(request, coding); quality > best {
			chosen, best = coding, quality
		}
	}
	if best < acceptencoding.Quality(request, "identity") {
		return ""
	}
	return chosen
}
