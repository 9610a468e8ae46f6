// Package azure reaches the blob container and the storage queue, and tells whose fault an error of theirs is.
package azure

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue/queueerror"

	"sheetdrop/internal/chaos/crashpoint"
)

// Settings say where files and messages are kept. Connection is a storage connection string, or UseDevelopmentStorage=true for an
// emulator at its usual ports.
type Settings struct {
	Connection string `env:"DATA_STORAGE,required"`
	Container  string `env:"BLOB_CONTAINER" envDefault:"files"`
	Queue      string `env:"PARSE_QUEUE" envDefault:"parse-tasks"`
}

// developmentStorage is what UseDevelopmentStorage=true stands for: the emulator's published account, the same on every machine.
const developmentStorage = "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;" +
	"AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;" +
	"BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1;QueueEndpoint=http://127.0.0.1:10001/devstoreaccount1;"

// ConnectionString expands the emulator's short form; the SDK for Go does not know it.
func (s Settings) ConnectionString() string {
	if strings.EqualFold(strings.TrimRight(strings.TrimSpace(s.Connection), ";"), "UseDevelopmentStorage=true") {
		return developmentStorage
	}
	return s.Connection
}

// Open makes the clients. It does not connect: a handler must start while its storage is away.
func Open(s Settings) (*Blobs, *Queue, error) {
	blobs, err := container.NewClientFromConnectionString(s.ConnectionString(), s.Container, &container.ClientOptions{
		ClientOptions: policy.ClientOptions{Transport: newTransport(), Retry: policy.RetryOptions{MaxRetries: 2, TryTimeout: time.Minute, RetryDelay: 200 * time.Millisecond}},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("blob container client: %w", withoutSecrets(err))
	}
	// No retries: a retried Put Message whose first answer was lost is a second message. The outbox is the retry.
	queue, err := azqueue.NewQueueClientFromConnectionString(s.ConnectionString(), s.Queue, &azqueue.ClientOptions{
		ClientOptions: policy.ClientOptions{Transport: newTransport(), Retry: policy.RetryOptions{MaxRetries: -1}},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("queue client: %w", withoutSecrets(err))
	}
	poison, err := azqueue.NewQueueClientFromConnectionString(s.ConnectionString(), s.Queue+"-poison", &azqueue.ClientOptions{
		ClientOptions: policy.ClientOptions{Transport: newTransport(), Retry: policy.RetryOptions{MaxRetries: -1}},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("poison queue client: %w", withoutSecrets(err))
	}
	return &Blobs{blobs}, &Queue{queue, poison}, nil
}

// newTransport allows as many connections to one host as we ever have calls under way: the default of two idle ones would open a new
// connection for nearly every call.
func newTransport() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 128, 64
	t.ResponseHeaderTimeout = time.Minute
	return &http.Client{Transport: crashpoint.Storage(t)}
}

// withoutSecrets keeps a malformed connection string, key and all, out of error texts.
func withoutSecrets(error) error {
	return errors.New("the storage connection string cannot be read: it needs AccountName, AccountKey and endpoints, or UseDevelopmentStorage=true")
}

// Provision creates container, queue and poison queue where they are missing. Deployed, the infrastructure does that; this is for a
// laptop and for tests.
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

// IsMessageFault reports that a refusal blames what was sent, not the service: sending the same again will be refused again. Time-outs,
// refused connections, missing rights, a missing queue, throttling and server errors are the service's.
func IsMessageFault(err error) bool {
	var response *azcore.ResponseError
	if !errors.As(err, &response) {
		return false
	}
	switch code := response.StatusCode; code {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return false
	default:
		return code >= 400 && code < 500
	}
}

// IsServiceFault reports that storage answered with a fault of its own. Errors without an answer, from the network, are not looked at.
func IsServiceFault(err error) bool {
	var response *azcore.ResponseError
	return errors.As(err, &response) && !IsMessageFault(err)
}
