package azure_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/chaos/storageproxy"
	"sheetdrop/internal/devstack/devtest"
)

// readWhole reads a blob from its beginning to its end, as a parser does.
func readWhole(ctx context.Context, blobs *azure.Blobs, name string) ([]byte, error) {
	r, err := blobs.Open(ctx, name, "")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var all bytes.Buffer
	_, err = io.CopyBuffer(struct{ io.Writer }{&all}, struct{ io.Reader }{io.NewSectionReader(r, 0, r.Size())}, make([]byte, 1<<20))
	return all.Bytes(), err
}

// blobOf puts a blob into storage, and returns storage once as it is, and once behind a proxy that judges each request for a part of it.
func blobOf(t *testing.T, want []byte, judge func(*http.Request) storageproxy.Fault) (direct, faulty *azure.Blobs) {
	t.Helper()
	direct, _, p := open(t)
	if err := direct.Upload(t.Context(), "blob", bytes.NewReader(want)); err != nil {
		t.Fatal(err)
	}
	p.ConnectionString = storageproxy.Through(t, p.ConnectionString, judge, "BlobEndpoint")
	return direct, openParts(t, p)
}

func openParts(t *testing.T, p devtest.StorageParts) *azure.Blobs {
	t.Helper()
	blobs, _, err := azure.Open(azure.Settings{Connection: p.ConnectionString, Container: p.Container, Queue: p.Queue})
	if err != nil {
		t.Fatal(err)
	}
	return blobs
}

// firstOf judges requests for parts: the first one for each place meets the fault.
func firstOf(fault storageproxy.Fault) func(*http.Request) storageproxy.Fault {
	var asked sync.Map
	return func(r *http.Request) storageproxy.Fault {
		if _, again := asked.LoadOrStore(r.Header.Get("X-Ms-Range"), true); again {
			return storageproxy.None
		}
		return fault
	}
}

// A workbook is read from its end to its beginning, and some of its parts twice: one that fits into the reader's buffers is fetched once.
func TestSmallWorkbookIsFetchedOnce(t *testing.T) {
	t.Parallel()
	want := content(13 << 20)
	var requests atomic.Int64
	_, blobs := blobOf(t, want, func(*http.Request) storageproxy.Fault {
		requests.Add(1)
		return storageproxy.None
	})
	r, err := blobs.Open(t.Context(), "blob", "")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	piece := make([]byte, 64<<10)
	for _, from := range []int64{r.Size() - 64<<10, 0, 1 << 20} {
		for at := from; at < r.Size(); at += int64(len(piece)) {
			n, err := r.ReadAt(piece, at)
			if err != nil && !errors.Is(err, io.EOF) || !bytes.Equal(piece[:n], want[at:at+int64(n)]) {
				t.Fatalf("%d bytes at %d: %v", n, at, err)
			}
		}
	}
	if n := requests.Load(); n > 4 { // three blocks, and perhaps a look at the end
		t.Errorf("%d requests", n)
	}
}

// A large file is read to its end, byte for byte, though every single one of its ranges fails at first: a load of an hour need not begin
// anew.
func TestReadSurvivesFaultsOfRanges(t *testing.T) {
	t.Parallel()
	want := content(25<<20 + 7)
	for name, fault := range map[string]storageproxy.Fault{
		"refused": storageproxy.Cut, "answer lost": storageproxy.LostAnswer, "busy": http.StatusServiceUnavailable,
		"cut in the middle": storageproxy.CutShort, "stalled": storageproxy.Stalled,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, blobs := blobOf(t, want, firstOf(fault))
			got, err := readWhole(t.Context(), blobs.WithStall(time.Second), "blob")
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
			}
		})
	}
}

// What has come of a range that breaks off is not asked for again.
func TestReadGoesOnWhereARangeBrokeOff(t *testing.T) {
	t.Parallel()
	var asked sync.Map
	judge := firstOf(storageproxy.CutShort)
	_, blobs := blobOf(t, content(10<<20), func(r *http.Request) storageproxy.Fault {
		asked.Store(r.Header.Get("X-Ms-Range"), true)
		return judge(r)
	})
	if _, err := readWhole(t.Context(), blobs, "blob"); err != nil {
		t.Fatal(err)
	}
	for _, rest := range []string{"bytes=1048576-5242879", "bytes=6291456-10485759"} {
		if _, ok := asked.Load(rest); !ok {
			t.Errorf("nobody asked for %s", rest)
		}
	}
}

// A store that stays away ends the run, which returns its task, rather than holding its transaction for ever.
func TestReadGivesAStoreUpThatStaysAway(t *testing.T) {
	t.Parallel()
	var away atomic.Bool
	_, blobs := blobOf(t, content(9<<20), func(*http.Request) storageproxy.Fault {
		if away.Load() {
			return storageproxy.Cut
		}
		return storageproxy.None
	})
	r, err := blobs.Open(t.Context(), "blob", "")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	away.Store(true)
	if _, err := r.ReadAt(make([]byte, 10), 6<<20); err == nil {
		t.Error("it was read")
	}
}

// Several ranges are on their way at once: while storage holds one back, the next ones come.
func TestRangesAreFetchedAhead(t *testing.T) {
	t.Parallel()
	const together = 3
	var waiting atomic.Int64
	release := make(chan struct{})
	_, blobs := blobOf(t, content(40<<20), func(r *http.Request) storageproxy.Fault {
		if strings.HasPrefix(r.Header.Get("X-Ms-Range"), "bytes=0-") {
			return storageproxy.None
		}
		if waiting.Add(1) == together {
			close(release)
		}
		select {
		case <-release:
		case <-r.Context().Done():
		}
		return storageproxy.None
	})
	if _, err := readWhole(t.Context(), blobs, "blob"); err != nil { // it hangs where fewer are asked for at once
		t.Error(err)
	}
}

// A small file costs one request, so that what is uploaded is seen as soon as can be.
func TestSmallFileIsReadByOneRequest(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	want := content(100_000)
	_, blobs := blobOf(t, want, func(*http.Request) storageproxy.Fault {
		requests.Add(1)
		return storageproxy.None
	})
	got, err := readWhole(t.Context(), blobs, "blob")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if n := requests.Load(); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}

func TestEmptyBlobIsRead(t *testing.T) {
	t.Parallel()
	blobs, _ := blobOf(t, nil, func(*http.Request) storageproxy.Fault { return storageproxy.None })
	if got, err := readWhole(t.Context(), blobs, "blob"); err != nil || len(got) != 0 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// A cancel takes effect while a range stalls, and leaves nothing running.
func TestCancelledReadEndsAtOnce(t *testing.T) { //nolint:paralleltest // it looks at all goroutines
	_, blobs := blobOf(t, content(20<<20), func(r *http.Request) storageproxy.Fault {
		if strings.HasPrefix(r.Header.Get("X-Ms-Range"), "bytes=0-") {
			return storageproxy.None
		}
		return storageproxy.Stalled
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	r, err := blobs.WithStall(time.Hour).Open(ctx, "blob", "")
	if err != nil {
		t.Fatal(err)
	}
	why := errors.New("somebody asked for it")
	time.AfterFunc(100*time.Millisecond, func() { cancel(why) })
	if _, err := io.Copy(io.Discard, io.NewSectionReader(r, 0, r.Size())); !errors.Is(err, why) {
		t.Errorf("it ended with %v, want %v", err, why)
	}
	r.Close()
	var goroutines bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&goroutines, 1); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(goroutines.String(), "internal/azure.(*") {
		t.Errorf("there are still\n%s", goroutines.String())
	}
}
