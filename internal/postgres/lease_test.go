package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
)

// A relay never waits for another one: it passes by what the other is taking at this moment. Due messages come oldest first.
func TestClaimPassesByLockedMessages(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	newer, older, locked := db.AddUpload(t).MessageID, db.AddUpload(t).MessageID, db.AddUpload(t).MessageID
	db.Exec(t, `update sheetdrop.outbox_message set next_attempt_at = now() - interval '1 h' where id = $1`, older)
	other := db.Begin(t)
	if _, err := other.Exec(t.Context(), `select from sheetdrop.outbox_message where id = $1 for update`, locked); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // were it to wait, then for as long as the other likes
	defer cancel()
	for i, want := range []uuid.UUID{older, newer} {
		taken, err := db.ClaimMessages(ctx, uuid.New(), time.Hour, time.Time{}, 1)
		if err != nil || len(taken) != 1 || taken[0].ID != want || taken[0].Attempts != 1 {
			t.Errorf("claim %d: %v, %v, want %s", i+1, taken, err, want)
		}
	}
	for name, claim := range map[string]func() ([]postgres.OutboxMessage, error){
		"the due ones": func() ([]postgres.OutboxMessage, error) {
			return db.ClaimMessages(ctx, uuid.New(), time.Hour, time.Time{}, 100)
		},
		"by id": func() ([]postgres.OutboxMessage, error) {
			return db.ClaimMessagesByID(ctx, uuid.New(), time.Hour, []uuid.UUID{newer, older, locked})
		},
	} {
		if taken, err := claim(); err != nil || len(taken) != 0 {
			t.Errorf("%s: %v, %v, want none", name, taken, err)
		}
	}
}

// A nudge takes what is due and free, like the timer: a message that waits after a failure keeps waiting.
func TestClaimByIDTakesDueMessagesOnly(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	due, waits, other := db.AddUpload(t).MessageID, db.AddUpload(t).MessageID, db.AddUpload(t).MessageID
	db.Exec(t, `update sheetdrop.outbox_message set next_attempt_at = now() + interval '1 h' where id = $1`, waits)
	taken, err := db.ClaimMessagesByID(t.Context(), uuid.New(), time.Hour, []uuid.UUID{due, waits, uuid.New()})
	if err != nil || len(taken) != 1 || taken[0].ID != due {
		t.Errorf("%v, %v, want %s and neither %s nor %s", taken, err, due, waits, other)
	}
}

// Only the holder renews and returns the reconciler's lease; one that slept past its end takes nothing from its successor.
func TestReconcilerLeaseIsFenced(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	stale, holder := uuid.New(), uuid.New()
	take := func(token uuid.UUID, lease time.Duration, want bool) {
		t.Helper()
		if taken, err := db.TakeReconciler(t.Context(), token, lease, 0); err != nil || (taken != nil) != want {
			t.Errorf("taken: %v, %v, want %t", taken, err, want)
		}
	}
	renew := func(token uuid.UUID, want bool) {
		t.Helper()
		if held, err := db.RenewReconciler(t.Context(), token, time.Hour); err != nil || held != want {
			t.Errorf("renewed: %t, %v, want %t", held, err, want)
		}
	}
	take(stale, -time.Second, true)
	take(holder, time.Hour, true)
	renew(stale, false)
	ranAt := pgtest.Query[time.Time](t, db, `select ran_at from sheetdrop.reconciler`)
	if err := db.ReleaseReconciler(t.Context(), stale, true); err != nil {
		t.Fatal(err)
	}
	take(stale, time.Hour, false)
	if now := pgtest.Query[time.Time](t, db, `select ran_at from sheetdrop.reconciler`); !now.Equal(ranAt) {
		t.Error("the sleeper says that it has looked")
	}
	renew(holder, true)
	if err := db.ReleaseReconciler(t.Context(), holder, false); err != nil {
		t.Fatal(err)
	}
	take(stale, time.Hour, true)
}
