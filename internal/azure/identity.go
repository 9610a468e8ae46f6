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

// ErrNoToken says that no token was to be had for the app's identity. Nothing that was to be sent with it is to blame.
var ErrNoToken = fault.New(fault.Service, "no token for the app's identity")

// databaseScope is what a token for PostgreSQL on Azure is asked for (Microsoft Learn, "Microsoft Entra authentication with Azure
// Database for PostgreSQL").
const databaseScope = "https://ossrdbms-aad.database.windows.net/.default"

// While one caller asks for a token, the SDK has all others wait without heeding limits of their own, and then lets one after the other ask;
// the credential would try for more than a minute each time. So a token is waited for tokenPatience, and who asks within tokenPause of a
// failure is given the same one.
const (
	tokenPatience = 5 * time.Second
	tokenPause    = time.Second
)

// Identity is who the app is to storage and database. Several goroutines may use it.
type Identity struct {
	Credential azcore.TokenCredential // keeps its tokens until they are about to expire

	mu       sync.Mutex
	failures map[string]failure // by scopes
}

type failure struct {
	err error
	ago func() time.Duration
}

// ManagedIdentity is the user-assigned identity with this client id and never another one, which a chain of credentials might find. It
// calls nobody.
func ManagedIdentity(clientID string) (*Identity, error) {
	credential, err := azidentity.NewManagedIdentityCredential(&azidentity.ManagedIdentityCredentialOptions{ID: azidentity.ClientID(clientID)})
	if err != nil {
		return nil, fmt.Errorf("managed identity: %w", err)
	}
	return &Identity{Credential: credential}, nil
}

// GetToken makes an Identity an azcore.TokenCredential whose errors are all ErrNoToken.
func (i *Identity) GetToken(ctx context.Context, options policy.TokenRequestOptions) (azcore.AccessToken, error) {
	scopes := strings.Join(options.Scopes, " ")
	if err := i.lastFailure(scopes); err != nil {
		return azcore.AccessToken{}, err
	}
	limited, cancel := context.WithTimeout(ctx, tokenPatience)
	defer cancel()
	token, err := i.Credential.GetToken(limited, options)
	if err == nil {
		return token, nil
	}
	err = fmt.Errorf("%w: %w", ErrNoToken, err)
	if ctx.Err() == nil { // else it is this caller's alone
		i.noteFailure(scopes, err)
	}
	return azcore.AccessToken{}, err
}

// lastFailure is the one that these scopes have just had, or nil.
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

// DatabasePassword is a token in place of a password. The server looks at it when a connection is made and never again.
func (i *Identity) DatabasePassword(ctx context.Context) (string, error) {
	token, err := i.GetToken(ctx, policy.TokenRequestOptions{Scopes: []string{databaseScope}})
	return token.Token, err
}
