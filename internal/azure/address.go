package azure

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/service"

	"sheetdrop/internal/clock"
)

// WriteAddress returns an address by which whoever has it can write the blocks of one blob until then, and neither read nor delete anything: a
// shared access signature with the permission w. With an identity it is signed by a key that the service hands out to that identity and is for
// https alone; with a connection string by the account's own key, as the emulator takes it.
func (b *Blobs) WriteAddress(ctx context.Context, name string, until time.Time) (string, error) {
	client := b.client.NewBlobClient(name)
	permissions := sas.BlobPermissions{Write: true}
	if b.delegation == nil {
		address, err := client.GetSASURL(permissions, until, nil)
		if err != nil {
			return "", fmt.Errorf("sign an address: %w", withoutSecrets(err))
		}
		return address, nil
	}
	key, err := b.delegation.credential(ctx, until)
	if err != nil {
		return "", err
	}
	signed, err := sas.BlobSignatureValues{
		Protocol: sas.ProtocolHTTPS, ExpiryTime: until.UTC(), Permissions: permissions.String(), ContainerName: b.container, BlobName: name,
	}.SignWithUserDelegation(key)
	if err != nil {
		return "", fmt.Errorf("sign an address: %w", err)
	}
	return client.URL() + "?" + signed.Encode(), nil
}

// A user delegation key is asked for once a day, some hours before the last one ends, and is kept in memory.
const (
	keyLife  = 24 * time.Hour
	keyRenew = 4 * time.Hour // before its end; more than any address lives
	keySkew  = 15 * time.Minute

	keyTimeout = 10 * time.Second // others wait meanwhile
)

// delegation keeps the key by which an identity signs addresses. It is safe for concurrent use.
type delegation struct {
	service *service.Client

	mu   sync.Mutex
	key  *service.UserDelegationCredential
	ends func() time.Duration // how long until it does
}

// credential returns a key that is valid at until. The service's clock counts; until is by the database's, which may be off by keySkew.
func (d *delegation) credential(ctx context.Context, until time.Time) (*service.UserDelegationCredential, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.key != nil && d.ends() > keyRenew {
		return d.key, nil
	}
	ctx, cancel := context.WithTimeout(ctx, keyTimeout)
	defer cancel()
	start := until.Add(-2 * keySkew).UTC()
	end := start.Add(keyLife)
	key, err := d.service.GetUserDelegationCredential(ctx, service.KeyInfo{
		Start: new(start.Format(sas.TimeFormat)), Expiry: new(end.Format(sas.TimeFormat)),
	}, nil)
	if err != nil && d.key != nil && d.ends() > keyRenew/2 { // the last one will do meanwhile
		return d.key, nil
	}
	if err != nil {
		return nil, fmt.Errorf("user delegation key: %w", err)
	}
	since := clock.Start()
	d.key, d.ends = key, func() time.Duration { return keyLife - 2*keySkew - since() }
	return key, nil
}
