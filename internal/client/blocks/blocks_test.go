package blocks

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"

	"sheetdrop/internal/chaos/storageproxy"
	"sheetdrop/internal/devstack/devtest"
)

const blockSize = 100_000

// store is one blob in the emulator, behind a proxy that records which blocks are sent.
type store struct {
	t       *testing.T
	blob    *blockblob.Client // not through the proxy
	through *blockblob.Client

	mu    sync.Mutex
	sent  map[string]int                                    // requests by block id
	judge func(r *http.Request, try int) storageproxy.Fault // of a block's first request, try is 1
}

func newStore(t *testing.T) *store {
	t.Helper()
	parts := devtest.Storage(t)
	s := &store{t: t, sent: map[string]int{}, judge: func(*http.Request, int) storageproxy.Fault { return storageproxy.None }}
	client := func(connection string) *blockblob.Client {
		c, err := container.NewClientFromConnectionString(connection, parts.Container, nil)
		if err != nil {
			t.Fatal(err)
		}
		return c.NewBlockBlobClient("file")
	}
	s.blob = client(parts.ConnectionString)
	s.through = client(storageproxy.Through(t, parts.ConnectionString, func(r *http.Request) storageproxy.Fault {
		id := r.URL.Query().Get("blockid")
		s.mu.Lock()
		s.sent[id]++
		try := s.sent[id]
		s.mu.Unlock()
		return s.judge(r, try)
	}, "BlobEndpoint"))
	return s
}

// address returns one that ends then.
func (s *store) address(ends time.Time) Address {
	url, err := s.through.GetSASURL(sas.BlobPermissions{Write: true}, ends, nil)
	if err != nil {
		s.t.Error(err)
	}
	return Address{url, time.Until(ends)}
}

// upload returns one of a content, with addresses that last.
func (s *store) upload(content []byte) *Upload {
	return &Upload{
		Content: bytes.NewReader(content), Size: int64(len(content)), BlockSize: blockSize,
		Address:  func(context.Context) (Address, error) { return s.address(time.Now().Add(time.Hour)), nil },
		Progress: func(int64) {}, Waiting: func(error) {}, GiveUpAfter: time.Hour, StallTimeout: time.Hour,
	}
}

// committed commits so many blocks and returns the blob's content.
func (s *store) committed(blocks int) []byte {
	s.t.Helper()
	ids := make([]string, blocks)
	for i := range ids {
		ids[i] = blockID(int64(i))
	}
	if _, err := s.blob.CommitBlockList(s.t.Context(), ids, nil); err != nil {
		s.t.Fatal(err)
	}
	answer, err := s.blob.DownloadStream(s.t.Context(), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return content
}

func (s *store) requests(number int64) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent[blockID(number)]
}

// arrives sends an upload and compares what the store has with the content.
func (s *store) arrives(u *Upload, content []byte) {
	s.t.Helper()
	if err := u.Send(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	if got := s.committed(int(u.blocks())); !bytes.Equal(got, content) {
		s.t.Errorf("%d bytes are stored, and are not those of the file", len(got))
	}
}

func random(n int) []byte {
	content := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(content)
	return content
}

// Every byte of a file arrives once, in its place, each block with a checksum; and what is said to be stored is stored.
func TestFileArrives(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"a byte": 1, "a block": blockSize, "many": 21*blockSize + 17} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, content := newStore(t), random(size)
			s.judge = func(r *http.Request, _ int) storageproxy.Fault {
				if r.Header.Get("Content-MD5") == "" || r.ContentLength < 1 {
					t.Errorf("a block of %d bytes has the checksum %q", r.ContentLength, r.Header.Get("Content-MD5"))
				}
				return storageproxy.None
			}
			u := s.upload(content)
			var told []int64
			u.Progress = func(bytes int64) { told = append(told, bytes) }
			s.arrives(u, content)
			if !slices.IsSorted(told) || len(told) != int(u.blocks()) || told[len(told)-1] != u.Size {
				t.Errorf("progress: %v", told)
			}
			for number := range u.blocks() {
				if n := s.requests(number); n != 1 {
					t.Errorf("block %d was sent %d times", number, n)
				}
			}
		})
	}
}

