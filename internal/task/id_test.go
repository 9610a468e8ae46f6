package task

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/uuid"
)

// The ids of one process sort in the order in which they were made: those of an upload's files do, in lists.
func TestIDsSortByTime(t *testing.T) {
	t.Parallel()
	before := NewID()
	for range 10_000 {
		id := NewID()
		if bytes.Compare(before[:], id[:]) >= 0 {
			t.Fatalf("%s came after %s", id, before)
		}
		before = id
	}
}

// A machine whose clock is wrong makes ids of that time, and of the same kind.
func TestStamp(t *testing.T) {
	t.Parallel()
	for _, by := range []time.Duration{time.Hour, -time.Hour} {
		id := NewID()
		moved := id
		stamp(&moved, by)
		was, is := at(id), at(moved)
		if is.Sub(was) != by || moved.Version() != 7 || moved.Variant() != uuid.RFC4122 || [10]byte(moved[6:]) != [10]byte(id[6:]) {
			t.Errorf("%s moved by %s is %s", id, by, moved)
		}
	}
}

func at(id uuid.UUID) time.Time {
	seconds, nanoseconds := id.Time().UnixTime()
	return time.Unix(seconds, nanoseconds)
}
