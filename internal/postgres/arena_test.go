package postgres

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "sheetdrop/internal/rapidseed"
)

// Slices of an arena never share memory, however long they are, and large blocks are not kept.
func TestArena(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var a arena[int]
		for range 3 {
			a.reset()
			lengths := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(0, 9), rapid.IntRange(arenaBlock-5, arenaBlock+5)), 1, 40).Draw(t, "lengths")
			taken := make([][]int, len(lengths))
			for i, n := range lengths {
				taken[i] = append(a.take(n), slices.Repeat([]int{i}, n)...)
			}
			for i, s := range taken {
				if want := slices.Repeat([]int{i}, lengths[i]); !slices.Equal(s, want) || cap(s) != len(s) {
					t.Fatalf("slice %d of %v has changed", i, lengths)
				}
			}
		}
		a.reset()
		for _, block := range a.blocks {
			if cap(block) != arenaBlock {
				t.Fatalf("a block of %d values is kept", cap(block))
			}
		}
	})
}
