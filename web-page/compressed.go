package page

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// compress returns text in the gzip coding.
func compress(text []byte) []byte {
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is one that exists
	_, _ = w.Write(text)                                       // a bytes.Buffer takes everything
	_ = w.Close()
	return packed.Bytes()
}

// takesGzip reports whether a client accepts an answer in the gzip coding: Accept-Encoding names it, or all codings, with a weight above 0
// (RFC 9110, 12.5.3). Without the header the answer is not compressed, for who does not ask may be unable to read it.
func takesGzip(header http.Header) bool {
	weights := map[string]float64{}
	for element := range strings.SplitSeq(strings.Join(header.Values("Accept-Encoding"), ","), ",") {
		coding, parameter, weighted := strings.Cut(element, ";")
		weight := 1.0
		if weighted {
			name, value, _ := strings.Cut(parameter, "=")
			q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if !strings.EqualFold(strings.TrimSpace(name), "q") || err != nil {
				continue
			}
			weight = q
		}
		weights[strings.ToLower(strings.TrimSpace(coding))] = weight
	}
	for _, coding := range []string{"gzip", "x-gzip", "*"} {
		if weight, named := weights[coding]; named {
			return weight > 0
		}
	}
	return false
}
