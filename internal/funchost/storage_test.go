package funchost_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"

	"sheetdrop/internal/chaos/storageproxy"
	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/funchost"
)

// queue is a storage queue of the test's own. The host reaches it through a proxy that keeps a record of what the host
// does and can make it fail.
type queue struct {
	t             *testing.T
	name          string
	direct, viaUs string // connection strings
	client        *azqueue.QueueClient
	poison        *azqueue.QueueClient

	mu    sync.Mutex
	seen  []string
	judge func(operation string) storageproxy.Fault
}

func newQueue(t *testing.T) *queue {
	t.Helper()
	parts := devtest.Storage(t)
	q := &queue{t: t, name: parts.Queue, direct: parts.ConnectionString}
	q.viaUs = storageproxy.Through(t, q.direct, q.record, "QueueEndpoint")
	q.client, q.poison = q.connect(q.name), q.connect(q.name+"-poison")
	return q
}

func (q *queue) connect(name string) *azqueue.QueueClient {
	q.t.Helper()
	client, err := azqueue.NewQueueClientFromConnectionString(q.direct, name, nil)
	if err != nil {
		q.t.Fatal(err)
	}
	return client
}

// The host's steps on the queue, as the record names them.
const (
	receives = "receive"
	updates  = "update"
	deletes  = "delete"
	copies   = "copy to poison"
	creates  = "create poison"
)

// record notes an operation and says what happens to it.
func (q *queue) record(r *http.Request) storageproxy.Fault {
	poison := strings.Contains(r.URL.Path, q.name+"-poison")
	operation := map[string]string{
		"GET": receives, "DELETE": deletes, "POST": copies, "PUT": updates,
	}[r.Method]
	if poison && r.Method == http.MethodPut {
		operation = creates
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if operation != receives {
		q.seen = append(q.seen, operation)
	}
	if q.judge == nil {
		return storageproxy.None
	}
	return q.judge(operation)
}

// fail makes the host's operations end as judge says; nil ends that.
func (q *queue) fail(judge func(operation string) storageproxy.Fault) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.judge = judge
}

// operations are what the host has done so far beside receiving.
func (q *queue) operations() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return append([]string(nil), q.seen...)
}

// send puts texts into the queue, as base64.
func (q *queue) send(texts ...string) {
	q.t.Helper()
	for _, text := range texts {
		q.sendRaw(base64.StdEncoding.EncodeToString([]byte(text)))
	}
}

func (q *queue) sendRaw(text string) {
	q.t.Helper()
	if _, err := q.client.EnqueueMessage(q.t.Context(), text, nil); err != nil {
		q.t.Fatal(err)
	}
}

// count is the number of messages, hidden ones included; 0 for a queue that does not exist.
func (q *queue) count(c *azqueue.QueueClient) int {
	properties, err := c.GetProperties(context.Background(), nil)
	if err != nil {
		return 0
	}
	return int(*properties.ApproximateMessagesCount)
}

// visible is the number of messages that could be received now, up to 32.
func (q *queue) visible() int {
	q.t.Helper()
	most := int32(32)
	answer, err := q.client.PeekMessages(q.t.Context(), &azqueue.PeekMessagesOptions{NumberOfMessages: &most})
	if err != nil {
		q.t.Fatal(err)
	}
	return len(answer.Messages)
}

func (q *queue) waitEmpty() {
	q.t.Helper()
	await.Until(q.t, "an empty queue", func() bool { return q.count(q.client) == 0 })
}

// poisoned are the decoded texts in the poison queue, in order of arrival.
func (q *queue) poisoned() []string {
	q.t.Helper()
	most := int32(32)
	answer, err := q.poison.PeekMessages(q.t.Context(), &azqueue.PeekMessagesOptions{NumberOfMessages: &most})
	if err != nil {
		return nil
	}
	var texts []string
	for _, m := range answer.Messages {
		text, err := base64.StdEncoding.DecodeString(*m.MessageText)
		if err != nil {
			text = []byte("raw: " + *m.MessageText)
		}
		texts = append(texts, string(text))
	}
	return texts
}

// newQueueApp is an app whose function "work" takes from the queue, one message after the other unless options (of
// host.json's extensions.queues) say otherwise.
func newQueueApp(t *testing.T, q *queue, options string, handle http.HandlerFunc) *app {
	t.Helper()
	if options == "" {
		options = `"batchSize": 1, "newBatchThreshold": 0`
	}
	a := newApp(t, fmt.Sprintf(`{"functionTimeout": "-1", "customHandler": {"initializationTimeout": "00:00:20"},
		"extensions": {"queues": {"maxPollingInterval": "00:00:05", %s}}}`, options))
	a.addQueue("work", q.name, "binary")
	a.config.Settings["AzureWebJobsStorage"] = q.viaUs
	a.handle = handle
	return a
}

func startQueueApp(t *testing.T, q *queue, options string, handle http.HandlerFunc) (*app, *funchost.Host) {
	t.Helper()
	a := newQueueApp(t, q, options, handle)
	return a, a.start()
}
