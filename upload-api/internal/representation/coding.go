package representation

import (
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
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

// chooseCoding returns the coding that an Accept-Encoding prefers; "" is none.
func chooseCoding(accept string) (chosen string) {
	var best float64
	for _, coding := range []string{zstdCoding, gzipCoding} {
		if quality := qualityOf(accept, coding); quality > best {
			chosen, best = coding, quality
		}
	}
	if best < qualityOf(accept, "identity") {
		return ""
	}
	return chosen
}

// qualityOf returns how much a coding is wanted, from 0 to 1; what is not named is not wanted.
func qualityOf(accept, coding string) (quality float64) {
	for listed := range strings.SplitSeq(accept, ",") {
		name, parameters, _ := strings.Cut(listed, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name != coding && name != "*" {
			continue
		}
		quality = 1
		if q, ok := strings.CutPrefix(strings.ReplaceAll(parameters, " ", ""), "q="); ok {
			quality, _ = strconv.ParseFloat(q, 64)
		}
		if name == coding {
			return quality
		}
	}
	return quality
}
