package azure

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
)

// MaxNote is how long a blob's note may be, in bytes: names and values of metadata together may have 8 KiB.
const MaxNote = 7 << 10

const noteKey = "sheetdrop"

// NotedBlob is a blob with what was noted when it was uploaded.
type NotedBlob struct {
	Name       string
	SizeBytes  int64
	ModifiedAt time.Time // by the store's clock: when its last byte had come
	ETag       string    // its version; not in lists
	Note       string    // "" where there is none
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

// fromMetadata returns a value, "" where there is none. Names of metadata are headers' names: their case is not kept.
func fromMetadata(metadata map[string]*string, key string) string {
	for name, value := range metadata {
		if strings.EqualFold(name, key) && value != nil {
			return *value
		}
	}
	return ""
}
