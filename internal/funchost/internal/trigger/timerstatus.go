package trigger

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
)

// scheduleStatus is the state of a timer that outlives a host; the handler receives it with each call.
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
	container *container.Client
	blob      *blockblob.Client
}

func newScheduleMonitor(h Host, function string) (*scheduleMonitor, error) {
	client, err := h.hostContainer()
	if err != nil {
		return nil, fmt.Errorf("the timer's monitor: %w", err)
	}
	name := fmt.Sprintf("timers/%s/Host.Functions.%s/status", h.ID, function)
	return &scheduleMonitor{container: client, blob: client.NewBlockBlobClient(name)}, nil
}

// hostContainer returns the container in which hosts keep their own state.
func (h Host) hostContainer() (*container.Client, error) {
	connection, err := h.Settings.ConnectionString("AzureWebJobsStorage")
	if err != nil {
		return nil, err
	}
	options := &container.ClientOptions{ClientOptions: h.clientOptions()}
	return container.NewClientFromConnectionString(connection, "azure-webjobs-hosts", options)
}

// load returns nil if there is no status yet.
func (m *scheduleMonitor) load(ctx context.Context) (*scheduleStatus, error) {
	answer, err := m.blob.DownloadStream(ctx, nil)
	if answered(err, http.StatusNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var status scheduleStatus
	if err := json.NewDecoder(answer.Body).Decode(&status); err != nil {
		return nil, fmt.Errorf("the timer's status: %w", err)
	}
	return &status, nil
}

func (m *scheduleMonitor) save(ctx context.Context, status scheduleStatus) error {
	content, err := json.Marshal(status)
	if err != nil {
		return err
	}
	return uploadTo(ctx, m.container, m.blob, content)
}

// uploadTo writes a blob, and makes the container where that is missing.
func uploadTo(ctx context.Context, in *container.Client, to *blockblob.Client, content []byte) error {
	upload := func() error {
		_, err := to.UploadBuffer(ctx, content, nil)
		return err
	}
	err := upload()
	if answered(err, http.StatusNotFound) {
		if _, err = in.Create(ctx, nil); err == nil || answered(err, http.StatusConflict) {
			err = upload()
		}
	}
	return err
}
