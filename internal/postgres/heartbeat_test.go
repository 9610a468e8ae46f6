package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
)

// One locked task must not cost its neighbours their leases, nor its own run the task: whoever locks it has not taken it over.
func TestHeartbeatPassesByALockedTask(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	var beats []postgres.Beat
	for range 2 {
		beats = append(beats, postgres.Beat{Claim: claim(t, db, db.AddUpload(t).TaskID)})
	}
	locked, free := beats[0].Claim, beats[1].Claim
	if _, err := db.Begin(t).Exec(t.Context(), `select from sheetdrop.task where id = $1 for update`, locked.TaskID); err != nil {
		t.Fatal(err)
	}
	lost := postgres.Beat{Claim: postgres.Claim{TaskID: free.TaskID, Token: uuid.New(), Attempt: 1}}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // were it to wait, then for as long as the other likes
	defer cancel()
	held, err := db.Heartbeat(ctx, 2*time.Hour, append(beats, lost))
	if err != nil {
		t.Fatal(err)
	}
	_, holdsLocked := held[locked.Token]
	_, holdsFree := held[free.Token]
	if !holdsLocked || !holdsFree || len(held) != 2 {
		t.Errorf("held: %v, want the locked task's %s and the free one's %s", held, locked.Token, free.Token)
	}
	if !pgtest.Query[bool](t, db, `select locked_until > now() + interval '90 min' from sheetdrop.task where id = $1`, free.TaskID) {
		t.Error("the lease of the task that nobody has locked was not renewed")
	}
}

// A connection whose path has died without a word is given up at once: the heartbeat's pool has no other one, and the driver would wait for
// the server's farewell for 15 s, while the lease runs out.
func TestHeartbeatConnectsAnewOnADeadPath(t *testing.T) {
	t.Parallel()
	f := pgtest.New(t)
	proxy := pgproxy.New(t, f.URL)
	db, err := postgres.Open(postgres.Settings{URL: proxy.URL(), MaxConns: 1, GiveUp: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	beat := func(timeout time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), timeout)
		defer cancel()
		_, err := db.Heartbeat(ctx, 30*time.Second, nil)
		return err
	}
	if err := beat(time.Minute); err != nil {
		t.Fatal(err)
	}
	proxy.Silence()
	if err := beat(100 * time.Millisecond); err == nil {
		t.Fatal("the path is not dead")
	}
	if err := beat(10 * time.Second); err != nil {
		t.Errorf("the next heartbeat: %v", err)
	}
}
