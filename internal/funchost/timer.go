package funchost

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// timerTrigger calls its function by a schedule. The timer is one-shot and armed again after each run, so runs never
// overlap and missed ticks collapse into one.
type timerTrigger struct {
	host     *Host
	function function
	schedule schedule
	monitor  *scheduleMonitor // nil: what is missed while the host is down stays missed
	log      *slog.Logger
}

func newTimerTrigger(h *Host, f function) (*timerTrigger, error) {
	s, frequent, err := parseSchedule(f.trigger.Schedule, timeScale(h.config.TimeScale))
	if err != nil {
		return nil, err
	}
	t := &timerTrigger{host: h, function: f, schedule: s, log: h.config.Logger.With("function", f.name)}
	if valueOr(f.trigger.UseMonitor, true) && !frequent {
		t.monitor, err = newScheduleMonitor(h, f.name)
	}
	return t, err
}

// run ticks until listening ends. It starts with one run at once if the schedule was missed while no host ran, or if
// the function asks for a run at each start.
func (t *timerTrigger) run(listening, life context.Context) {
	now := time.Now()
	status, pastDue := t.resume(life, now)
	next := status.Next
	if pastDue || t.function.trigger.RunOnStartup {
		next = now
	}
	for {
		sleep(listening, time.Until(next))
		if listening.Err() != nil {
			return
		}
		started := time.Now()
		if started.Before(next) { // the clock was set back: the same tick must not come twice
			started = next
		}
		if err := t.invoke(listening, life, status, pastDue); errors.Is(err, errNotCalled) {
			return
		}
		pastDue = false
		next = t.schedule.Next(started)
		status = scheduleStatus{Last: started, Next: next, LastUpdated: started}
		t.save(life, status)
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
func (t *timerTrigger) invoke(listening, life context.Context, status scheduleStatus, pastDue bool) error {
	var kept any
	if t.monitor != nil {
		kept = status
	}
	value := map[string]any{
		"Schedule":       map[string]any{"AdjustForDST": true},
		"ScheduleStatus": kept,
		"IsPastDue":      pastDue,
	}
	return t.host.invoke(listening, life, t.function.name, newEnvelope(t.function.name, t.function.trigger.Name, value, nil))
}
