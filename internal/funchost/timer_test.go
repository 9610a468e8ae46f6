package funchost_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
)

// call is an envelope as the handler received it.
type call struct {
	request  *http.Request
	Data     map[string]json.RawMessage
	Metadata map[string]json.RawMessage
}

func readCall(t *testing.T, r *http.Request) call {
	t.Helper()
	content, err := io.ReadAll(r.Body)
	c := call{request: r}
	if err == nil {
		err = json.Unmarshal(content, &c)
	}
	if err != nil {
		t.Errorf("envelope %q: %v", content, err)
	}
	return c
}

// tick is the payload of a timer call.
type tick struct {
	Schedule       struct{ AdjustForDST bool }
	ScheduleStatus *scheduleStatus
	IsPastDue      bool
}

type scheduleStatus struct{ Last, Next, LastUpdated time.Time }

func readTick(t *testing.T, r *http.Request) tick {
	t.Helper()
	var got tick
	if err := json.Unmarshal(readCall(t, r).Data["timer"], &got); err != nil {
		t.Error(err)
	}
	return got
}

// A timer fires by its schedule, never overlaps itself, and what it misses while it runs is one run, not past due.
func TestTimerNeverOverlaps(t *testing.T) {
	t.Parallel()
	for name, schedule := range map[string]string{"time span": "00:00:01", "cron": "* * * * * *", "setting": "%PACE%"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newApp(t, proxying)
			a.config.Settings["PACE"] = "00:00:02"
			a.addTimer("pump", schedule)
			ticks, release := make(chan tick, 99), make(chan bool)
			var running atomic.Int32
			a.handle = func(w http.ResponseWriter, r *http.Request) {
				if running.Add(1) > 1 {
					t.Error("two runs at once")
				}
				ticks <- readTick(t, r)
				<-release
				running.Add(-1)
				fail(w, r) // changes nothing
			}
			a.start()
			for range 3 {
				got := receive(t, ticks, "a tick")
				if got.IsPastDue || got.ScheduleStatus != nil || !got.Schedule.AdjustForDST {
					t.Errorf("%+v, want no past and no status", got)
				}
				if len(ticks) != 0 {
					t.Error("ticks piled up")
				}
				release <- true
			}
			close(release)
		})
	}
}

// timerApp has a timer that is slow enough for the monitor, and statuses of its own in storage.
func timerApp(t *testing.T) (*app, *azblob.Client, string) {
	t.Helper()
	parts := devtest.Storage(t)
	a := newApp(t, proxying)
	a.addTimer("pump", "0 0 0 1 1 *") // on New Year's Day
	id := a.config.Settings["AzureFunctionsWebHost__hostid"]
	a.config.Settings["AzureWebJobsStorage"] = parts.ConnectionString
	client, err := azblob.NewClientFromConnectionString(parts.ConnectionString, nil)
	if err != nil {
		t.Fatal(err)
	}
	name := "timers/" + id + "/Host.Functions.pump/status"
	t.Cleanup(func() { _, _ = client.DeleteBlob(context.Background(), "azure-webjobs-hosts", name, nil) })
	return a, client, name
}

// keepStatus stores the status of a timer that was due at that time.
func (a *app) keepStatus(function string, due time.Time) time.Time {
	a.t.Helper()
	due = due.Truncate(time.Second)
	kept, _ := json.Marshal(scheduleStatus{Last: due.Add(-time.Hour), Next: due, LastUpdated: due})
	client, err := azblob.NewClientFromConnectionString(a.config.Settings["AzureWebJobsStorage"], nil)
	if err != nil {
		a.t.Fatal(err)
	}
	_, _ = client.CreateContainer(a.t.Context(), "azure-webjobs-hosts", nil) // it may be there
	name := "timers/" + a.config.Settings["AzureFunctionsWebHost__hostid"] + "/Host.Functions." + function + "/status"
	if _, err := client.UploadBuffer(a.t.Context(), "azure-webjobs-hosts", name, kept, nil); err != nil {
		a.t.Fatal(err)
	}
	return due
}

func readStatus(t *testing.T, client *azblob.Client, name string) (status scheduleStatus, ok bool) {
	t.Helper()
	answer, err := client.DownloadStream(t.Context(), "azure-webjobs-hosts", name, nil)
	if err != nil {
		return status, false
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(&status); err != nil {
		t.Error(err)
	}
	return status, true
}

// A host that was down when the timer was due runs it once at its start, past due, and then by the schedule.
func TestMissedTimerRunsPastDue(t *testing.T) {
	t.Parallel()
	a, client, name := timerApp(t)
	ticks := make(chan tick, 9)
	a.handle = func(w http.ResponseWriter, r *http.Request) {
		ticks <- readTick(t, r)
		succeed(w, r)
	}

	first := a.start()
	await.Until(t, "the first status", func() bool { _, ok := readStatus(t, client, name); return ok })
	status, _ := readStatus(t, client, name)
	if !status.Last.IsZero() || status.Next.Month() != time.January || !status.Next.After(time.Now()) {
		t.Errorf("first status %+v", status)
	}
	_ = first.Stop(context.Background()) // a tenth of a second for the lock's release may be too little
	if len(ticks) != 0 {
		t.Fatalf("%d ticks, want none", len(ticks))
	}

	missed := a.keepStatus("pump", time.Now().Add(-48*time.Hour))
	started := time.Now()
	second := a.restart()
	got := receive(t, ticks, "the run that was due")
	if !got.IsPastDue || got.ScheduleStatus == nil || !got.ScheduleStatus.Next.Equal(missed) {
		t.Errorf("%+v", got)
	}
	await.Until(t, "the new status", func() bool {
		status, _ = readStatus(t, client, name)
		return status.Next.After(started)
	})
	if status.Last.Before(started) || status.Next.Month() != time.January {
		t.Errorf("status after the run %+v", status)
	}
	_ = second.Stop(context.Background())
	if len(ticks) != 0 {
		t.Errorf("%d ticks more, want none", len(ticks))
	}
}

func TestTimerRunsOnStartup(t *testing.T) {
	t.Parallel()
	a := newApp(t, proxying)
	a.addTimer("pump", "")
	a.write("pump/function.json", `{"bindings": [{"type": "timerTrigger", "name": "timer",
		"schedule": "0 0 0 1 1 *", "runOnStartup": true, "useMonitor": false}]}`)
	ticks := make(chan tick, 9)
	a.handle = func(w http.ResponseWriter, r *http.Request) {
		ticks <- readTick(t, r)
		succeed(w, r)
	}
	h := a.start()
	if got := receive(t, ticks, "the run at the start"); got.IsPastDue || got.ScheduleStatus != nil {
		t.Errorf("%+v", got)
	}
	for range 3 { // the third death ends the host, and the start of the next one is a start too
		pid := h.HandlerPID()
		kill(t, pid)
		await.Until(t, "the restart", func() bool { return h.HandlerPID() != pid && h.HandlerPID() != 0 })
	}
	receive(t, ticks, "the run at the start of the next host")
	if len(ticks) != 0 || h.Stats().Restarts != 1 {
		t.Errorf("%d runs more, %+v", len(ticks), h.Stats())
	}
}
