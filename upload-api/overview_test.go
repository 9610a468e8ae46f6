package upload

import (
	"net/http"
	"testing"

	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/operate"
	"sheetdrop/upload-api/internal/problem"
)

// Operators see at one glance what waits, what will not go on without them, and how much happened when; nobody else does.
func TestOverview(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	ann, bob := signedIn("ann"), signedIn("bob", operatorRole)
	waits, done, failed := d.upload("a.csv", "a\n", ann), d.upload("b.csv", "bb\n", ann), d.upload("c.csv", "c\n", ann)
	d.exec(`update sheetdrop.task set status = 'COMPLETED', attempt = 1, started_at = now(), finished_at = now(), summary = '{"rows_read":5,"rows_loaded":5}', progress = '{"bytes_total":3}' where id = $1`,
		done.Task.ID)
	setStatus(d, failed.Task.ID, task.Failed)
	failMessage(d, failed.Task.ID)
	d.exec(`update sheetdrop.outbox_message set next_attempt_at = now() - interval '1 h' where task_id = $1`, waits.Task.ID)
	d.exec(`insert into sheetdrop.dead_letter (id, queue_message_id, text, dequeue_count) values (gen_random_uuid(), 'm', 'x', 5)`)

	var o operate.Overview
	d.get("/api/overview", bob).into(http.StatusOK, &o)
	if o.Tasks.Pending != 1 || o.Tasks.Processing != 0 || o.Tasks.Failed != 1 || o.Tasks.OldestPending == nil {
		t.Errorf("tasks: %+v", o.Tasks)
	}
	if o.Outbox.Pending != 2 || o.Outbox.Failed != 1 || o.Outbox.OldestDue == nil || o.DeadLetters != 1 {
		t.Errorf("outbox: %+v, %d dead letters", o.Outbox, o.DeadLetters)
	}
	var all operate.Hour
	for i, h := range o.Hours {
		all.Accepted, all.Completed, all.Failed, all.Rows, all.Bytes = all.Accepted+h.Accepted, all.Completed+h.Completed, all.Failed+h.Failed, all.Rows+h.Rows, all.Bytes+h.Bytes
		if i > 0 && h.Begin.Sub(o.Hours[i-1].Begin).Hours() != 1 {
			t.Errorf("hour %d begins at %s", i, h.Begin)
		}
	}
	if want := (operate.Hour{Accepted: 3, Completed: 1, Failed: 1, Rows: 5, Bytes: 3}); len(o.Hours) != 24 || all != want {
		t.Errorf("%d hours with %+v, want %+v", len(o.Hours), all, want)
	}
	if u := o.Upkeep; u.SchemaVersion != u.NeededSchema || u.Now.IsZero() || u.MaintainedAt.After(u.Now) || u.NewDeadLetters != 1 || u.RecoveringSince != nil {
		t.Errorf("upkeep: %+v", u)
	}
	d.get("/api/overview", ann).problem(problem.NotOperator)
	for caller, want := range map[string]bool{ann: false, bob: true} {
		var me Me
		if d.get("/api/me", caller).into(http.StatusOK, &me); me.Operator != want {
			t.Errorf("%s: %+v", caller, me)
		}
	}
}
