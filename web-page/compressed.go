package page

import (
	"bytes"

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
