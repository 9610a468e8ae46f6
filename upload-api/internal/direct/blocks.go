package direct

import (
	"context"
	"encoding/base64"
	"fmt"

	"sheetdrop/internal/postgres"
	"sheetdrop/upload-api/internal/problem"
)

// The store takes 50,000 blocks of up to 4,000 MiB each (Microsoft Learn, "Scalability and performance targets for Blob storage").
const (
	usualBlock = 8 << 20
	mostBlocks = 50_000
	mostBytes  = mostBlocks * (1 << 30) // far below, so that a block is small enough to be sent again
)

// blockBytes is the size of a file's blocks, but for the last one: 8 MiB, and as many of them as it takes for the blocks not to be too many.
func blockBytes(size int64) int64 {
	const most = mostBlocks * usualBlock
	return usualBlock * ((size + most - 1) / most)
}

// Blocks is how many blocks an upload has.
func Blocks(u postgres.DirectUpload) int64 { return (u.SizeBytes + u.BlockBytes - 1) / u.BlockBytes }

// sizeOf is how many bytes a block must have.
func sizeOf(u postgres.DirectUpload, number int64) int64 {
	return min(u.BlockBytes, u.SizeBytes-number*u.BlockBytes)
}

// blockID is a block's id in the store: all have the same length, as the store asks for, and none needs an escape in an address.
func blockID(number int64) string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%012d", number))
}

// Range is blocks by their numbers, both ends included.
type Range struct {
	First int64 `json:"first"`
	Last  int64 `json:"last"`
}

func appendTo(ranges []Range, number int64) []Range {
	if last := len(ranges) - 1; last >= 0 && ranges[last].Last == number-1 {
		ranges[last].Last = number
		return ranges
	}
	return append(ranges, Range{number, number})
}

// Staged is what has come of an upload's blocks. Wrong ones have another size than they must have.
type Staged struct {
	Stored, Missing, Wrong []Range
	Bytes                  int64 // of those that are stored
}

// Staged compares what is in the store with what the upload promises.
func (u *Uploads) Staged(ctx context.Context, up postgres.DirectUpload) (s Staged, err error) {
	blocks, err := u.Blobs.StagedBlocks(ctx, up.BlobName)
	if err != nil {
		return s, unavailable(err)
	}
	for number := range Blocks(up) {
		size, there := blocks[blockID(number)]
		switch {
		case !there:
			s.Missing = appendTo(s.Missing, number)
		case size != sizeOf(up, number):
			s.Wrong = appendTo(s.Wrong, number)
		default:
			s.Stored = appendTo(s.Stored, number)
			s.Bytes += size
		}
	}
	return s, nil
}

// fault says what keeps the blocks from being committed; nil where nothing does.
func (s Staged) fault() error {
	switch {
	case len(s.Missing) > 0:
		return inRanges(problem.New(problem.BlocksMissing, "%d of the blocks are not stored.", count(s.Missing)), s.Missing, "Not stored.")
	case len(s.Wrong) > 0:
		return inRanges(problem.New(problem.BlockSizeWrong, "%d of the blocks have another size than they must have.", count(s.Wrong)), s.Wrong,
			"Of another size.")
	}
	return nil
}

func inRanges(p *problem.Problem, ranges []Range, message string) *problem.Problem {
	faults := make([]problem.Fault, len(ranges))
	for i, r := range ranges {
		faults[i] = problem.Fault{Location: fmt.Sprintf("blocks.%d-%d", r.First, r.Last), Message: message}
	}
	return p.At(faults...)
}

func count(ranges []Range) (n int64) {
	for _, r := range ranges {
		n += r.Last - r.First + 1
	}
	return n
}
