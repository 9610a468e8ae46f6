package azure

import (
	"context"
	"errors"
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
)

// ErrNoToken says that no token was to be had for the app's identity. Nothing that was to be sent with it is to blame.
var ErrNoToken = errors.New("no token for the app's identity")

// databaseScope is what a token for PostgreSQL on Azure is asked for (Microsoft Learn, "Microsoft Entra authentication with Azure
// Database for PostgreSQL").
const databaseScope = "https://ossrdbms-aad.database.windows.net/.default"

// Identity is who the app is to storage and database. Several goroutines may use it.
type Identity struct {
	Credential azcore.TokenCredential // keeps its tokens until they are about to expire
}

// ManagedIdentity is the user-assigned identity with this client id and never another one, which a chain of credentials might find. It
// calls nobody.
func ManagedIdentity(clientID string) (*Identity, error) {
	credential, err := azidentity.NewManagedIdentityCredential(&azidentity.ManagedIdentityCredentialOptions{ID: azidentity.ClientID(clientID)})
	if err != nil {
		return nil, fmt.Errorf("managed identity: %w", err)
	}
	return &Identity{credential}, nil
}

// GetToken makes an Identity an azcore.TokenCredential whose errors are all ErrNoToken.
func (i *Identity) GetToken(ctx context.Context, options policy.TokenRequestOptions) (azcore.AccessToken, error) {
	token, err := i.Credential.GetToken(ctx, options)
	if err != nil {
		return azcore.AccessToken{}, fmt.Errorf("%w: %w", ErrNoToken, err)
	}
	return token, nil
}

// DatabasePassword is a token in place of a password. The server looks at it when a connection is made and never again.
func (i *Identity) DatabasePassword(ctx context.Context) (string, error) {
	token, err := i.GetToken(ctx, policy.TokenRequestOptions{Scopes: []string{databaseScope}})
	return token.Token, err
}
