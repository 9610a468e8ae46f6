package parquet

import (
	"bufio"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"

	"sheetdrop/internal/sheet/grid"
)

// maxPage limits a page, in bytes: unpacked, and as it is stored. Programs write pages of a MiB, some write all of a row group's values
// into one.
const maxPage = 64 << 20

// unpacker unpacks pages, in memory that it uses again.
type unpacker struct {
	stored []byte // a page as it is stored, of a codec that needs it whole
	zstd   *zstd.Decoder
}

// errSize says that a page unpacks to another size than it says.
var errSize = errors.New("it unpacks to another size than it says")

// unpack reads stored bytes from r and fills dst with what they unpack to.
func (u *unpacker) unpack(codec format.CompressionCodec, dst []byte, r io.Reader, stored int) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it cannot be unpacked: %v", p)
		}
	}()
	switch codec {
	case format.Uncompressed:
		if stored != len(dst) {
			return errSize
		}
		_, err := io.ReadFull(r, dst)
		return err
	case format.Snappy, format.Lz4Raw:
		u.stored = resized(u.stored, stored)
		if _, err := io.ReadFull(r, u.stored); err != nil {
			return err
		}
		return unpackBlock(codec, dst, u.stored)
	case format.Gzip:
		z, err := gzip.NewReader(bufio.NewReader(r))
		if err != nil {
			return err
		}
		return fill(dst, z)
	case format.Brotli:
		return fill(dst, brotli.NewReader(r))
	case format.Zstd:
		return u.unpackZstd(dst, r)
	}
	return &grid.Error{
		Code:      grid.UnsupportedFormat,
		Message:   fmt.Sprintf("The Parquet file is compressed by %v, which is not read. Export it again, compressed by Zstandard, Snappy or not at all.", codec),
		MessageJA: "このParquetファイルの圧縮方式は読めません。Zstandard、Snappy、または無圧縮で書き出してください。",
	}
}

// unpackBlock is for codecs whose blocks stand in memory.
func unpackBlock(codec format.CompressionCodec, dst, stored []byte) error {
	if codec == format.Snappy {
		if n, err := snappy.DecodedLen(stored); err != nil || n != len(dst) {
			return errSize
		}
		_, err := snappy.Decode(dst, stored)
		return err
	}
	if len(dst) == 0 {
		return nil
	}
	if n, err := lz4.UncompressBlock(stored, dst); err != nil || n != len(dst) {
		return errSize
	}
	return nil
}

// zstdWindow limits what a decoder keeps of what it has unpacked.
const zstdWindow = 16 << 20

func (u *unpacker) unpackZstd(dst []byte, r io.Reader) error {
	if u.zstd == nil {
		z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			return err
		}
		u.zstd = z
	}
	if err := u.zstd.Reset(r); err != nil {
		return err
	}
	return fill(dst, u.zstd)
}

// fill reads exactly as much as dst holds.
func fill(dst []byte, r io.Reader) error {
	if _, err := io.ReadFull(r, dst); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return errSize
		}
		return err
	}
	if n, err := io.ReadFull(r, make([]byte, 1)); n > 0 || !errors.Is(err, io.EOF) {
		return errSize
	}
	return nil
}

func (u *unpacker) close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}

// summed reads a page and sums up its bytes, if the page says what the sum is.
type summed struct {
	io.Reader
	sum  hash.Hash32
	want uint32
}

func newSummed(r io.Reader, stored int, want int32) *summed {
	s := &summed{want: uint32(want)}
	s.Reader = io.LimitReader(r, int64(stored))
	if want != 0 {
		s.sum = crc32.NewIEEE()
		s.Reader = io.TeeReader(s.Reader, s.sum)
	}
	return s
}

// check reads what was left of the page.
func (s *summed) check() error {
	if _, err := io.Copy(io.Discard, s.Reader); err != nil {
		return err
	}
	if s.sum != nil && s.sum.Sum32() != s.want {
		return errors.New("its checksum is another one")
	}
	return nil
}

// resized returns a slice of n bytes, in the memory of b if that suffices.
func resized(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}
