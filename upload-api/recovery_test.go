package upload

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/operate"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/receive"
)

// lose makes the database forget a file, as by a restore to a minute before, and begins a recovery. It returns the name of the file's blob.
func (d *testAPI) lose(file uuid.UUID) (blob string) {
	d.t.Helper()
	d.exec(`insert into sheetdrop.recovery (restored_to) values (now() - interval '1 min') on conflict do nothing`)
	d.exec(`delete from sheetdrop.outbox_message where task_id in (select id from sheetdrop.task where source_file_id = $1)`, file)
	d.query(&blob, `delete from sheetdrop.source_file where id = $1 returning blob_name`, file)
	return blob
}

func (d *testAPI) lostBlobs() map[string]operate.LostBlob {
	d.t.Helper()
	lost := map[string]operate.LostBlob{}
	for cursor := ""; ; {
		var page export.List[operate.LostBlob]
		d.get("/api/recovery/blobs?limit=2&cursor="+cursor).into(http.StatusOK, &page)
		for _, b := range page.Items {
			lost[b.Blob] = b
		}
		if page.Next == nil {
			return lost
		}
		cursor = *page.Next
	}
}

func (d *testAPI) recover(blob string, more string) answer {
	d.t.Helper()
	return d.postJSON("/api/recovery/files", `{"blob":"`+blob+`"`+more+`}`)
}

// P1: a lost file comes back as it was: its ids, owner, name, media type, bytes and options, under its idempotency key, with its part of a
// multipart upload; and the relay is told.
func TestRecoveredFileIsTheOneThatWasUploaded(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	operator := signedIn("operator", operatorRole)
	const name = `\"<&>失われた 🙂.csv`
	request := "/api/files?delimiter=tab&name=" + url.QueryEscape(name)
	key := "Idempotency-Key: " + strings.Repeat("~", 255)
	var before, after FileAndTask
	d.post(request, "a\tb\n", signedIn("ann"), key).into(http.StatusAccepted, &before)
	blob := d.lose(before.File.ID)
	d.postJSON("/api/recovery/files", `{"blob":"`+blob+`"}`, operator).into(http.StatusOK, &after)
	before.File.CreatedAt, before.Task.CreatedAt = after.File.CreatedAt, after.Task.CreatedAt
	if before.File != after.File || before.Task.ID != after.Task.ID || !equalJSON(before.Task.Options, after.Task.Options) {
		t.Errorf("recovered is %+v, was %+v", after, before)
	}
	var again FileAndTask
	if d.post(request, "a\tb\n", signedIn("ann"), key).into(http.StatusAccepted, &again); again.Task.ID != before.Task.ID {
		t.Errorf("sent again it is task %s, want %s", again.Task.ID, before.Task.ID)
	}
	var message uuid.UUID
	d.query(&message, `select id from sheetdrop.outbox_message where task_id = $1`, before.Task.ID)
	if nudged := d.nudges(); nudged[len(nudged)-1] != message {
		t.Errorf("the relay was told of %v, want %s", nudged, message)
	}
	if n := d.count("operator_action where action = 'recover_file' and caller <> '' and target is not null"); n != 1 {
		t.Errorf("%d records of it", n)
	}
}

// Nothing becomes a file that may have been deleted, whose options or owner are not known, or that is under way, unless an operator sees
// that and asks for it.
func TestDoubtfulBlobsAreShownAsSuch(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	longOptions := "/api/files?name=a.csv"
	for column := range 8 {
		longOptions += "&column=" + url.QueryEscape(fmt.Sprintf("%d:text;pattern=%s", column, strings.Repeat("x", 1000)))
	}
	var long FileAndTask
	d.post(longOptions, "a\n").into(http.StatusAccepted, &long)
	plain := d.lose(d.upload("a.csv", "a\n").File.ID)
	withLong := d.lose(long.File.ID)
	d.upload("kept.csv", "a\n")
	stranger := plain[:len(receive.BlobFolder)] + uuid.NewString()
	if err := d.store.Upload(t.Context(), stranger, strings.NewReader("a\n")); err != nil {
		t.Fatal(err)
	}
	lost := d.lostBlobs()
	if len(lost) != 3 || lost[plain].Owner != "local" || lost[plain].Doubtful || lost[plain].NoOptions || !lost[withLong].NoOptions || lost[stranger].Owner != "" {
		t.Errorf("listed are %+v", lost)
	}
	d.recover(stranger, "").problem(problem.NotRecoverable)
	d.recover(withLong, "").problem(problem.NotRecoverable)
	var recovered FileAndTask
	if d.recover(withLong, `,"default_options":true`).into(http.StatusOK, &recovered); string(recovered.Task.Options) != "{}" {
		t.Errorf("options are %s", recovered.Task.Options)
	}
	for _, none := range []string{"", "x", "epoch", plain[:len(receive.BlobFolder)] + uuid.NewString(), strings.ToUpper(plain), "x" + plain} {
		d.recover(none, "").problem(problem.NotFound)
	}

	d.exec(`update sheetdrop.recovery set restored_to = now() + interval '1 h', noticed_at = now() + interval '1 h'`)
	if lost := d.lostBlobs(); len(lost) != 2 || !lost[plain].Doubtful {
		t.Errorf("uploaded before the restore point: %+v", lost)
	}
	d.exec(`update sheetdrop.recovery set restored_to = now() + interval '13 h', noticed_at = now() + interval '13 h'`)
	if lost := d.lostBlobs(); len(lost) != 0 {
		t.Errorf("uploaded too early to be committed after the restore point: %+v", lost)
	}
	d.recover(plain, "").problem(problem.NotFound)
	d.exec(`update sheetdrop.recovery set restored_to = now() - interval '2 h', noticed_at = now() - interval '2 h'`)
	if lost := d.lostBlobs(); len(lost) != 0 {
		t.Errorf("may be under way: %+v", lost)
	}
}

// P1: outside of a recovery nothing is recovered, because the blob may be about to be deleted as an orphan; and a
// recovery begins only while no maintenance is running.
func TestRecoveryAndSweepExcludeEachOther(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	d.get("/api/recovery/blobs").problem(problem.NoRecovery)
	blob := d.lose(d.upload("a.csv", "a\n").File.ID)
	var changed operate.Changed
	d.postJSON("/api/recovery/end", `{}`).into(http.StatusOK, &changed)
	d.postJSON("/api/recovery/end", `{}`).problem(problem.NoRecovery)
	d.recover(blob, "").problem(problem.NoRecovery)
	const begin = `{"restored_to":"2026-01-01T00:00:00Z"}`
	d.exec(`update sheetdrop.reconciler set locked_by = gen_random_uuid(), locked_until = now() + interval '1 h'`)
	d.postJSON("/api/recovery", begin).problem(problem.Busy)
	d.exec(`update sheetdrop.reconciler set locked_by = null, locked_until = null`)
	var recovery operate.Recovery
	d.postJSON("/api/recovery", `{"restored_to":"2026-01-02T00:00:00Z"}`).into(http.StatusOK, &recovery)
	if d.postJSON("/api/recovery", begin).into(http.StatusOK, &recovery); recovery.RestoredTo.Format("2006-01-02") != "2026-01-01" {
		t.Errorf("%+v, want the earlier moment", recovery)
	}
	d.recover(blob, "").into(http.StatusOK, &FileAndTask{})
}
