package webhookstore_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/postgres/webhookstore"
	"sheetdrop/internal/task"
)

// addWebhook commits a webhook of an owner.
func addWebhook(t *testing.T, f *pgtest.Database, owner string, change ...func(*webhookstore.Webhook)) uuid.UUID {
	t.Helper()
	w := webhookstore.Webhook{ID: task.NewID(), URL: "https://receiver.test/", Statuses: []string{"COMPLETED", "FAILED", "CANCELLED"}}
	for _, c := range change {
		c(&w)
	}
	inTx(t, f, func(ctx context.Context, tx postgres.Tx) error {
		return webhookstore.Create(ctx, tx, owner, w, make([]byte, 32), 0)
	})
	return w.ID
}

func inTx(t *testing.T, f *pgtest.Database, do func(context.Context, postgres.Tx) error) {
	t.Helper()
	if err := f.InTx(t.Context(), nil, do); err != nil {
		t.Fatal(err)
	}
}

const (
	completed = `update sheetdrop.task set status = 'COMPLETED', attempt = 1, started_at = now(), finished_at = now(),
  summary = '{"rows_read": 4, "rows_loaded": 3, "rows_rejected": 1, "rows_skipped": 0, "sheets": [{"number": 1, "name": "secret"}]}' where id = $1`
	failed    = `update sheetdrop.task set status = 'FAILED', finished_at = now(), error_code = 'not_a_sheet', error_detail = 'secret' where id = $1`
	cancelled = `update sheetdrop.task set status = 'CANCELLED', finished_at = now() where id = $1`
	retried   = `update sheetdrop.task set status = 'PENDING', finished_at = null, error_code = null, error_detail = null, summary = null where id = $1`
)

// event is what a receiver gets.
type event struct {
	Type      string
	Timestamp time.Time
	Data      map[string]any
}

func events(t *testing.T, f *pgtest.Database, webhookID uuid.UUID) (all []event) {
	t.Helper()
	for _, text := range pgtest.Query[[]string](t, f, `select coalesce(array_agg(payload order by seq), '{}') from sheetdrop.webhook_delivery where webhook_id = $1`, webhookID) {
		var e event
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		all = append(all, e)
	}
	return all
}

// Whatever statement ends a task, of this version or of the one before, its owner's webhooks are told of it by the same commit, with what
// became of the file and none of its cells.
func TestEveryEndOfATaskIsWritten(t *testing.T) {
	t.Parallel()
	for want, statement := range map[string]string{"task.completed": completed, "task.failed": failed, "task.cancelled": cancelled} {
		f := pgtest.New(t)
		mine, other := addWebhook(t, f, "local"), addWebhook(t, f, "another")
		u := f.AddSentUpload(t)
		tx := f.Begin(t)
		if _, err := tx.Exec(t.Context(), statement, u.TaskID); err != nil {
			t.Fatal(err)
		}
		if n := len(events(t, f, mine)); n != 0 {
			t.Errorf("%s: %d events before the commit", want, n)
		}
		if err := tx.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		found := events(t, f, mine)
		if len(found) != 1 || found[0].Type != want || found[0].Data["task_id"] != u.TaskID.String() || found[0].Data["file_id"] != u.File.ID.String() ||
			found[0].Data["file_name"] != "list.csv" || found[0].Data["kind"] != "LOAD" || found[0].Data["link"] != "/api/tasks/"+u.TaskID.String() {
			t.Errorf("%s: the events are %v", want, found)
		}
		if n := len(events(t, f, other)); n != 0 {
			t.Errorf("%s: another owner gets %d events", want, n)
		}
		if n := pgtest.Query[int](t, f, `select count(*) from sheetdrop.webhook_delivery where payload like '%secret%'`); n != 0 {
			t.Errorf("%s: what is of the file's content is in the event: %v", want, found)
		}
	}
}

