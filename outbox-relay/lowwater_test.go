package outbox_test

import (
	"testing"
	"time"

	"sheetdrop/internal/postgres/pgtest"
)

// A drain that has come to later due times goes back for what was committed late: while there is more to do, and before it ends.
func TestLateCommitIsSentInTheSameRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lease    time.Duration // a third of it passes between claims from the beginning
		messages int
		least    int // of them are sent after the late one
	}{
		"while there is more": {time.Second, 1_200, 200},
		"at the end":          {time.Hour, 600, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.addMessages(t, c.messages)
			tx := f.Begin(t)
			if _, err := tx.Exec(t.Context(), `insert into sheetdrop.outbox_message (id, event_type, payload, next_attempt_at, trace_context)
values (gen_random_uuid(), 'PARSE_TASK', '{}', now() - interval '1 h', 'late')`); err != nil {
				t.Fatal(err)
			}
			settings := patient
			settings.Lease, settings.Period = c.lease, time.Hour // nothing but the end of the messages ends it
			ended := make(chan error, 1)
			go func() { ended <- f.relay(t, settings, f.DB, f.parts).Run(t.Context()) }()
			f.Await(t, `select count(*) >= 400 from sheetdrop.outbox_history`)
			if err := tx.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := <-ended; err != nil {
				t.Fatal(err)
			}
			if left := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_message`); left != 0 {
				t.Errorf("%d messages are left", left)
			}
			after := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_history
where processed_at > (select processed_at from sheetdrop.outbox_history where trace_context = 'late')`)
			if after < c.least {
				t.Errorf("%d messages were sent after the late one, want %d at the least", after, c.least)
			}
		})
	}
}