// What an earlier try has stored is not sent again.
func TestOnlyMissingBlocksAreSent(t *testing.T) {
	t.Parallel()
	s, content := newStore(t), random(9*blockSize+1)
	u := s.upload(content)
	u.Size = 4 * blockSize // the earlier try
	if err := u.Send(t.Context()); err != nil {
		t.Fatal(err)
	}
	u.Size, u.Stored = int64(len(content)), []Range{{0, 1}, {3, 3}}
	first := int64(-1)
	u.Progress = func(bytes int64) {
		if first < 0 {
			first = bytes
		}
	}
	s.arrives(u, content)
	for number, want := range []int{1, 1, 2, 1, 1, 1, 1, 1, 1, 1} {
		if got := s.requests(int64(number)); got != want {
			t.Errorf("block %d was sent %d times, want %d", number, got, want)
		}
	}
	if first <= 3*blockSize {
		t.Errorf("progress began with %d bytes", first)
	}
}

// Whatever a block meets on its way to the store the first time, the file arrives.
func TestBlockIsSentAgain(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(r *http.Request) storageproxy.Fault{
		"damaged": func(r *http.Request) storageproxy.Fault {
			r.Body = io.NopCloser(damage{r.Body})
			return storageproxy.None
		},
		"cut":         func(*http.Request) storageproxy.Fault { return storageproxy.Cut },
		"answer lost": func(*http.Request) storageproxy.Fault { return storageproxy.LostAnswer },
		"busy":        func(*http.Request) storageproxy.Fault { return http.StatusServiceUnavailable },
		"too many":    func(*http.Request) storageproxy.Fault { return http.StatusTooManyRequests },
		"forbidden":   func(*http.Request) storageproxy.Fault { return http.StatusForbidden },
		"stands still": func(r *http.Request) storageproxy.Fault {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
			return storageproxy.Cut
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, content := newStore(t), random(3*blockSize+1)
			u := s.upload(content)
			s.judge = func(r *http.Request, try int) storageproxy.Fault {
				if try > 1 || r.URL.Query().Get("blockid") != blockID(2) {
					return storageproxy.None
				}
				return fault(r)
			}
			if name == "stands still" {
				u.StallTimeout = time.Second
			}
			s.arrives(u, content)
			if s.requests(2) < 2 {
				t.Error("the fault did not happen")
			}
		})
	}
}

// damage changes each first byte.
type damage struct{ io.Reader }

func (d damage) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p)
	if n > 0 {
		p[0]++
	}
	return n, err
}

// An upload takes longer than an address lives: another one is asked for before its end, and when the store refuses it, but not for each block.
func TestAddressIsRenewed(t *testing.T) {
	t.Parallel()
	s, content := newStore(t), random(30*blockSize)
	expired := s.upload(content)
	asked := 0
	expired.Address = func(context.Context) (Address, error) {
		if asked++; asked == 1 {
			return s.address(time.Now().Add(-time.Minute)), nil
		}
		return s.address(time.Now().Add(time.Hour)), nil
	}
	s.arrives(expired, content)
	if asked != 2 {
		t.Errorf("%d addresses were asked for", asked)
	}
}

// The address is renewed when half of its life is over, whatever the clocks of client and server say of each other.
func TestHalfOfALife(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		life, age time.Duration
		renewed   bool
	}{
		"young":              {15 * time.Minute, 7 * time.Minute, false},
		"half":               {15 * time.Minute, 8 * time.Minute, true},
		"said to be expired": {-time.Hour, 30 * time.Second, false},
		"for a minute":       {-time.Hour, 2 * time.Minute, true},
	} {
		asked := 0
		a := addresses{renew: func(context.Context) (Address, error) {
			asked++
			return Address{"x", c.life}, nil
		}}
		_, _ = a.get(t.Context())
		a.age = func() time.Duration { return c.age }
		_, _ = a.get(t.Context())
		if (asked == 2) != c.renewed {
			t.Errorf("%s: %d were asked for", name, asked)
		}
	}
}