// A task that is retried ends again: receivers see the order by the timestamps.
func TestEndsOfATaskAreInOrder(t *testing.T) {
	t.Parallel()
	f := pgtest.New(t)
	webhook := addWebhook(t, f, "local")
	u := f.AddSentUpload(t)
	for _, statement := range []string{failed, retried, cancelled, retried, completed} {
		f.Exec(t, statement, u.TaskID)
	}
	found := events(t, f, webhook)
	if len(found) != 3 || found[0].Type != "task.failed" || found[1].Type != "task.cancelled" || found[2].Type != "task.completed" ||
		!found[0].Timestamp.Before(found[1].Timestamp) || !found[1].Timestamp.Before(found[2].Timestamp) {
		t.Fatalf("the events are %v", found)
	}
	if data := found[2].Data; data["rows_read"] != 4.0 || data["rows_loaded"] != 3.0 || data["rows_rejected"] != 1.0 || data["rows_skipped"] != 0.0 {
		t.Errorf("the counts are %v", data)
	}
	if data := found[0].Data; data["error_code"] != "not_a_sheet" {
		t.Errorf("the failure is %v", data)
	}
}

// An event of a load, or of its undo, names the target and what became of its rows; whoever asks for one target gets its events alone.
func TestEventOfATarget(t *testing.T) {
	t.Parallel()
	f := pgtest.New(t)
	target := pgtest.Query[uuid.UUID](t, f, `insert into sheetdrop.target (id, owner, name, kind, schema_name, table_name, ordered)
values (gen_random_uuid(), 'local', 'prices', 'MANAGED', 'data', 'prices', true) returning id`)
	webhook := addWebhook(t, f, "local", func(w *webhookstore.Webhook) { w.TargetIDs = []uuid.UUID{target} })
	for _, task := range []struct{ options, summary string }{
		{`{"target": {"id": "` + target.String() + `", "name": "prices"}}`,
			`{"rows_read": 3, "rows_loaded": 3, "rows_rejected": 0, "rows_skipped": 0, "target": {"name": "prices", "load": 7, "inserted": 1, "updated": 2, "unchanged": 0, "deleted": 0}}`},
		{`{"target": {"id": "` + target.String() + `", "name": "prices", "undo": 7}}`,
			`{"rows_read": 0, "rows_loaded": 0, "rows_rejected": 0, "rows_skipped": 0, "undo": {"name": "prices", "load": 7, "removed": 1, "restored": 2, "kept": 0, "kept_keys": ["secret"]}}`},
		{`{}`, `{"rows_read": 0, "rows_loaded": 0, "rows_rejected": 0, "rows_skipped": 0}`},
	} {
		u := f.AddSentUpload(t, func(u *postgres.Upload) { u.Options = []byte(task.options) })
		f.Exec(t, `update sheetdrop.task set status = 'COMPLETED', attempt = 1, started_at = now(), finished_at = now(), summary = $2 where id = $1`, u.TaskID, task.summary)
	}
	found := events(t, f, webhook)
	if len(found) != 2 {
		t.Fatalf("%d events, want those of the load and of its undo: %v", len(found), found)
	}
	for i, want := range []string{
		`{"deleted":0,"id":"` + target.String() + `","inserted":1,"load":7,"name":"prices","unchanged":0,"updated":2}`,
		`{"id":"` + target.String() + `","kept":0,"load":7,"name":"prices","removed":1,"restored":2}`,
	} {
		got, err := json.Marshal(found[i].Data["target"])
		if kind := []string{"LOAD", "UNDO"}[i]; err != nil || string(got) != want || found[i].Data["kind"] != kind {
			t.Errorf("event %d is %v of target %s, want %s", i, found[i].Data["kind"], got, want)
		}
	}
}

