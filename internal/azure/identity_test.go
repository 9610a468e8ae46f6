package azure

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/fault"
)

// source is a credential of the test's own.
type source func(scopes []string) (string, error)

func (s source) GetToken(_ context.Context, o policy.TokenRequestOptions) (azcore.AccessToken, error) {
	token, err := s(o.Scopes)
	return azcore.AccessToken{Token: token, ExpiresOn: time.Now().Add(time.Hour)}, err
}

// secureStorage returns settings for a storage that takes tokens over TLS, and clients that trust it.
func secureStorage(t *testing.T, stack *devtest.SecureStack, tokens source) (*Blobs, *Queue) {
	t.Helper()
	s := Settings{
		BlobServiceURI: stack.BlobURL + "/", QueueServiceURI: stack.QueueURL + "/", Credential: "managedidentity", ClientID: "an-id",
		Container: "files", Queue: "parse-tasks", Identity: &Identity{Credential: tokens},
	}
	blobs, queue, err := open(s, func() *http.Client {
		client := Settings{}.newClient()
		client.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: stack.Roots}
		return client
	})
	if err != nil {
		t.Fatal(err)
	}
	return blobs, queue
}

// With an identity and no key files are written and read, and messages sent. A token that is refused, or that cannot be had, is the
// service's fault, never the file's or the message's (P2).
func TestIdentity(t *testing.T) {
	t.Parallel()
	stack := devtest.Secure(t)
	token := devtest.StorageToken(t, time.Hour)
	blobs, queue := secureStorage(t, stack, func(scopes []string) (string, error) {
		if !slices.Equal(scopes, []string{"https://storage.azure.com/.default"}) {
			t.Errorf("a token for %q was asked for", scopes)
		}
		return token, nil
	})
	if _, err := blobs.client.Create(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := queue.client.Create(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	const text = "a,b\n1,2\n"
	if err := blobs.Upload(t.Context(), "2026/01/01/file", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	body, _, err := blobs.Download(t.Context(), "2026/01/01/file", "")
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	if got, err := io.ReadAll(body); string(got) != text || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
	if err := queue.Send(t.Context(), []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if n, _, err := queue.Lengths(t.Context()); n != 1 || err != nil {
		t.Errorf("%d messages, %v; want 1", n, err)
	}

	for name, tokens := range map[string]source{
		"an expired token": func([]string) (string, error) { return devtest.StorageToken(t, -time.Minute), nil },
		"a token for another service": func([]string) (string, error) {
			return devtest.TokenFor(t, "https://ossrdbms-aad.database.windows.net", time.Hour), nil
		},
		"no token": func([]string) (string, error) { return "", &azcore.ResponseError{StatusCode: http.StatusBadRequest} },
	} {
		blobs, queue := secureStorage(t, stack, tokens)
		for what, err := range map[string]error{"send": queue.Send(t.Context(), []byte("{}")), "upload": blobs.Upload(t.Context(), "another", strings.NewReader(text))} {
			if err == nil || fault.Of(err) != fault.Service {
				t.Errorf("%s with %s: %v, want a service's fault", what, name, err)
			}
		}
	}
}

// A database's token is asked for the database and for nothing else.
func TestDatabasePassword(t *testing.T) {
	t.Parallel()
	identity := &Identity{Credential: source(func(scopes []string) (string, error) {
		return "a token for " + strings.Join(scopes, ","), nil
	})}
	const want = "a token for https://ossrdbms-aad.database.windows.net/.default"
	if got, err := identity.DatabasePassword(t.Context()); got != want || err != nil {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	without := &Identity{Credential: source(func([]string) (string, error) { return "", errors.New("away") })}
	if got, err := without.DatabasePassword(t.Context()); got != "" || !errors.Is(err, ErrNoToken) {
		t.Errorf("%q, %v; want ErrNoToken", got, err)
	}
}

// A caller who gives up has no token; the next one is not told of a failure that was not the service's, and gets one.
func TestCallerWhoGivesUpCostsOthersNothing(t *testing.T) {
	t.Parallel()
	answers := make(chan struct{})
	identity := &Identity{Credential: source(func([]string) (string, error) {
		select {
		case <-answers:
			return "a token", nil
		default:
			return "", context.Canceled
		}
	})}
	gaveUp, giveUp := context.WithCancel(t.Context())
	giveUp()
	if _, err := identity.DatabasePassword(gaveUp); !errors.Is(err, ErrNoToken) {
		t.Errorf("who gave up: %v, want ErrNoToken", err)
	}
	close(answers)
	if got, err := identity.DatabasePassword(t.Context()); got != "a token" || err != nil {
		t.Errorf("the next caller: %q, %v, want a token", got, err)
	}
}

// silent is an endpoint that takes the question and never answers.
type silent struct{}

func (silent) GetToken(ctx context.Context, _ policy.TokenRequestOptions) (azcore.AccessToken, error) {
	<-ctx.Done()
	return azcore.AccessToken{}, ctx.Err()
}

// An endpoint that does not answer holds up eight who want a token no longer than one.
func TestSilentEndpoint(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := Settings{
			BlobServiceURI: "https://127.0.0.1:1/", QueueServiceURI: "https://127.0.0.1:1/", Credential: "managedidentity", ClientID: "an-id",
			Container: "files", Queue: "parse-tasks", Identity: &Identity{Credential: silent{}},
		}
		_, queue, err := Open(s)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		var senders sync.WaitGroup
		for range 8 {
			senders.Go(func() {
				if err := queue.Send(t.Context(), nil); fault.Of(err) != fault.Service {
					t.Errorf("%v, want a service's fault", err)
				}
			})
		}
		senders.Wait()
		if waited := time.Since(start); waited != tokenPatience {
			t.Errorf("all have given up after %s, want %s", waited, tokenPatience)
		}
	})
}