// Where the store cannot be reached, or refuses for good, the upload ends with the reason; the address, a secret, stands in none.
func TestReasonsHaveNoSecrets(t *testing.T) {
	t.Parallel()
	const secret = "sig=s3cr3t"
	refusing := func(status int, code string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("x-ms-error-code", code)
			w.WriteHeader(status)
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	for address, want := range map[string]string{
		"http://127.0.0.1:1/a":                                 "connection refused",
		"http://127.0.0.1:%/a":                                 "invalid port",
		refusing(http.StatusForbidden, "AuthorizationFailure"): "403 AuthorizationFailure",
		refusing(http.StatusNotFound, "ContainerNotFound"):     "404 ContainerNotFound",
		refusing(http.StatusInternalServerError, ""):           "500 Internal Server Error",
		refusing(http.StatusTemporaryRedirect, ""):             "307 Temporary Redirect",
	} {
		u := &Upload{
			Content: strings.NewReader("a"), Size: 1, BlockSize: 1, Progress: func(int64) {}, Waiting: func(error) {}, StallTimeout: time.Hour,
			Address: func(context.Context) (Address, error) { return Address{address + "?" + secret, time.Hour}, nil },
		}
		if err := u.Send(t.Context()); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// hanging accepts requests and never answers.
type hanging struct{}

func (hanging) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// A store that hangs is given up after GiveUpAfter, and a request has time to be answered however short that is.
func TestStoreThatHangs(t *testing.T) {
	t.Parallel()
	for _, limit := range []time.Duration{0, shortestTry, 42 * time.Second, 90 * time.Second, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			s := newSender(&Upload{
				Content: strings.NewReader("a"), Size: 1, BlockSize: 1, Progress: func(int64) {}, Waiting: func(error) {},
				Address: func(context.Context) (Address, error) { return Address{"http://store/?", time.Hour}, nil }, GiveUpAfter: limit, StallTimeout: time.Minute,
			})
			s.client = &http.Client{Transport: hanging{}}
			err := s.send(t.Context(), 0)
			if took := time.Since(begun); !errors.Is(err, errStalled) || took < limit || took > limit+shortestTry {
				t.Errorf("within %s it was tried for %s: %v", limit, took, err)
			}
		})
	}
}

// A file that cannot be read, and an address that is not to be had, end the upload at once with their own errors.
func TestErrorsOfOthers(t *testing.T) {
	t.Parallel()
	s, gone := newStore(t), errors.New("gone")
	u := s.upload(random(10))
	u.Size = 20
	u.Content = failing{gone}
	if err := u.Send(t.Context()); !errors.Is(err, gone) {
		t.Errorf("unreadable: %v", err)
	}
	u = s.upload(random(10))
	u.Address = func(context.Context) (Address, error) { return Address{}, gone }
	if err := u.Send(t.Context()); !errors.Is(err, gone) {
		t.Errorf("no address: %v", err)
	}
}

type failing struct{ err error }

func (f failing) ReadAt([]byte, int64) (int, error) { return 0, f.err }

// Told to stop, Send returns in the middle of its requests, and what has been stored can be gone on with.
func TestStopped(t *testing.T) {
	t.Parallel()
	s, content := newStore(t), random(12*blockSize)
	ctx, stop := context.WithCancel(t.Context())
	u := s.upload(content)
	u.Progress = func(bytes int64) {
		if bytes >= 3*blockSize {
			stop()
		}
	}
	if err := u.Send(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	list, err := s.blob.GetBlockList(t.Context(), blockblob.BlockListTypeUncommitted, nil)
	if err != nil {
		t.Fatal(err)
	}
	u = s.upload(content)
	before := map[int64]int{}
	for number := range u.blocks() {
		before[number] = s.requests(number)
		if slices.ContainsFunc(list.UncommittedBlocks, func(b *blockblob.Block) bool { return *b.Name == blockID(number) }) {
			u.Stored = append(u.Stored, Range{number, number})
		}
	}
	s.arrives(u, content)
	for _, r := range u.Stored {
		if s.requests(r.First) != before[r.First] {
			t.Errorf("block %d was sent again", r.First)
		}
	}
}