// A webhook gets what it asks for alone, and nothing once it is disabled or deleted.
func TestWebhookGetsWhatItAsksFor(t *testing.T) {
	t.Parallel()
	f := pgtest.New(t)
	onlyFailed := addWebhook(t, f, "local", func(w *webhookstore.Webhook) { w.Statuses = []string{"FAILED"} })
	ofTarget := addWebhook(t, f, "local", func(w *webhookstore.Webhook) { w.TargetIDs = []uuid.UUID{uuid.New()} })
	disabled, deleted := addWebhook(t, f, "local"), addWebhook(t, f, "local")
	inTx(t, f, func(ctx context.Context, tx postgres.Tx) error {
		locked, err := webhookstore.Lock(ctx, tx, "local", disabled)
		if err != nil {
			return err
		}
		locked.DisabledBy = webhookstore.ByOwner
		if err := webhookstore.Change(ctx, tx, locked); err != nil {
			return err
		}
		return webhookstore.Delete(ctx, tx, deleted)
	})
	first, second := f.AddSentUpload(t), f.AddSentUpload(t)
	f.Exec(t, completed, first.TaskID)
	f.Exec(t, failed, second.TaskID)
	for id, want := range map[uuid.UUID]int{onlyFailed: 1, ofTarget: 0, disabled: 0, deleted: 0} {
		if found := events(t, f, id); len(found) != want {
			t.Errorf("webhook %s has %v, want %d events", id, found, want)
		}
	}
}

// claim claims as a sender does that has nothing under way.
func claim(t *testing.T, f *pgtest.Database, change ...func(*webhookstore.Claim)) (claimed []webhookstore.Claimed, token uuid.UUID) {
	t.Helper()
	c := webhookstore.Claim{Token: uuid.New(), Lease: time.Minute, Limit: 100, Share: 10, Each: 10}
	for _, set := range change {
		set(&c)
	}
	inTx(t, f, func(ctx context.Context, tx postgres.Tx) (err error) {
		claimed, err = webhookstore.ClaimDue(ctx, tx, c)
		return err
	})
	return claimed, c.Token
}

func settle(t *testing.T, f *pgtest.Database, token uuid.UUID, d webhookstore.Claimed, o webhookstore.Outcome) {
	t.Helper()
	o.Limit = 72 * time.Hour
	inTx(t, f, func(ctx context.Context, tx postgres.Tx) error { return webhookstore.Settle(ctx, tx, token, d, o) })
}

// A later end of a task is not sent while an earlier one still waits for its next attempt; those of other tasks are.
func TestLaterEndNeverOvertakes(t *testing.T) {
	t.Parallel()
	f := pgtest.New(t)
	addWebhook(t, f, "local")
	u, other := f.AddSentUpload(t), f.AddSentUpload(t)
	for _, statement := range []string{failed, retried, completed} {
		f.Exec(t, statement, u.TaskID)
	}
	first, token := claim(t, f)
	if len(first) != 1 || typeOf(t, f, first[0].ID) != "task.failed" {
		t.Fatalf("%d events are claimed, want the first end alone", len(first))
	}
	settle(t, f, token, first[0], webhookstore.Outcome{Pause: time.Hour})
	f.Exec(t, cancelled, other.TaskID)
	if now, _ := claim(t, f); len(now) != 1 || typeOf(t, f, now[0].ID) != "task.cancelled" {
		t.Fatalf("%d events are claimed, want that of the other task alone", len(now))
	}
	f.Exec(t, `update sheetdrop.webhook_delivery set next_attempt_at = now()`)
	again, token := claim(t, f)
	if len(again) != 1 || again[0].ID != first[0].ID || again[0].Attempts != 2 {
		t.Fatalf("%v is claimed, want the first end again", again)
	}
	settle(t, f, token, again[0], webhookstore.Outcome{Delivered: true})
	if last, _ := claim(t, f); len(last) != 1 || typeOf(t, f, last[0].ID) != "task.completed" {
		t.Errorf("%d events are claimed, want the second end", len(last))
	}
}

