package maintenance_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
)

// Operators hear of what they have to know also where the answer to the statement that brought it about was lost: its writer cannot
// tell them.
func TestOperatorsAreToldAfterALostAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		arrange func(t *testing.T, f *fixture) (subject string)
		settles bool // and that is refused messages, by a relay
		lose    func(*pgproxy.Proxy)
		line    string
		names   string
	}{
		"a task is FAILED since its worker died five times": {
			func(t *testing.T, f *fixture) string {
				u := f.claimed(t, "-1 h")
				f.Exec(t, `update sheetdrop.task set crashes = 4, alone_attempt = attempt`)
				f.periodPasses(t)
				return u.TaskID.String()
			}, false, func(p *pgproxy.Proxy) { p.CutAfterCommit(1) }, "task failed", "task_id",
		},
		"a message is FAILED": {
			func(t *testing.T, f *fixture) string {
				u := f.AddUpload(t)
				f.Exec(t, `update sheetdrop.outbox_message set rejections = 4`)
				return u.MessageID.String()
			}, true, func(p *pgproxy.Proxy) { p.CutAfterStatement("into sheetdrop.outbox_history", 1) }, "outbox message failed", "message_id",
		},
		"the queue has given up a message": {
			func(t *testing.T, f *fixture) string {
				f.poisoned(t, "text")
				return ""
			}, false, func(p *pgproxy.Proxy) { p.CutAfterCommit(2) }, "message was given up by the queue", "queue_message_id",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			subject := c.arrange(t, f)
			proxy := pgproxy.New(t, f.URL)
			db := pgtest.Open(t, proxy.URL())
			c.lose(proxy)
			if c.settles {
				f.refuse(t, db)
			} else if err := f.runner(t, defaults(), db).Run(t.Context()); err != nil {
				t.Error(err)
			}
			if proxy.Cuts() == 0 {
				t.Fatal("no answer was lost")
			}
			f.run(t)
			if lines := f.Log.Lines(t, c.line); len(lines) == 0 || subject != "" && lines[0][c.names] != subject {
				t.Errorf("alerts: %v, want one for %s", lines, subject)
			}
			if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.alert`); n != 0 {
				t.Errorf("%d alerts are left, and would be told again", n)
			}
		})
	}
}

// refuse settles all messages as refused once more, over a connection that loses the answer.
func (f *fixture) refuse(t *testing.T, db *postgres.DB) {
	t.Helper()
	token := uuid.New()
	messages, err := f.ClaimMessages(t.Context(), token, time.Minute, time.Time{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	var s postgres.Settlement
	for _, m := range messages {
		s.Failed = append(s.Failed, postgres.SendFailure{ID: m.ID, Error: "unusable", Rejected: true})
	}
	if err := db.Settle(t.Context(), token, s); err == nil {
		t.Error("the answer has come")
	}
}
