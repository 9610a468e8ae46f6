package outbox_test

import "testing"

// P2: a file whose message was received by a host that has ended since does not wait for the ten minutes that storage hides it, but gets
// another message. As long as the queue has messages to receive, its own may be among them.
func TestMessageOfAnEndedHostIsReplaced(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.AddUpload(t)
	f.run(t)
	f.Exec(t, `update sheetdrop.task set enqueued_at = now() - interval '2 minutes'`)
	f.periodPasses(t)
	f.run(t)
	f.wantReceived(t, u.TaskID) // once: it could still be received
	f.periodPasses(t)
	f.run(t)
	f.wantReceived(t, u.TaskID)
	f.periodPasses(t)
	f.run(t)
	f.wantReceived(t) // not at once again
}
