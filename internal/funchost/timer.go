package funchost

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// timerTrigger calls its function by a schedule. The timer is one-shot and armed again after each run, so runs never
// overlap and missed ticks collapse into one.
type timerTrigger struct {
	host     *Host
	function function
	schedule schedule
	lock     *timerLock
	monitor  *scheduleMonitor // nil: what is missed while the host is down stays missed
	log      *slog.Logger
}

func newTimerTrigger(h *Host, f function) (*timerTrigger, error) {
	s, frequent, err := parseSchedule(f.trigger.Schedule, timeScale(h.config.TimeScale))
	if err != nil {
		return nil, err
	}
	t := &timerTrigger{host: h, function: f, schedule: s, log: h.config.Logger.With("function", f.name)}
	if t.lock, err = newTimerLock(h, f.name); err != nil {
		return nil, err
	}
	if valueOr(f.trigger.UseMonitor, true) && !frequent {
		t.monitor, err = newScheduleMonitor(h, f.name)
	}
	return t, err
}

// run waits for the timer's lock and ticks until the listeners stop. The lock is given up after the last run has ended.
func (t *timerTrigger) run(l *life) {
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
func (t *timerTrigger) tick(l *life) {
	now := time.Now()
	status, pastDue := t.resume(l.calls, now)
	next := status.Next
	if pastDue || t.function.trigger.RunOnStartup {
		next = now
	}
	for {
		sleep(l.listening, time.Until(next))
		if l.listening.Err() != nil {
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
		t.save(l.calls, status)
	}
}

// resume reads what was kept of the schedule and reports whether its next occurrence has passed.
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
func (t *timerTrigger) invoke(l *life, status scheduleStatus, pastDue bool) {
	var kept any
	if t.monitor != nil {
		kept = status
	}
	value := map[string]any{
		"Schedule":       map[string]any{"AdjustForDST": true},
		"ScheduleStatus": kept,
		"IsPastDue":      pastDue,
	}
	_ = l.invoke(t.function.name, newEnvelope(t.function.name, t.function.trigger.Name, value, nil))
}
