package database_test

import (
	"testing"
	"time"

	"sheetdrop/internal/postgres/database"
)

// Times that people get to see are in UTC, wherever the program runs: no caller has to convert them.
func TestTimesAreInUTC(t *testing.T) {
	t.Parallel()
	type times struct {
		At    time.Time
		Maybe *time.Time
	}
	got, err := database.One[times](t.Context(), open(t, newItems(t).url), `select now() as at, now() as maybe`)
	if err != nil {
		t.Fatal(err)
	}
	for what, at := range map[string]time.Time{"a time": got.At, "one that may be NULL": *got.Maybe} {
		if at.Location() != time.UTC {
			t.Errorf("%s is in %s", what, at.Location())
		}
	}
}

// A column without a field, or a field without a column, as after a change of one of the two alone, is an error, and no value that is lost.
func TestColumnsAndFieldsMustMatch(t *testing.T) {
	t.Parallel()
	db := open(t, newItems(t).url)
	type row struct{ ID int }
	if found, err := database.All[row](t.Context(), db, `select id, n from item`); err == nil {
		t.Errorf("%v, want an error for n", found)
	}
	if found, err := database.All[struct{ ID, N int }](t.Context(), db, `select id from item`); err == nil {
		t.Errorf("%v, want an error for N", found)
	}
	if found, err := database.One[row](t.Context(), db, `select id from item where false`); err != nil || found != nil {
		t.Errorf("%v, %v, want none", found, err)
	}
	if ids, err := database.Column[int](t.Context(), db, `select id from item order by id`); err != nil || len(ids) != 2 || ids[0] != 1 {
		t.Errorf("%v, %v, want 1 and 2", ids, err)
	}
}
