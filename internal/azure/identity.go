package azure

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"

	"sheetdrop/internal/clock"
	"sheetdrop/internal/fault"
)

// ErrNoToken is returned if no token could be obtained for the app's identity. The request that needed it is not at
// fault.
var ErrNoToken = fault.New(fault.Service, "no token for the app's identity")

// databaseScope is the scope of a token for PostgreSQL on Azure (Microsoft Learn, "Microsoft Entra authentication with
// Azure Database for PostgreSQL").
const databaseScope = "https://ossrdbms-aad.database.windows.net/.default"

// While one caller requests a token, the SDK makes all others wait regardless of their own timeouts, and then lets them
// request one after the other; the credential would try for more than a minute each time. So a request for a token has
// its own timeout, tokenTimeout, and callers within tokenPause of a failure get the same error.
const (
	tokenTimeout = 5 * time.Second
	tokenPause   = time.Second
)

// Identity is the app's identity towards storage and database. It is safe for concurrent use.
type Identity struct {
	Credential azcore.TokenCredential // caches its tokens until shortly before they expire

	mu       sync.Mutex
	failures map[string]failure // by scopes
}

type failure struct {
	err error
	ago func() time.Duration
}

// ManagedIdentity returns the user-assigned identity with this client id, never another one that a chain of credentials
// might find. It makes no calls.
func ManagedIdentity(clientID string) (*Identity, error) {
	credential, err := azidentity.NewManagedIdentityCredential(&azidentity.ManagedIdentityCredentialOptions{ID: azidentity.ClientID(clientID)})
	if err != nil {
		return nil, fmt.Errorf("managed identity: %w", err)
	}
	return &Identity{Credential: credential}, nil
}

// GetToken implements azcore.TokenCredential; all of its errors are ErrNoToken.
func (i *Identity) GetToken(ctx context.Context, options policy.TokenRequestOptions) (azcore.AccessToken, error) {
	scopes := strings.Join(options.Scopes, " ")
	if err := i.lastFailure(scopes); err != nil {
		return azcore.AccessToken{}, err
	}
	limited, cancel := context.WithTimeout(ctx, tokenTimeout)
	defer cancel()
	token, err := i.Credential.GetToken(limited, options)
	if err == nil {
		return token, nil
	}
	err = fmt.Errorf("%w: %w", ErrNoToken, err)
	if ctx.Err() == nil { // otherwise the failure is this caller's alone
		i.noteFailure(scopes, err)
	}
	return azcore.AccessToken{}, err
}

// lastFailure returns the recent failure for these scopes, or nil.
func (i *Identity) lastFailure(scopes string) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if last, ok := i.failures[scopes]; ok && last.ago() < tokenPause {
		return last.err
	}
	return nil
}

func (i *Identity) noteFailure(scopes string, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.failures == nil {
		i.failures = map[string]failure{}
	}
	i.failures[scopes] = failure{err, clock.Start()}
}

// DatabasePassword returns a token for use as a password. The server checks it only when a connection is opened.
func (i *Identity) DatabasePassword(ctx context.Context) (string, error) {
	token, err := i.GetToken(ctx, policy.TokenRequestOptions{Scopes: []string{databaseScope}})
	return token.Token, err
}
