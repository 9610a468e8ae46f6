package azure

import (
	"context"
	"errors"
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
)

// ErrBlobExists says that the blob is there already, committed by an earlier call or by somebody else.
var ErrBlobExists = errors.New("blob exists")

// StagedBlocks returns the blocks of a blob that were written and not committed, their sizes in bytes by their ids; none where there is no such
// blob, or one of a kind that has no blocks.
func (b *Blobs) StagedBlocks(ctx context.Context, name string) (map[string]int64, error) {
	list, err := b.client.NewBlockBlobClient(name).GetBlockList(ctx, blockblob.BlockListTypeUncommitted, nil)
	if bloberror.HasCode(err, bloberror.BlobNotFound, bloberror.InvalidBlobType) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list blocks: %w", err)
	}
	blocks := make(map[string]int64, len(list.UncommittedBlocks))
	for _, block := range list.UncommittedBlocks {
		blocks[*block.Name] = *block.Size
	}
	return blocks, nil
}

// CommitBlocks makes a new blob of staged blocks, in this order, with a note. Staged blocks that are not named are dropped. ErrBlobExists where there
// is one already, of whatever kind and leased or not: also where an earlier try has made it, and its answer was lost.
func (b *Blobs) CommitBlocks(ctx context.Context, name string, ids []string, note string) error {
	options := &blockblob.CommitBlockListOptions{AccessConditions: ifNew()}
	if note != "" {
		options.Metadata = map[string]*string{noteKey: &note}
	}
	_, err := b.client.NewBlockBlobClient(name).CommitBlockList(ctx, ids, options)
	if bloberror.HasCode(err, bloberror.BlobAlreadyExists, bloberror.ConditionNotMet, bloberror.InvalidBlobType, bloberror.LeaseIDMissing) {
		return ErrBlobExists
	}
	if err != nil {
		return fmt.Errorf("commit blocks: %w", err)
	}
	return nil
}

// Stat returns what is known of a committed blob; ErrBlobNotFound where there is none.
func (b *Blobs) Stat(ctx context.Context, name string) (NotedBlob, error) {
	properties, err := b.client.NewBlobClient(name).GetProperties(ctx, nil)
	if err != nil {
		return NotedBlob{}, fmt.Errorf("look at blob: %w", notFound(err))
	}
	return NotedBlob{
		Name: name, SizeBytes: *properties.ContentLength, ModifiedAt: properties.LastModified.UTC(), ETag: string(*properties.ETag),
		Note: fromMetadata(properties.Metadata, noteKey),
	}, nil
}

// Discard removes a blob with all of its blocks, also where none of them was committed: the store deletes such a blob only once it is committed,
// or after a week by itself. One that is not there is success.
func (b *Blobs) Discard(ctx context.Context, name string) error {
	if err := b.CommitBlocks(ctx, name, []string{}, ""); err != nil && !errors.Is(err, ErrBlobExists) {
		return err
	}
	return b.Delete(ctx, name)
}

// ifNew is the condition of a write that must not touch a blob that is there.
func ifNew() *blob.AccessConditions {
	return &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfNoneMatch: to.Ptr(azcore.ETagAny)}}
}