func typeOf(t *testing.T, f *pgtest.Database, id uuid.UUID) string {
	t.Helper()
	return pgtest.Query[string](t, f, `select type from sheetdrop.webhook_delivery where id = $1`, id)
}

// However many events of one owner wait, another owner's are claimed beside them; and a webhook that is left for a while takes no places.
func TestOwnersShareTheSender(t *testing.T) {
	t.Parallel()
	f := pgtest.New(t)
	flood := addWebhook(t, f, "flood")
	addWebhook(t, f, "local")
	f.Exec(t, `insert into sheetdrop.webhook_delivery (id, webhook_id, type, payload, next_attempt_at)
select gen_random_uuid(), $1, 'webhook.test', '{}', now() - interval '1 hour' from generate_series(1, 1000)`, flood)
	f.Exec(t, completed, f.AddSentUpload(t).TaskID)
	byOwner := map[string]int{}
	found, _ := claim(t, f, func(c *webhookstore.Claim) { c.Limit, c.Share, c.Each = 16, 4, 4 })
	for _, d := range found {
		byOwner[d.Owner]++
	}
	if byOwner["flood"] != 4 || byOwner["local"] != 1 {
		t.Errorf("claimed %v, want 4 of the flood and the other one", byOwner)
	}
	if more, _ := claim(t, f, func(c *webhookstore.Claim) { c.Share, c.Busy = 4, map[string]int{"flood": 4} }); len(more) != 0 {
		t.Errorf("%d more are claimed of an owner that has its share", len(more))
	}
	if more, _ := claim(t, f, func(c *webhookstore.Claim) { c.Share, c.Most = 4, map[uuid.UUID]int{flood: 0} }); len(more) != 0 {
		t.Errorf("%d are claimed of a webhook that is left for a while", len(more))
	}
}

// Who lost the lease changes nothing any more, and the event goes to whoever claims it next.
func TestExpiredLeaseIsClaimedAgain(t *testing.T) {
	t.Parallel()
	f := pgtest.New(t)
	addWebhook(t, f, "local")
	f.Exec(t, completed, f.AddSentUpload(t).TaskID)
	first, late := claim(t, f)
	if held, _ := claim(t, f); len(held) != 0 {
		t.Fatalf("%d events are claimed twice", len(held))
	}
	f.Exec(t, `update sheetdrop.webhook_delivery set locked_until = now() - interval '1 second'`)
	second, token := claim(t, f)
	if len(second) != 1 || second[0].ID != first[0].ID {
		t.Fatalf("%v is claimed, want the same event", second)
	}
	settle(t, f, late, first[0], webhookstore.Outcome{Pause: time.Hour})
	if status := statusOf(t, f); status != "PENDING 2 t" {
		t.Errorf("after the late one the event is %s, want PENDING 2 t", status)
	}
	settle(t, f, token, second[0], webhookstore.Outcome{Delivered: true})
	if status := statusOf(t, f); status != "DELIVERED 2 f" {
		t.Errorf("the event is %s, want DELIVERED 2 f", status)
	}
}

// statusOf is the state of the only delivery, its attempts, and whether somebody holds it.
func statusOf(t *testing.T, f *pgtest.Database) string {
	t.Helper()
	return pgtest.Query[string](t, f, `select concat_ws(' ', status, attempts, locked_by is not null) from sheetdrop.webhook_delivery`)
}

