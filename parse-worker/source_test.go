package parse

import (
	"math/rand/v2"
	"testing"
)

// The progress never runs ahead of what was read, by more than a block's rest, and comes to the file's size and no further.
func TestCoverage(t *testing.T) {
	t.Parallel()
	const size = 3*coverageBlock + 100
	c := newCoverage(size)
	for _, step := range []struct {
		offset int64
		n      int
		want   int64
	}{
		{0, 0, 0},
		{10, 1, coverageBlock},
		{0, coverageBlock, coverageBlock},                    // again
		{2*coverageBlock - 1, 2, 3 * coverageBlock},          // on both sides of a border
		{3 * coverageBlock, 100, size},                       // the last block is short
		{0, size, size},                                      // all again
		{size, 0, size},                                      // its end
		{coverageBlock, 2*coverageBlock + 100 + 1<<20, size}, // as no reader should
	} {
		c.add(step.offset, step.n)
		if got := c.total(); got != step.want {
			t.Errorf("after %d bytes at %d: %d, want %d", step.n, step.offset, got, step.want)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for c, last := newCoverage(size), int64(0); last < size; {
		c.add(random.Int64N(size), random.IntN(100))
		if c.total() < last || c.total() > size {
			t.Fatalf("%d after %d", c.total(), last)
		}
		last = c.total()
	}
}
