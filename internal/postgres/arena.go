package postgres

import "slices"

// arenaBlock is how many values a block of an arena has, unless one value needs more.
const arenaBlock = 8 << 10

// arena is memory for many short slices that are all given up at once, and reused then. The zero arena is empty.
type arena[T any] struct {
	blocks [][]T // by their used lengths
	at     int   // the block in use
}

// take returns an empty slice with exactly the capacity n.
func (a *arena[T]) take(n int) []T {
	for a.at < len(a.blocks) && n > cap(a.blocks[a.at])-len(a.blocks[a.at]) {
		a.at++
	}
	if a.at == len(a.blocks) {
		a.blocks = append(a.blocks, make([]T, 0, max(n, arenaBlock)))
	}
	block := &a.blocks[a.at]
	used := len(*block)
	*block = (*block)[:used+n]
	return (*block)[used : used : used+n]
}

// reset gives up all slices that were taken. Blocks that were made for a large one are not kept.
func (a *arena[T]) reset() {
	a.blocks = slices.DeleteFunc(a.blocks, func(block []T) bool { return cap(block) > arenaBlock })
	for i, block := range a.blocks {
		a.blocks[i] = block[:0]
	}
	a.at = 0
}