// An event is given up after some days, and no earlier: by the attempt that fails then or, where none is made, by itself. Its owner can have it
// sent again, from the beginning.
func TestEventIsGivenUpAfterDays(t *testing.T) {
	t.Parallel()
	f := pgtest.New(t)
	webhook := addWebhook(t, f, "local")
	f.Exec(t, completed, f.AddSentUpload(t).TaskID)
	for _, step := range []struct {
		waited string
		want   string
	}{{"71 hours 50 minutes", "PENDING 1 f"}, {"72 hours", "DEAD 2 f"}} {
		f.Exec(t, `update sheetdrop.webhook_delivery set queued_at = now() - $1::interval, next_attempt_at = now()`, step.waited)
		found, token := claim(t, f)
		settle(t, f, token, found[0], webhookstore.Outcome{Pause: time.Minute})
		if status := statusOf(t, f); status != step.want {
			t.Errorf("after %s: %s, want %s", step.waited, status, step.want)
		}
	}
	id := pgtest.Query[uuid.UUID](t, f, `select id from sheetdrop.webhook_delivery`)
	inTx(t, f, func(ctx context.Context, tx postgres.Tx) error { return webhookstore.Redeliver(ctx, tx, webhook, id) })
	if status := statusOf(t, f); status != "PENDING 0 f" {
		t.Errorf("sent again: %s, want PENDING 0 f", status)
	}
	f.Exec(t, `update sheetdrop.webhook_delivery set queued_at = now() - interval '73 hours'`)
	inTx(t, f, func(ctx context.Context, tx postgres.Tx) error {
		_, err := webhookstore.Expire(ctx, tx, 72*time.Hour)
		return err
	})
	if status := statusOf(t, f); status != "DEAD 0 f" {
		t.Errorf("never tried: %s, want DEAD 0 f", status)
	}
}

// A receiver that answers 410 gets nothing any more until its owner enables it.
func TestGoneDisablesTheWebhook(t *testing.T) {
	t.Parallel()
	f := pgtest.New(t)
	webhook := addWebhook(t, f, "local")
	f.Exec(t, completed, f.AddSentUpload(t).TaskID)
	found, token := claim(t, f)
	settle(t, f, token, found[0], webhookstore.Outcome{Gone: true})
	if status := statusOf(t, f); status != "DEAD 1 f" {
		t.Errorf("the event is %s, want DEAD 1 f", status)
	}
	shown, err := webhookstore.Find(t.Context(), f.DB, "local", webhook)
	if err != nil || shown.DisabledBy != webhookstore.ByReceiver || shown.Dead != 1 {
		t.Errorf("the webhook is %+v, %v", shown, err)
	}
	f.Exec(t, completed, f.AddSentUpload(t).TaskID)
	if n := len(events(t, f, webhook)); n != 1 {
		t.Errorf("%d events, want no further one", n)
	}
}

// The history goes after its time, with what waits for deleted webhooks, and then these; what waits for others stays, however old it is.
func TestOldDeliveriesAreDeleted(t *testing.T) {
	t.Parallel()
	f := pgtest.New(t)
	kept, deleted := addWebhook(t, f, "local"), addWebhook(t, f, "local")
	f.Exec(t, completed, f.AddSentUpload(t).TaskID)
	f.Exec(t, `insert into sheetdrop.webhook_delivery (id, webhook_id, type, payload, status, ended_at)
select gen_random_uuid(), $1, 'webhook.test', '{}', 'DELIVERED', now() - make_interval(days => d) from generate_series(28, 31) d`, kept)
	inTx(t, f, func(ctx context.Context, tx postgres.Tx) error { return webhookstore.Delete(ctx, tx, deleted) })
	f.Exec(t, `update sheetdrop.webhook set deleted_at = now() - interval '2 days' where id = $1`, deleted)
	for more := true; more; {
		inTx(t, f, func(ctx context.Context, tx postgres.Tx) (err error) {
			more, err = webhookstore.DeleteOld(ctx, tx, 30)
			return err
		})
	}
	if left := pgtest.Query[string](t, f, `select string_agg(concat(status, ' ', (webhook_id = $1)), ', ' order by seq) from sheetdrop.webhook_delivery`, kept); left != "PENDING t, DELIVERED t, DELIVERED t" {
		t.Errorf("left are %s", left)
	}
	if n := pgtest.Query[int](t, f, `select count(*) from sheetdrop.webhook`); n != 1 {
		t.Errorf("%d webhooks are left, want 1", n)
	}
}
