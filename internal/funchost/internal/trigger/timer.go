package trigger

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"sheetdrop/internal/funchost/internal/app"
	"sheetdrop/internal/funchost/internal/timing"
)

// timerTrigger calls its function by a schedule. The timer is one-shot and armed again after each run, so runs never
// overlap and missed ticks collapse into one.
type timerTrigger struct {
	function app.Function
	schedule schedule
	lock     *timerLock
	monitor  *scheduleMonitor // nil: ticks that are missed while the host is down stay missed
	log      *slog.Logger
}

// NewTimer returns the listener of a timerTrigger.
func NewTimer(h Host, f app.Function) (Listener, error) {
	s, frequent, err := parseSchedule(f.Trigger.Schedule, h.Scale)
	if err != nil {
		return nil, err
	}
	t := &timerTrigger{function: f, schedule: s, log: h.Log.With("function", f.Name)}
	if t.lock, err = newTimerLock(h, f.Name); err != nil {
		return nil, err
	}
	if app.ValueOr(f.Trigger.UseMonitor, true) && !frequent {
		t.monitor, err = newScheduleMonitor(h, f.Name)
	}
	return t, err
}

// Run waits for the timer's lock and ticks until the listeners stop. The lock is given up after the last run has ended.
func (t *timerTrigger) Run(l Life) {
	held := t.lock.await(l)
	if held == nil {
		return
	}
	ctx, release := context.WithCancel(context.Background())
	var keeping sync.WaitGroup
	keeping.Go(func() { t.lock.keep(ctx, l, held) })
	t.tick(l)
	release()
	keeping.Wait()
}

// tick starts with one run at once if the schedule was missed while no host ran, or if the function asks for a run at
// each start.
func (t *timerTrigger) tick(l Life) {
	now := time.Now()
	status, pastDue := t.resume(l.Calls, now)
	next := status.Next
	if pastDue || t.function.Trigger.RunOnStartup {
		next = now
	}
	for {
		timing.Sleep(l.Listening, time.Until(next))
		if l.Listening.Err() != nil {
			return
		}
		started := time.Now()
		if started.Before(next) { // the clock was set back: the same tick must not come twice
			started = next
		}
		t.invoke(l, status, pastDue)
		pastDue = false
		next = t.schedule.Next(started)
		status = scheduleStatus{Last: started, Next: next, LastUpdated: started}
		t.save(l.Calls, status)
	}
}

// resume returns the stored status, or a new one, and whether its next occurrence has passed.
func (t *timerTrigger) resume(ctx context.Context, now time.Time) (status scheduleStatus, pastDue bool) {
	if t.monitor != nil {
		kept, err := t.monitor.load(ctx)
		switch {
		case err != nil:
			t.log.Warn("the timer's status cannot be read", "error", brief(err))
		case kept != nil:
			return *kept, kept.Next.Before(now)
		}
	}
	status = scheduleStatus{Next: t.schedule.Next(now)}
	t.save(ctx, status)
	return status, false
}

func (t *timerTrigger) save(ctx context.Context, status scheduleStatus) {
	if t.monitor == nil {
		return
	}
	if err := t.monitor.save(ctx, status); err != nil && !errors.Is(err, context.Canceled) {
		t.log.Warn("the timer's status cannot be kept", "error", brief(err))
	}
}

// invoke runs the function once. A failure has no effect but its log line: the next run comes by the schedule.
func (t *timerTrigger) invoke(l Life, status scheduleStatus, pastDue bool) {
	var kept any
	if t.monitor != nil {
		kept = status
	}
	value := map[string]any{
		"Schedule":       map[string]any{"AdjustForDST": true},
		"ScheduleStatus": kept,
		"IsPastDue":      pastDue,
	}
	_ = l.Invoke(t.function.Name, newEnvelope(t.function.Name, t.function.Trigger.Name, value, nil))
}
