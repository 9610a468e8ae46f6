package parse

import (
	"sync"

	"sheetdrop/internal/azure"
)

// source is a blob that notes how much of it has been read, for the progress.
type source struct {
	*azure.BlobReader
	read *coverage
}

func (s source) ReadAt(p []byte, offset int64) (int, error) {
	n, err := s.BlobReader.ReadAt(p, offset)
	s.read.add(offset, n)
	return n, err
}

// coverageBlock is how exactly a coverage looks: what is sampled, read ahead or read again counts once, by blocks.
const coverageBlock = 64 << 10

// coverage is how much of so many bytes has been read, wherever and however often. It is for several goroutines.
type coverage struct {
	size int64

	mu     sync.Mutex
	blocks []bool // that something was read of
	bytes  int64  // in them
}

func newCoverage(size int64) *coverage {
	return &coverage{size: size, blocks: make([]bool, (size+coverageBlock-1)/coverageBlock)}
}

func (c *coverage) add(offset int64, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for block := offset / coverageBlock; block*coverageBlock < min(offset+int64(n), c.size); block++ {
		if !c.blocks[block] {
			c.blocks[block] = true
			c.bytes += min(coverageBlock, c.size-block*coverageBlock)
		}
	}
}

func (c *coverage) total() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}
