package runbooks

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/google/uuid"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// lost is how many files a restored database has forgotten.
const lost = 3

// rehearseRestores rehearses the pages about databases that are behind their files. Each has an app of its own.
func rehearseRestores(t *testing.T) {
	for name, play := range map[string]func(*testing.T){"noticed": rehearseRestored, "by hand": rehearseBackup, "moved": rehearseMove} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play(t)
		})
	}
}

// before is an app that was backed up, and has accepted files since.
type before struct {
	*e2e.App
	relay  *e2e.Handler
	backup *pgtest.Database
	moment string // of the backup
}

// backUp has an app accept a file, copies its database, and has it accept some more.
func backUp(t *testing.T) before {
	t.Helper()
	b := before{App: e2e.Start(t, e2e.Options{Functions: []string{"upload-api", "parse-worker"}, TimeScale: 0.05})}
	b.relay = b.StartHandler(t, nil)
	b.Await(t, b.Upload(t, "kept.csv", []byte("a\n0\n")).ID)
	b.relay.Tick(t)
	b.Database.Await(t, `select not exists (select from sheetdrop.outbox_message)`)
	b.moment = pgtest.Query[time.Time](t, b.Database, `select now()`).UTC().Format(time.RFC3339)
	b.backup = b.Database.Copy(t)
	for n := range lost {
		b.Await(t, b.accept(t, fmt.Sprintf("a\n%d\n", n+1)))
	}
	return b
}

// accept uploads a file until it is accepted: the copy of a database ends its sessions.
func (b before) accept(t *testing.T, content string) (task uuid.UUID) {
	t.Helper()
	for {
		answer := b.Do(t, http.MethodPost, "/api/files?name=lost.csv", http.Header{"Content-Type": {"text/csv"}}, strings.NewReader(content))
		switch answer.StatusCode {
		case http.StatusServiceUnavailable:
		case http.StatusAccepted:
			var accepted struct{ Task struct{ ID uuid.UUID } }
			if err := json.Unmarshal(answer.Text, &accepted); err != nil {
				t.Fatal(err)
			}
			return accepted.Task.ID
		default:
			t.Fatalf("upload: %s %s", answer.Status, answer.Text)
		}
	}
}

// end stops everything of the app that was there before.
func (b before) end(t *testing.T) {
	t.Helper()
	if err := b.Host.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	b.relay.TellToStop(t)
	b.relay.Exit()
}

// after is the scene with the backup in place of the database, over this storage.
func (b before) after(t *testing.T, storage devtest.StorageParts, o e2e.Options) *scene {
	t.Helper()
	o.Database, o.Storage, o.Settings, o.TimeScale = b.backup, &storage, settings, 0.05
	s := &scene{App: e2e.Prepare(t, o)}
	s.Host = s.StartHost(t, o)
	s.sit(t)
	return s
}

// wantFiles checks that there are so many files, all of them loaded.
func (s *scene) wantFiles(t *testing.T, files int) {
	t.Helper()
	s.Database.Await(t, `select count(*) = $1 and count(*) filter (where status <> 'COMPLETED') = 0 from sheetdrop.task`, files)
	if n := pgtest.Query[int](t, s.Database, `select count(*) from sheetdrop.sheet_row`); n != files {
		t.Errorf("%d rows, want %d", n, files)
	}
}

func rehearseRestored(t *testing.T) {
	b := backUp(t)
	await.Until(t, "the container knows of a run that the backup does not", func() bool { // the copy has ended the relay's sessions, too
		return <-b.relay.Relay(t) == http.StatusOK
	})
	b.end(t)
	s := b.after(t, b.Storage, e2e.Options{Alerts: []string{"database_restored"}})
	s.rehearse(t, rehearsal{
		page: "database-restored", shown: "3 lost", words: map[string]string{"BLOB": ""},
		breaks: func(t *testing.T) { s.Database.Await(t, `select exists (select from sheetdrop.recovery)`) },
		after:  func(t *testing.T) { s.wantFiles(t, 1+lost) },
	})
}

func rehearseBackup(t *testing.T) {
	b := backUp(t)
	s := &scene{App: b.App}
	s.sit(t)
	s.rehearse(t, rehearsal{
		page: "restore-from-backup", shown: "schema.partitions", words: map[string]string{"MOMENT": b.moment},
		breaks: func(t *testing.T) {
			partition := pgtest.Query[string](t, s.Database, `select min(inhrelid::regclass::text) from pg_inherits where inhparent = 'sheetdrop.outbox_history'::regclass`)
			s.Exec(t, `drop table `+partition)
		},
		mends: func(*testing.T) { // the host is that of the whole test: it goes on after the rehearsal
			b.end(t)
			restored := b.after(t, b.Storage, e2e.Options{Errors: []string{`"alert":"database_restored"`}})
			s.App, s.env, s.folder = restored.App, restored.env, restored.folder
		},
		after: func(t *testing.T) { s.wantFiles(t, 1+lost) },
	})
}

func rehearseMove(t *testing.T) {
	b := backUp(t)
	there := devtest.Storage(t)
	copyBlobs(t, b.Storage, there)
	b.end(t)
	s := b.after(t, there, e2e.Options{Alerts: []string{"task_failed"}, Errors: []string{`"alert":"database_restored"`}})
	missing := s.AddUpload(t, withContent) // whose bytes were not copied
	s.rehearse(t, rehearsal{
		page: "another-region", shown: "api.reach", words: map[string]string{"MOMENT": b.moment},
		breaks: func(t *testing.T) {
			// with the alert, which the next run of the timer tells of
			s.Database.Await(t, `select status = 'FAILED' and not exists (select from sheetdrop.alert) from sheetdrop.task where id = $1`, missing.TaskID)
			if err := s.Host.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		},
		mends: func(*testing.T) {
			s.store(t, missing)
			s.Host = s.StartHost(t, e2e.Options{TimeScale: 0.05})
			s.env["SHEETDROP_URL"] = s.Host.URL() + "/api"
		},
		after: func(t *testing.T) { s.wantFiles(t, 1+lost+1) },
	})
}

// copyBlobs copies all blobs, with their metadata, to another container.
func copyBlobs(t *testing.T, from, to devtest.StorageParts) {
	t.Helper()
	source, target := from.Blobs(t), to.Blobs(t)
	for _, name := range (&e2e.App{Storage: from}).BlobNames(t) {
		answer, err := source.NewBlobClient(name).DownloadStream(t.Context(), &blob.DownloadStreamOptions{})
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := target.NewBlockBlobClient(name).UploadBuffer(t.Context(), content, &blockblob.UploadBufferOptions{Metadata: answer.Metadata}); err != nil {
			t.Fatal(err)
		}
	}
}
