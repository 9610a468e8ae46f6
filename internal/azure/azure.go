// Package azure accesses the blob container and the storage queue, and keeps secrets of connection strings out of error
// texts.
package azure

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/service"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue/queueerror"
)

// Open returns the clients. It does not connect: a handler must start even while its storage is unavailable.
func Open(s Settings) (*Blobs, *Queue, error) { return open(s, s.newClient) }

func open(s Settings, newClient func() *http.Client) (*Blobs, *Queue, error) {
	if err := s.check(); err != nil {
		return nil, nil, err
	}
	blobs, err := newContainerClient(s, &container.ClientOptions{ClientOptions: blobOptions(newClient)})
	if err != nil {
		return nil, nil, fmt.Errorf("blob container client: %w", err)
	}
	// No retries: a retried Put Message whose first response was lost would be a second message. The outbox does the
	// retrying.
	once := &azqueue.ClientOptions{
		ClientOptions: policy.ClientOptions{Transport: redacted{newClient()}, Retry: policy.RetryOptions{MaxRetries: -1}},
	}
	queue, err := newQueueClient(s, s.Queue, once)
	if err != nil {
		return nil, nil, fmt.Errorf("queue client: %w", err)
	}
	poison, err := newQueueClient(s, s.Queue+"-poison", once)
	if err != nil {
		return nil, nil, fmt.Errorf("poison queue client: %w", err)
	}
	signer, err := newDelegation(s, newClient)
	if err != nil {
		return nil, nil, fmt.Errorf("blob service client: %w", err)
	}
	return &Blobs{client: blobs, container: s.Container, delegation: signer, stall: stallTimeout}, &Queue{queue, poison}, nil
}

func blobOptions(newClient func() *http.Client) policy.ClientOptions {
	return policy.ClientOptions{
		Transport: redacted{newClient()}, Retry: policy.RetryOptions{MaxRetries: 2, TryTimeout: time.Minute, RetryDelay: 200 * time.Millisecond},
	}
}

// newDelegation returns nil where there is an account key to sign with.
func newDelegation(s Settings, newClient func() *http.Client) (*delegation, error) {
	if !s.keyless() {
		return nil, nil
	}
	client, err := service.NewClient(s.BlobServiceURI, s.Identity, &service.ClientOptions{ClientOptions: blobOptions(newClient)})
	return &delegation{service: client}, err
}

func newContainerClient(s Settings, o *container.ClientOptions) (*container.Client, error) {
	if s.keyless() {
		return container.NewClient(s.blobContainer(), s.Identity, o)
	}
	client, err := container.NewClientFromConnectionString(s.ConnectionString(), s.Container, o)
	return client, withoutSecrets(err)
}

func newQueueClient(s Settings, name string, o *azqueue.ClientOptions) (*azqueue.QueueClient, error) {
	if s.keyless() {
		return azqueue.NewQueueClient(s.queue(name), s.Identity, o)
	}
	client, err := azqueue.NewQueueClientFromConnectionString(s.ConnectionString(), name, o)
	return client, withoutSecrets(err)
}

// newClient allows as many idle connections to one host as there are calls at once: with the default of two nearly
// every call would open a new connection.
func (s Settings) newClient() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 128, 64
	t.ResponseHeaderTimeout = time.Minute
	return &http.Client{Transport: s.transport(t)}
}

// redacted removes queries from the URLs in errors: they contain shared access signatures, and errors are written to
// logs and the outbox.
type redacted struct{ client *http.Client }

// Do implements policy.Transporter.
func (d redacted) Do(r *http.Request) (*http.Response, error) {
	response, err := d.client.Do(r) //nolint:gosec // the SDK has made the request
	if failed, ok := errors.AsType[*url.Error](err); ok {
		failed.URL, _, _ = strings.Cut(failed.URL, "?")
	}
	return response, err
}

// withoutSecrets keeps a malformed connection string, including its key, out of error texts.
func withoutSecrets(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(
		"the storage connection string cannot be read: it needs AccountName, AccountKey and endpoints, or UseDevelopmentStorage=true",
	)
}

// Provision creates container, queue and poison queue if they are missing. In a deployment the infrastructure does
// that; this is for development machines and tests.
func Provision(ctx context.Context, s Settings) error {
	blobs, queue, err := Open(s)
	if err != nil {
		return err
	}
	if _, err := blobs.client.Create(ctx, nil); err != nil && !bloberror.HasCode(err, bloberror.ContainerAlreadyExists) {
		return fmt.Errorf("create container %s: %w", s.Container, err)
	}
	for _, q := range []*azqueue.QueueClient{queue.client, queue.poison} {
		if _, err := q.Create(ctx, nil); err != nil && !queueerror.HasCode(err, queueerror.QueueAlreadyExists) {
			return fmt.Errorf("create queue %s: %w", s.Queue, err)
		}
	}
	return nil
}
