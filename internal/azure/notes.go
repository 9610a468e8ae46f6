package azure

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
)

// MaxNote is the maximum length of a blob's note, in bytes: names and values of metadata may together have 8 KiB.
const MaxNote = 7 << 10

const noteKey = "sheetdrop"

// NotedBlob is a blob with the note from its upload.
type NotedBlob struct {
	Name       string
	SizeBytes  int64
	ModifiedAt time.Time // by the store's clock: when its last byte arrived
	ETag       string    // its version; not in lists
	Note       string    // "" if it has none
}

// ListNotes returns up to limit blobs whose names begin with prefix, as List does.
func (b *Blobs) ListNotes(ctx context.Context, prefix, marker string, limit int) (blobs []NotedBlob, next string, err error) {
	options := &container.ListBlobsFlatOptions{
		Prefix: &prefix, MaxResults: new(int32(limit)), Include: container.ListBlobsInclude{Metadata: true},
	}
	if marker != "" {
		options.Marker = &marker
	}
	page, err := b.client.NewListBlobsFlatPager(options).NextPage(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("list blobs with their notes: %w", err)
	}
	for _, item := range page.Segment.BlobItems {
		blobs = append(blobs, NotedBlob{
			Name: *item.Name, SizeBytes: *item.Properties.ContentLength, ModifiedAt: item.Properties.LastModified.UTC(),
			Note: fromMetadata(item.Metadata, noteKey),
		})
	}
	if page.NextMarker != nil {
		next = *page.NextMarker
	}
	return blobs, next, nil
}

// SetNote replaces the note of a blob; "" is none.
func (b *Blobs) SetNote(ctx context.Context, name, text string) error {
	metadata := map[string]*string{}
	if text != "" {
		metadata[noteKey] = &text
	}
	if _, err := b.client.NewBlobClient(name).SetMetadata(ctx, metadata, nil); err != nil {
		return fmt.Errorf("set the note of a blob: %w", err)
	}
	return nil
}

// fromMetadata returns a value, or "" if there is none. Names of metadata are HTTP header names: their case is not
// preserved.
func fromMetadata(metadata map[string]*string, key string) string {
	for name, value := range metadata {
		if strings.EqualFold(name, key) && value != nil {
			return *value
		}
	}
	return ""
}
