package runbooks

import (
	"crypto/sha256"
	"net/http"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"

	"sheetdrop/internal/chaos/storageproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/verify/e2e"
)

// garbage is a message that is none of ours, in base64: "nothing".
const garbage = "bm90aGluZw=="

// rehearseMessages rehearses the pages about outbox, queue and tasks.
func rehearseMessages(t *testing.T) {
	s := &scene{}
	direct := devtest.Storage(t)
	storage := s.through(t, direct)
	s.App = e2e.Start(t, e2e.Options{
		Settings: settings, Storage: &storage, TimeScale: 0.02, // of the 30 s between two deliveries
		Alerts: []string{"outbox_message_failed", "dead_letter", "task_failed"}, Errors: []string{"not a parse message", `"alert":"outbox_behind"`},
	})
	s.sit(t)

	s.rehearse(t, rehearsal{
		page: "outbox-failed", shown: "BLOB_DELETE",
		breaks: func(t *testing.T) {
			s.judge(func(r *http.Request) storageproxy.Fault {
				if isFor(r, "/2026/01/01/none", http.MethodDelete) {
					return http.StatusBadRequest
				}
				return storageproxy.None
			})
			s.Exec(t, `insert into sheetdrop.outbox_message (id, event_type, payload, rejections) values (gen_random_uuid(), 'BLOB_DELETE', '{"blob_name":"2026/01/01/none"}', 4)`)
			s.Database.Await(t, `select status = 'FAILED' from sheetdrop.outbox_message`)
		},
		mends: func(*testing.T) { s.judge(nil) },
		after: func(t *testing.T) { s.Database.Await(t, `select not exists (select from sheetdrop.outbox_message)`) },
	})
	s.rehearse(t, rehearsal{
		page: "outbox-stuck", shown: "AuthorizationPermissionMismatch",
		breaks: func(t *testing.T) {
			s.judge(func(r *http.Request) storageproxy.Fault {
				if isFor(r, direct.Queue+"/messages", http.MethodPost) {
					return http.StatusForbidden
				}
				return storageproxy.None
			})
			s.Upload(t, "waiting.csv", []byte("a\n1\n"))
			s.Exec(t, `update sheetdrop.outbox_message set created_at = now() - interval '6 min'`)
		},
		mends: func(*testing.T) { s.judge(nil) },
		after: func(t *testing.T) {
			s.Database.Await(t, `select not exists (select from sheetdrop.outbox_message) and not exists (select from sheetdrop.task where status <> 'COMPLETED')`)
		},
	})
	s.rehearseLetters(t, direct)
	s.rehearseTasks(t)
}

// rehearseLetters rehearses the pages about messages that nobody can handle.
func (s *scene) rehearseLetters(t *testing.T, direct devtest.StorageParts) {
	t.Helper()
	queue, poison := direct.Queues(t)
	put := func(t *testing.T, queue *azqueue.QueueClient) {
		t.Helper()
		if _, err := queue.EnqueueMessage(t.Context(), garbage, nil); err != nil {
			t.Fatal(err)
		}
	}
	forget := func(t *testing.T) { s.Exec(t, `delete from sheetdrop.dead_letter`) } // of which doctor warns for a day
	s.rehearse(t, rehearsal{
		page: "dead-letter", shown: "nothing", over: "state.deadletters", after: forget,
		breaks: func(t *testing.T) { put(t, queue) },
	})
	s.rehearse(t, rehearsal{
		page: "poison-queue", shown: "state.poison", over: "state.deadletters", after: forget,
		breaks: func(t *testing.T) {
			s.judge(func(r *http.Request) storageproxy.Fault {
				if isFor(r, direct.Queue+"-poison/messages", http.MethodGet) && r.URL.Query().Get("peekonly") != "true" {
					return http.StatusForbidden
				}
				return storageproxy.None
			})
			put(t, poison)
		},
		mends: func(*testing.T) { s.judge(nil) },
	})
	s.rehearse(t, rehearsal{
		page: "poisoned-queue", shown: "nothing", over: "state.deadletters",
		breaks: func(t *testing.T) {
			for range 12 {
				put(t, queue)
			}
			s.Upload(t, "among-them.csv", []byte("a\n1\n"))
		},
		after: func(t *testing.T) {
			s.Database.Await(t, `select count(*) >= 12 from sheetdrop.dead_letter`)
			s.Database.Await(t, `select not exists (select from sheetdrop.task where status <> 'COMPLETED')`)
			forget(t)
		},
	})
}

// content is that of files which the test puts into the database itself.
const content = "a\n1\n"

func withContent(u *postgres.Upload) {
	u.File.SizeBytes, u.File.SHA256 = int64(len(content)), sha256.Sum256([]byte(content))
}

// store puts the bytes of such a file where they belong.
func (s *scene) store(t *testing.T, u postgres.Upload) {
	t.Helper()
	blobs, _ := s.Stores(t)
	if err := blobs.Upload(t.Context(), u.File.BlobName, strings.NewReader(content)); err != nil {
		t.Fatal(err)
	}
}

// rehearseTasks rehearses the pages about tasks.
func (s *scene) rehearseTasks(t *testing.T) {
	t.Helper()
	gone := s.AddUpload(t, withContent) // whose bytes are not there
	s.rehearse(t, rehearsal{
		page: "task-failed", shown: "content_missing", words: map[string]string{"TASK": gone.TaskID.String()},
		breaks: func(t *testing.T) {
			s.Database.Await(t, `select status = 'FAILED' from sheetdrop.task where id = $1`, gone.TaskID)
		},
		mends: func(t *testing.T) { s.store(t, gone) },
		after: func(t *testing.T) {
			s.Database.Await(t, `select status = 'COMPLETED' from sheetdrop.task where id = $1`, gone.TaskID)
		},
	})

	const owner = "aad:tenant/flood"
	s.rehearse(t, rehearsal{
		page: "owner-flooding", shown: owner, over: "(0 rows)", words: map[string]string{"OWNER": owner},
		breaks: func(t *testing.T) {
			for range 40 {
				s.store(t, s.AddSentUpload(t, withContent, func(u *postgres.Upload) { u.File.Owner = owner }))
			}
		},
		mends: func(t *testing.T) {
			s.StartHandler(t, map[string]string{"QUOTA_OPEN_TASKS": "1000"}) // a setting that it takes
			if done := s.Await(t, s.Upload(t, "of-another.csv", []byte(content)).ID); done.Status != "COMPLETED" {
				t.Errorf("another owner's file waits: %+v", done)
			}
			s.Exec(t, `update sheetdrop.task set enqueued_at = now() - interval '1 h' where status = 'PENDING'`) // when the reconciler writes messages for them
		},
		after: func(t *testing.T) {
			s.Database.Await(t, `select not exists (select from sheetdrop.task where status <> 'COMPLETED')`)
		},
	})
}
