// Package signin gets the token for a deployed sheetdrop with the Azure sign-in that is on this machine.
package signin

import (
	"context"
	"errors"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"

	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/azure"
)

// Azure returns the token for a scope, such as api://CLIENT_ID/.default, of whoever is signed in: by the environment, a managed identity,
// the Azure CLI, azd or Azure PowerShell, as azidentity.DefaultAzureCredential tries them. It is kept until it expires.
func Azure(scope string) server.Token {
	credential := sync.OnceValues(func() (*azidentity.DefaultAzureCredential, error) {
		return azidentity.NewDefaultAzureCredential(nil)
	})
	var mu sync.Mutex
	return func(ctx context.Context) (string, error) {
		mu.Lock() // so that parallel requests do not start the CLI side by side
		defer mu.Unlock()
		chain, err := credential()
		if err != nil {
			return "", explain(err)
		}
		token, err := chain.GetToken(ctx, policy.TokenRequestOptions{Scopes: []string{scope}})
		return token.Token, explain(err)
	}
}

func explain(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return words.Errorf("no Azure sign-in works on this machine; `az login` makes one, and for a program its AZURE_* variables do:\n%w", err)
}

// Storage returns the Azure sign-in of this machine as who accesses the storage.
func Storage() *azure.Identity { return &azure.Identity{Credential: deferred{}} }

// deferred makes the chain of credentials once it is asked for a token.
type deferred struct{}

var chain = sync.OnceValues(func() (*azidentity.DefaultAzureCredential, error) { return azidentity.NewDefaultAzureCredential(nil) })

// GetToken implements azcore.TokenCredential.
func (deferred) GetToken(ctx context.Context, options policy.TokenRequestOptions) (azcore.AccessToken, error) {
	credential, err := chain()
	if err != nil {
		return azcore.AccessToken{}, explain(err)
	}
	token, err := credential.GetToken(ctx, options)
	return token, explain(err)
}
