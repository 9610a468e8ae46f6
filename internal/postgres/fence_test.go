package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
)

// taskWrites are all statements by which a worker changes its task. Each reports whether it took effect.
var taskWrites = map[string]func(t *testing.T, db *pgtest.Database, c postgres.Claim) bool{
	"complete": func(t *testing.T, db *pgtest.Database, c postgres.Claim) bool {
		load := beginLoad(t, db.DB, c)
		sheet, err := load.NewSheetID(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := load.Row(sheet, 2, 2, [][]byte{[]byte("x")}); err != nil {
			t.Fatal(err)
		}
		held, err := load.Complete(t.Context(), pgtest.Sheets(), task.Summary{}, task.Progress{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return held
	},
	"fail": func(t *testing.T, db *pgtest.Database, c postgres.Claim) (held bool) {
		inTransaction(t, db, func(ctx context.Context, tx postgres.Tx) (err error) {
			held, err = tx.FailTask(ctx, c, task.Failure{Code: task.ContentMissing, Message: "gone"})
			return err
		})
		return held
	},
	"cancel": func(t *testing.T, db *pgtest.Database, c postgres.Claim) (held bool) {
		inTransaction(t, db, func(ctx context.Context, tx postgres.Tx) (err error) {
			held, err = tx.CancelRun(ctx, c)
			return err
		})
		return held
	},
	"returned": func(t *testing.T, db *pgtest.Database, c postgres.Claim) bool {
		var status task.Status
		inTransaction(t, db, func(ctx context.Context, tx postgres.Tx) (err error) {
			status, err = tx.EndRun(ctx, c, postgres.Outcome{Faults: 1}, postgres.NewParseMessage(uuid.New(), c.TaskID))
			return err
		})
		return status != ""
	},
}

// A frozen worker that wakes up after another one has taken its task changes nothing: a write takes effect only for the task's latest claim. Either half of the claim is enough to tell
// an old one, and an old one leaves no trace, neither rows nor a message.
func TestOnlyTheLatestClaimWrites(t *testing.T) {
	t.Parallel()
	stale := map[string]func(c postgres.Claim) postgres.Claim{
		"another token":   func(c postgres.Claim) postgres.Claim { c.Token = uuid.New(); return c },
		"another attempt": func(c postgres.Claim) postgres.Claim { c.Attempt--; return c },
	}
	for name, write := range taskWrites {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := pgtest.New(t)
			u := db.AddUpload(t)
			c := claim(t, db, u.TaskID)
			if name == "cancel" {
				db.Exec(t, `update sheetdrop.task set cancel_requested_at = now()`)
			}
			const everything = `select (select t::text from sheetdrop.task t) || (select count(*) from sheetdrop.outbox_message) || (select count(*) from sheetdrop.sheet_row)`
			before := pgtest.Query[string](t, db, everything)
			for whose, change := range stale {
				if write(t, db, change(c)) {
					t.Errorf("%s: it says that it took effect", whose)
				}
				if after := pgtest.Query[string](t, db, everything); after != before {
					t.Errorf("%s: changed\n%s\nto\n%s", whose, before, after)
				}
			}
			if !write(t, db, c) {
				t.Error("the holder's write took no effect")
			}
			if write(t, db, c) {
				t.Error("it took effect twice")
			}
		})
	}
}

// Nobody is cancelled without having been asked.
func TestCancelRunNeedsARequest(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	if taskWrites["cancel"](t, db, claim(t, db, db.AddUpload(t).TaskID)) {
		t.Error("cancelled though nobody asked")
	}
}

// Tokens are of a claim, not of a process: two runs of one process are told apart. A heartbeat renews its own claims alone and says which of them
// are no longer held; a look-up finds no other claim of the same task.
func TestHeartbeatAndLookUpKnowTheClaim(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	mine, lost := claim(t, db, db.AddUpload(t).TaskID), claim(t, db, db.AddUpload(t).TaskID)
	former := lost.Token
	lost.Token = uuid.New()
	held, err := db.Heartbeat(t.Context(), 2*time.Hour, []postgres.Beat{{Claim: mine}, {Claim: lost}})
	if err != nil {
		t.Fatal(err)
	}
	if _, holds := held[mine.Token]; !holds || len(held) != 1 {
		t.Errorf("held: %v, want %v alone", held, mine.Token)
	}
	const renewed = `select locked_until > now() + interval '90 min' from sheetdrop.task where id = $1`
	if !pgtest.Query[bool](t, db, renewed, mine.TaskID) || pgtest.Query[bool](t, db, renewed, lost.TaskID) {
		t.Error("the heartbeat did not renew its own lease alone")
	}
	for token, want := range map[uuid.UUID]bool{lost.Token: false, former: true} {
		if holds, err := db.Holds(t.Context(), lost.TaskID, token); err != nil || holds != want {
			t.Errorf("holds: %t, %v, want %t", holds, err, want)
		}
	}
}

// A claim makes the lease that it was asked for, and forgets how far the run before it had come.
func TestClaimStartsAnew(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	u := db.AddUpload(t)
	db.Exec(t, `update sheetdrop.task set progress = '{"rows_read": 7}'`)
	claim(t, db, u.TaskID)
	if !pgtest.Query[bool](t, db, `select progress is null and locked_until > now() + interval '50 min' from sheetdrop.task`) {
		t.Error("the new run shows the progress of the old one, or has no lease")
	}
}

// A deleted file is not parsed, whatever state its task is in.
func TestDeletedFileIsNotClaimed(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	u := db.AddUpload(t)
	db.Exec(t, `update sheetdrop.source_file set deleted_at = now()`)
	inTransaction(t, db, func(ctx context.Context, tx postgres.Tx) error {
		claimed, status, err := tx.ClaimTask(ctx, u.TaskID, uuid.New(), time.Hour, false)
		if claimed != nil || status != task.Pending {
			t.Errorf("claimed %v, status %s, want none and PENDING", claimed, status)
		}
		return err
	})
}
