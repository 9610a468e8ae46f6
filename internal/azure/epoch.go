package azure

import (
	"context"
	"fmt"
	"strconv"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
)

const epochKey = "epoch"

// Epoch returns the number that SetEpoch stored with the container, or 0 if it never did.
func (b *Blobs) Epoch(ctx context.Context) (int64, error) {
	properties, err := b.client.GetProperties(ctx, nil)
	if err != nil {
		return 0, fmt.Errorf("read the container's epoch: %w", err)
	}
	text := fromMetadata(properties.Metadata, epochKey)
	if text == "" {
		return 0, nil
	}
	epoch, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read the container's epoch: %w", err)
	}
	return epoch, nil
}

// SetEpoch stores a number with the container, as its only metadata.
func (b *Blobs) SetEpoch(ctx context.Context, epoch int64) error {
	metadata := map[string]*string{epochKey: new(strconv.FormatInt(epoch, 10))}
	if _, err := b.client.SetMetadata(ctx, &container.SetMetadataOptions{Metadata: metadata}); err != nil {
		return fmt.Errorf("write the container's epoch: %w", err)
	}
	return nil
}
