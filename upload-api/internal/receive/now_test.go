package receive

import (
	"testing"
	"time"

	"sheetdrop/internal/postgres/pgtest"
)

// A reading of the database's clock serves the uploads of ten seconds, and none that begins later.
func TestRecentNow(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	var r recentNow
	read := func() time.Time {
		now, err := r.now(t.Context(), db.DB)
		if err != nil {
			t.Fatal(err)
		}
		return now
	}
	earlier, first := pgtest.Query[time.Time](t, db, `select now()`), read()
	if second := read(); first.Before(earlier) || !second.Equal(first) {
		t.Errorf("%s, and then %s; want the same, and not before %s", first, second, earlier)
	}
	for age, want := range map[time.Duration]bool{maxReadingAge - 1: true, maxReadingAge: false} {
		r.last.Store(&reading{first, func() time.Duration { return age }})
		if again := read().Equal(first); again != want {
			t.Errorf("after %s the reading is used: %t", age, again)
		}
	}
}
