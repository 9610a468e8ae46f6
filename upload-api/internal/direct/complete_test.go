package direct_test

import (
	"context"
	"encoding/base64"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/upload-api/internal/direct"
	"sheetdrop/upload-api/internal/problem"
)

// during does something in the middle of a completion: right behind the store's first answer to a request with that in its address.
type during struct {
	next http.RoundTripper
	what string
	do   func()
}

func (d *during) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := d.next.RoundTrip(r)
	if do := d.do; err == nil && do != nil && strings.Contains(r.Method+" "+r.URL.RawQuery, d.what) {
		d.do = nil
		do()
	}
	return response, err
}

// fixture is a service for direct uploads, of which one is stored and not completed, and a way to do something in the middle of its completion.
type fixture struct {
	*direct.Uploads
	database *pgtest.Database
	upload   postgres.DirectUpload
	address  string
	during   *during
}

// request is with which the fixture's upload was begun.
var request = direct.Request{Name: "a.csv", MediaType: "text/csv", SizeBytes: 4, Options: []byte(`{}`), Key: "again"}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{database: pgtest.New(t), during: &during{}}
	storage := devtest.Storage(t)
	blobs, _, err := azure.Open(azure.Settings{Connection: storage.ConnectionString, Container: storage.Container, Queue: storage.Queue,
		Transport: func(next http.RoundTripper) http.RoundTripper {
			f.during.next = next
			return f.during
		}})
	if err != nil {
		t.Fatal(err)
	}
	f.Uploads = &direct.Uploads{DB: f.database.DB, Blobs: blobs, Nudge: func(...uuid.UUID) {}, Log: slog.New(slog.DiscardHandler),
		Settings: direct.Settings{MaxBytes: 100, MaxOpen: 10}}
	begun, err := f.Begin(t.Context(), "ann", request)
	if err != nil {
		t.Fatal(err)
	}
	f.upload, f.address = begun.DirectUpload, begun.Address.URL
	f.put(t, "a\n1\n")
	return f
}

func (f *fixture) put(t *testing.T, block string) {
	t.Helper()
	url := f.address + "&comp=block&blockid=" + base64.StdEncoding.EncodeToString([]byte("000000000000"))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url, strings.NewReader(block))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		t.Fatal(response.Status)
	}
}

func wantProblem(t *testing.T, err error, code problem.Code) {
	t.Helper()
	if p, ok := errors.AsType[*problem.Problem](err); !ok || p.Code != code {
		t.Errorf("%v, want %s", err, code)
	}
}

func (f *fixture) wantNoFile(t *testing.T, code problem.Code) {
	t.Helper()
	_, err := f.Complete(t.Context(), "ann", f.upload.ID)
	wantProblem(t, err, code)
	if n := pgtest.Query[int](t, f.database, `select count(*) from sheetdrop.source_file`); n != 0 {
		t.Errorf("%d files", n)
	}
}

// An upload that is aborted, or removed with its blob, while it is being completed becomes no file: whatever the store was told by then.
func TestUploadEndsWhileItIsCompleted(t *testing.T) {
	t.Parallel()
	for name, step := range map[string]string{"listed": "blocklisttype", "committed": "PUT comp=blocklist", "looked at": "HEAD"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.during.what, f.during.do = step, func() {
				if err := f.Abort(t.Context(), "ann", f.upload.ID); err != nil {
					t.Error(err)
				}
			}
			f.wantNoFile(t, problem.Gone)

			removed := newFixture(t)
			removed.during.what, removed.during.do = step, func() {
				removed.database.Exec(t, `delete from sheetdrop.upload`)
				if err := removed.Blobs.Discard(context.WithoutCancel(t.Context()), removed.upload.BlobName); err != nil {
					t.Error(err)
				}
			}
			if _, err := removed.Complete(t.Context(), "ann", removed.upload.ID); err == nil {
				t.Error("it was completed")
			}
			if n := pgtest.Query[int](t, removed.database, `select count(*) from sheetdrop.source_file`); n != 0 {
				t.Errorf("%d files", n)
			}
		})
	}
}

// Who asks for an address while somebody else ends the upload learns that it has ended, and not that there was none.
func TestUploadEndsWhileAnAddressIsMade(t *testing.T) {
	t.Parallel()
	complete := func(f *fixture) error {
		_, err := f.Complete(t.Context(), "ann", f.upload.ID)
		return err
	}
	abort := func(f *fixture) error { return f.Abort(t.Context(), "ann", f.upload.ID) }
	during := func(end func(*fixture) error) *fixture {
		f := newFixture(t)
		f.during.what, f.during.do = "blocklisttype", func() {
			if err := end(f); err != nil {
				t.Error(err)
			}
		}
		return f
	}

	f := during(complete)
	_, err := f.Address(t.Context(), "ann", f.upload.ID)
	wantProblem(t, err, problem.UploadCompleted)

	f = during(abort)
	_, err = f.Address(t.Context(), "ann", f.upload.ID)
	wantProblem(t, err, problem.Gone)

	begun, err := during(complete).Begin(t.Context(), "ann", request)
	if err != nil || begun.Status != postgres.UploadCompleted || begun.Address != nil {
		t.Errorf("%s %v %v", begun.Status, begun.Address, err)
	}

	_, err = during(abort).Begin(t.Context(), "ann", request)
	wantProblem(t, err, problem.Gone)
}

// A block that comes between the look at the list and the commit makes no file of another size.
func TestBlockThatComesWhileItIsCompleted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.during.what, f.during.do = "blocklisttype", func() { f.put(t, strings.Repeat("x", 1000)) }
	f.wantNoFile(t, problem.UploadAltered)
}

// A file has no more blocks than the store takes, whatever its size.
func TestBlocksOfAnySize(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	storage := devtest.Storage(t)
	blobs, _, err := azure.Open(azure.Settings{Connection: storage.ConnectionString, Container: storage.Container, Queue: storage.Queue})
	if err != nil {
		t.Fatal(err)
	}
	const most = 50_000 << 30
	u := &direct.Uploads{DB: db.DB, Blobs: blobs, Settings: direct.Settings{MaxBytes: most, MaxOpen: 100}}
	if err := u.Settings.Check(); err != nil {
		t.Fatal(err)
	}
	var counts []int64
	for _, size := range []int64{1, 8 << 20, 8<<20 + 1, 5 << 30, 50_000 * 8 << 20, 50_000*8<<20 + 1, most} {
		begun, err := u.Begin(t.Context(), "ann", direct.Request{Name: "a", MediaType: "text/csv", SizeBytes: size, Options: []byte(`{}`)})
		if err != nil {
			t.Fatal(err)
		}
		n := direct.Blocks(begun.DirectUpload)
		if (n-1)*begun.BlockBytes >= size || n*begun.BlockBytes < size || begun.BlockBytes > 4000<<20 {
			t.Errorf("%d bytes are %d blocks of %d", size, n, begun.BlockBytes)
		}
		counts = append(counts, n)
	}
	if want := []int64{1, 1, 2, 640, 50_000, 25_001, 50_000}; !slices.Equal(counts, want) {
		t.Errorf("blocks %v, want %v", counts, want)
	}
}
