package azure

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sheetdrop/internal/devstack/devtest"
)

// asInAzure counts the calls for a user delegation key on their way to an emulator that is addressed as Azure's account is, by its name in the host.
type asInAzure struct {
	http.RoundTripper
	keys  atomic.Int32
	fails atomic.Bool
}

func (a *asInAzure) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Query().Get("comp") == "userdelegationkey" {
		a.keys.Add(1)
		if a.fails.Load() {
			return nil, errors.New("away")
		}
	}
	return a.RoundTripper.RoundTrip(r)
}

func openAsInAzure(t *testing.T, stack *devtest.SecureStack) (*Blobs, *asInAzure) {
	t.Helper()
	blobURL, err := url.Parse(stack.BlobURL)
	if err != nil {
		t.Fatal(err)
	}
	network := &asInAzure{RoundTripper: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: stack.Roots, ServerName: "localhost"},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, blobURL.Host)
		},
	}}
	token := devtest.StorageToken(t, time.Hour)
	blobs, _, err := open(Settings{
		BlobServiceURI: "https://devstoreaccount1.blob.localhost:" + blobURL.Port() + "/", QueueServiceURI: stack.QueueURL + "/", Credential: "managedidentity",
		ClientID: "an-id", Container: "files", Queue: "parse-tasks",
		Identity: &Identity{Credential: source(func([]string) (string, error) { return token, nil })},
	}, func() *http.Client { return &http.Client{Transport: network} })
	if err != nil {
		t.Fatal(err)
	}
	return blobs, network
}

// With an identity and no account key, addresses are signed by a key that is asked for once; they are for https and for writing one blob, for as
// long as was said.
func TestAddressOfAnIdentity(t *testing.T) {
	t.Parallel()
	blobs, network := openAsInAzure(t, devtest.Secure(t))
	if _, err := blobs.client.Create(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	until := time.Now().Add(10 * time.Minute)
	const name = "2026/01/01/a.b"
	address, err := blobs.WriteAddress(t.Context(), name, until)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := parsed.Query()
	if query.Get("spr") != "https" || query.Get("sp") != "w" || query.Get("sr") != "b" || query.Get("se") != until.UTC().Format(time.RFC3339) ||
		query.Get("skoid") == "" || parsed.Path != "/files/"+name {
		t.Errorf("the address is %s", address)
	}
	put := func(address string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, address+"&comp=block&blockid=MDAw", strings.NewReader("a"))
		if err != nil {
			t.Fatal(err)
		}
		response, err := network.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response.StatusCode
	}
	if status := put(address); status != http.StatusCreated {
		t.Errorf("the store answers %d", status)
	}
	if status := put(strings.Replace(address, "a.b", "other", 1)); status != http.StatusForbidden {
		t.Errorf("for another blob the store answers %d", status)
	}
	if err := blobs.CommitBlocks(t.Context(), name, []string{"MDAw"}, ""); err != nil {
		t.Error(err)
	}
	for range 3 {
		if _, err := blobs.WriteAddress(t.Context(), name, until); err != nil {
			t.Error(err)
		}
	}
	if n := network.keys.Load(); n != 1 {
		t.Errorf("%d keys were asked for, want 1", n)
	}
}

// Whoever may write a blob may also lease it, for ever, and take snapshots of it: it can be deleted all the same.
func TestNobodyKeepsABlobFromBeingDeleted(t *testing.T) {
	t.Parallel()
	parts := devtest.Storage(t)
	blobs, _, err := Open(Settings{Connection: parts.ConnectionString, Container: parts.Container, Queue: parts.Queue})
	if err != nil {
		t.Fatal(err)
	}
	for name, remove := range map[string]func(context.Context, string) error{"delete": blobs.Delete, "discard": blobs.Discard} {
		if err := blobs.Upload(t.Context(), name, strings.NewReader("a")); err != nil {
			t.Fatal(err)
		}
		address, err := blobs.WriteAddress(t.Context(), name, time.Now().Add(10*time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		for _, component := range []string{"snapshot", "lease"} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, address+"&comp="+component, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("X-Ms-Lease-Action", "acquire")
			r.Header.Set("X-Ms-Lease-Duration", "-1")
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if component == "lease" && response.StatusCode != http.StatusCreated {
				t.Fatalf("the store gives no lease: %s", response.Status)
			}
		}
		if err := remove(t.Context(), name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := blobs.Stat(t.Context(), name); !errors.Is(err, ErrBlobNotFound) {
			t.Errorf("%s: it is there, %v", name, err)
		}
	}
}

// The key is renewed hours before it ends, and while the service cannot be asked the last one does.
func TestDelegationKeyIsRenewedInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := &keyService{}
		blobs, _, err := open(Settings{
			BlobServiceURI: "https://account.blob.core.windows.net", QueueServiceURI: "https://account.queue.core.windows.net", Credential: "managedidentity",
			ClientID: "an-id", Container: "files", Queue: "parse-tasks",
			Identity: &Identity{Credential: source(func([]string) (string, error) { return "a token", nil })},
		}, func() *http.Client { return &http.Client{Transport: service} })
		if err != nil {
			t.Fatal(err)
		}
		for hour := range 100 {
			service.away = hour%24 == 19
			until := time.Now().Add(15 * time.Minute)
			address, err := blobs.WriteAddress(t.Context(), "a", until)
			if err != nil {
				t.Fatalf("after %d h: %v", hour, err)
			}
			parsed, _ := url.Parse(address)
			if end, err := time.Parse(time.RFC3339, parsed.Query().Get("ske")); err != nil || end.Before(until) {
				t.Errorf("after %d h an address until %s is signed by a key until %s, %v", hour, until, end, err)
			}
			<-time.After(time.Hour)
		}
		if n := service.keys; n < 4 || n > 8 {
			t.Errorf("%d keys were asked for in 100 h", n)
		}
	})
}

// keyService hands out keys as the blob service does.
type keyService struct {
	keys int
	away bool
}

func (k *keyService) RoundTrip(r *http.Request) (*http.Response, error) {
	if k.away {
		return nil, errors.New("away")
	}
	k.keys++
	asked, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	start, end := element(asked, "Start"), element(asked, "Expiry")
	answer := `<?xml version="1.0"?><UserDelegationKey><SignedOid>00000000-0000-0000-0000-000000000001</SignedOid><SignedTid>00000000-0000-0000-0000-000000000002</SignedTid><SignedStart>` +
		start + `</SignedStart><SignedExpiry>` + end + `</SignedExpiry><SignedService>b</SignedService><SignedVersion>2021-12-02</SignedVersion><Value>a2V5</Value></UserDelegationKey>`
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/xml"}}, Body: io.NopCloser(strings.NewReader(answer)), Request: r}, nil
}

func element(xml []byte, name string) string {
	_, rest, _ := strings.Cut(string(xml), "<"+name+">")
	text, _, _ := strings.Cut(rest, "<")
	return text
}
