package devtest

import (
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/service"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue/queueerror"

	"sheetdrop/internal/devstack"
)

// StorageParts are the names of a test's own container and queue.
type StorageParts struct {
	ConnectionString string // has explicit BlobEndpoint and QueueEndpoint
	Container        string
	Queue            string // Queue + "-poison" does not exist; if somebody creates it, it is deleted too
}

// Storage creates an empty container and an empty queue. They are deleted after the test.
func Storage(t testing.TB) StorageParts {
	t.Helper()
	return StorageOn(t, Shared(t))
}

// StorageOn creates a container and a queue like Storage, on a stack that the test has opened.
func StorageOn(t testing.TB, stack *devstack.Stack) StorageParts {
	t.Helper()
	parts := StorageParts{stack.ConnectionString, uniqueName(), uniqueName()}
	blobs, err := service.NewClientFromConnectionString(parts.ConnectionString, nil)
	if err != nil {
		t.Fatal(err)
	}
	queues, err := azqueue.NewServiceClientFromConnectionString(parts.ConnectionString, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := blobs.CreateContainer(t.Context(), parts.Container, nil); err != nil {
		t.Fatalf("create container: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := ending()
		defer cancel()
		if _, err := blobs.DeleteContainer(ctx, parts.Container, nil); err != nil && !bloberror.HasCode(err, bloberror.ContainerNotFound) {
			t.Errorf("delete container: %v", err)
		}
	})
	if _, err := queues.CreateQueue(t.Context(), parts.Queue, nil); err != nil {
		t.Fatalf("create queue: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := ending()
		defer cancel()
		for _, name := range []string{parts.Queue, parts.Queue + "-poison"} {
			if _, err := queues.DeleteQueue(ctx, name, nil); err != nil && !queueerror.HasCode(err, queueerror.QueueNotFound) {
				t.Errorf("delete queue: %v", err)
			}
		}
	})
	return parts
}

// Queues returns clients of the queue and of its poison queue, which need not be there.
func (p StorageParts) Queues(t testing.TB) (queue, poison *azqueue.QueueClient) {
	t.Helper()
	queues, err := azqueue.NewServiceClientFromConnectionString(p.ConnectionString, nil)
	if err != nil {
		t.Fatal(err)
	}
	return queues.NewQueueClient(p.Queue), queues.NewQueueClient(p.Queue + "-poison")
}

// Receive hides up to 32 messages in the queue for ten minutes, as a host does, and returns them.
func (p StorageParts) Receive(t testing.TB) []*azqueue.DequeuedMessage {
	t.Helper()
	queue, _ := p.Queues(t)
	options := azqueue.DequeueMessagesOptions{NumberOfMessages: new(int32(32)), VisibilityTimeout: new(int32(600))}
	batch, err := queue.DequeueMessages(t.Context(), &options)
	if err != nil {
		t.Fatal(err)
	}
	return batch.Messages
}

// Blobs returns a client of the container.
func (p StorageParts) Blobs(t testing.TB) *container.Client {
	t.Helper()
	client, err := container.NewClientFromConnectionString(p.ConnectionString, p.Container, nil)
	if err != nil {
		t.Fatal(err)
	}
	return client
}
