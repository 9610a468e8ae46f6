package funchost

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
)

// scheduleStatus is what is kept of a timer between two lives of the host, as the handler sees it too.
type scheduleStatus struct {
	Last        time.Time // start of the last run; the zero time before the first
	Next        time.Time
	LastUpdated time.Time
}

func (s scheduleStatus) MarshalJSON() ([]byte, error) {
	const layout = "2006-01-02T15:04:05.9999999-07:00" // .NET's ticks
	return json.Marshal(struct{ Last, Next, LastUpdated string }{
		s.Last.Format(layout), s.Next.Format(layout), s.LastUpdated.Format(layout),
	})
}

// scheduleMonitor keeps a timer's status in the blob where the real host keeps it.
type scheduleMonitor struct {
	client *azblob.Client
	blob   string
}

const statusContainer = "azure-webjobs-hosts"

func newScheduleMonitor(h *Host, function string) (*scheduleMonitor, error) {
	connection, err := h.config.connectionString("AzureWebJobsStorage")
	if err != nil {
		return nil, fmt.Errorf("the timer's monitor: %w", err)
	}
	options := &azblob.ClientOptions{}
	options.Transport = h.storage
	options.Retry = policy.RetryOptions{MaxRetries: 1, TryTimeout: 10 * time.Second, RetryDelay: 200 * time.Millisecond}
	client, err := azblob.NewClientFromConnectionString(connection, options)
	if err != nil {
		return nil, fmt.Errorf("the timer's monitor: %w", err)
	}
	return &scheduleMonitor{client: client, blob: fmt.Sprintf("timers/%s/%s/status", hostID(h.config), function)}, nil
}

// hostID tells this app's state from that of others in one storage account: the setting for it, or made from the
// machine's name and the app root as on a developer's machine.
func hostID(c Config) string {
	if id, ok := c.setting("AzureFunctionsWebHost__hostid"); ok {
		return id
	}
	machine, _ := os.Hostname()
	sum := fnv.New64a()
	fmt.Fprint(sum, machine, "\x00", c.Root)
	return fmt.Sprintf("local-%016x", sum.Sum64())
}

// load returns nil when nothing was kept.
func (m *scheduleMonitor) load(ctx context.Context) (*scheduleStatus, error) {
	answer, err := m.client.DownloadStream(ctx, statusContainer, m.blob, nil)
	if bloberror.HasCode(err, bloberror.BlobNotFound, bloberror.ContainerNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var status scheduleStatus
	if err := json.NewDecoder(answer.Body).Decode(&status); err != nil {
		return nil, fmt.Errorf("%s: %w", m.blob, err)
	}
	return &status, nil
}

func (m *scheduleMonitor) save(ctx context.Context, status scheduleStatus) error {
	content, err := json.Marshal(status)
	if err != nil {
		return err
	}
	_, err = m.client.UploadBuffer(ctx, statusContainer, m.blob, content, nil)
	if bloberror.HasCode(err, bloberror.ContainerNotFound) {
		if _, err = m.client.CreateContainer(ctx, statusContainer, nil); err == nil ||
			bloberror.HasCode(err, bloberror.ContainerAlreadyExists) {
			_, err = m.client.UploadBuffer(ctx, statusContainer, m.blob, content, nil)
		}
	}
	return err
}
