package why

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/task"
)

// Code is a stable word for where a task stands.
type Code string

// Where a task stands. It waits, but for the last five.
const (
	DatabaseReadOnly Code = "database_read_only" // nothing can be written
	TimerStopped     Code = "timer_stopped"      // what it waits for is done by the timer, which does not run
	WaitsForRelay    Code = "relay"              // its message is to be sent
	QueueUnavailable Code = "queue_unavailable"  // its message could not be sent
	MessageRefused   Code = "message_refused"    // the queue has refused its message for good
	RetryPause       Code = "retry_pause"        // its last run failed
	TargetTurn       Code = "target_turn"        // others go into the target before it
	OwnerShare       Code = "owner_share"        // its owner's earlier files go first
	RunsAlone        Code = "runs_alone"         // until a worker has nothing else to do
	WaitsForWorker   Code = "worker"             // the queue has its message, and no worker has received it
	HeartbeatMissing Code = "heartbeat_missing"  // its worker is silent, and its lease has not expired yet
	LeaseExpired     Code = "lease_expired"      // maintenance takes it back
	Cancelling       Code = "cancelling"         // its worker has been told

	Running     Code = "running"
	IsCompleted Code = "completed"
	IsFailed    Code = "failed"
	IsCancelled Code = "cancelled"
	IsDeleted   Code = "deleted" // its file is
)

// Codes are all there are.
var Codes = []Code{
	DatabaseReadOnly, TimerStopped, WaitsForRelay, QueueUnavailable, MessageRefused, RetryPause, TargetTurn, OwnerShare, RunsAlone,
	WaitsForWorker, HeartbeatMissing, LeaseExpired, Cancelling, Running, IsCompleted, IsFailed, IsCancelled, IsDeleted,
}

// Waits reports whether a task that stands there waits for something.
func (c Code) Waits() bool { return slices.Index(Codes, c) < slices.Index(Codes, Running) }

// State is where a task stands.
type State struct {
	Code       Code
	Since      time.Time
	NextAt     *time.Time   // when the next thing happens to it by itself, at the latest; nil: nobody knows
	ByItself   bool         // it goes on, or has ended well, without anybody's help
	Reason     string       // why its last run ended, or it is FAILED
	Failure    task.Failure // why it is FAILED, in words
	Ahead      int64        // how many tasks go before it
	WaitingFor *uuid.UUID   // the first of those
	Step       *Step        // what somebody can do; nil: nothing
}

// Step is what somebody can do, or has to where the task does not go on by itself.
type Step struct {
	Who     By
	Command string // of the command line; "" where there is none
}

// stateOf returns where a task stands.
func stateOf(s Snapshot, t Timing) State {
	state := s.state(t)
	switch {
	case state.Code.Waits() && s.ReadOnly:
		return State{Code: DatabaseReadOnly, Since: state.Since, Reason: state.Reason, Step: &Step{Who: ByOperator}}
	case state.Code.needsTimer() && s.Now.Sub(s.RanAt) > stoppedAfter(t):
		return State{Code: TimerStopped, Since: s.RanAt, Reason: state.Reason, Step: &Step{Who: ByOperator}}
	}
	return state
}

// stoppedAfter is how old the last run of maintenance is if the timer has stopped: a run may take as long as its lease, and a host that is
// being replaced misses some.
func stoppedAfter(t Timing) time.Duration { return max(2*time.Minute, 6*t.Period) }

func (c Code) needsTimer() bool {
	return slices.Contains([]Code{WaitsForRelay, LeaseExpired, MessageRefused}, c)
}

func (s Snapshot) state(t Timing) State {
	switch {
	case s.Status == task.Processing:
		return s.processing(t)
	case s.Status == task.Pending:
		return s.pending(t)
	case s.DeletedAt != nil && !s.Undo:
		return State{Code: IsDeleted, Since: *s.DeletedAt, ByItself: true}
	case s.Status == task.Completed:
		return State{Code: IsCompleted, Since: *s.FinishedAt, ByItself: true}
	case s.Status == task.Cancelled:
		return State{Code: IsCancelled, Since: *s.FinishedAt, ByItself: true, Step: s.step("sheetdrop retry ", s.TaskID)}
	}
	failure := task.Failure{Code: task.FailureCode(s.ErrorCode), Message: s.ErrorMessage, MessageJA: s.ErrorMessageJA}
	return State{Code: IsFailed, Since: *s.FinishedAt, Reason: s.ErrorCode, Failure: failure, Step: s.afterFailure(failure)}
}

func (s Snapshot) afterFailure(f task.Failure) *Step {
	switch {
	case s.Undo || slices.Contains(task.NotOfTheFile, f.Code):
		return s.step("sheetdrop retry ", s.TaskID)
	case f.NeedsAnotherFile():
		return &Step{Who: ByOwner}
	}
	return &Step{ByOwner, "sheetdrop reparse " + s.FileID.String() + " --help"}
}

func (s Snapshot) step(command string, id uuid.UUID) *Step {
	return &Step{ByOwner, command + id.String()}
}

// processing tells a worker that lives from one that is silent and one that is dead.
func (s Snapshot) processing(t Timing) State {
	beat := s.LockedUntil.Add(-t.Lease)
	switch expired := s.LockedUntil.Before(s.Now); {
	case expired:
		return State{Code: LeaseExpired, Since: *s.LockedUntil, NextAt: new(s.reclaimedBy(t)), ByItself: true}
	case s.CancelRequestedAt != nil:
		return State{Code: Cancelling, Since: *s.CancelRequestedAt, NextAt: new(s.reclaimedBy(t)), ByItself: true}
	case s.Now.Sub(beat) > silentAfter(t):
		return State{Code: HeartbeatMissing, Since: beat, NextAt: new(s.reclaimedBy(t)), ByItself: true}
	}
	since := s.CreatedAt
	if s.ClaimedAt != nil {
		since = *s.ClaimedAt
	}
	return State{Code: Running, Since: since, ByItself: true, Step: s.step("sheetdrop cancel ", s.TaskID)}
}

// silentAfter is how old the last heartbeat of a silent worker is: they come once a second, and one that hangs takes a sixth of a lease.
func silentAfter(t Timing) time.Duration { return t.Lease / 3 }

// reclaimedBy is when maintenance has taken an expired lease back: it does in the first run that begins a period or more after one that has
// ended since. A run may be late by a period each time.
func (s Snapshot) reclaimedBy(t Timing) time.Time {
	if s.RanAt.After(*s.LockedUntil) {
		return s.RanAt.Add(2 * t.Period)
	}
	return s.LockedUntil.Add(4 * t.Period)
}

// pending tells what a task waits for, by how near it is to its run: others before it, its message, the queue.
func (s Snapshot) pending(t Timing) State {
	state := State{ByItself: true, Reason: s.lastReason(), Since: s.EnqueuedAt}
	cancel := s.step("sheetdrop cancel ", s.TaskID)
	switch m := s.nextMessage(); {
	case s.TurnsAhead > 0:
		state.Code, state.Ahead, state.WaitingFor, state.Step = TargetTurn, s.TurnsAhead, s.TurnOf, cancel
		if s.Enqueues == 0 && s.lastPast() == nil {
			state.Since = s.CreatedAt
		}
	case m == nil && s.refused() != nil:
		state.Code, state.NextAt = MessageRefused, s.renewedAt()
		state.Step = &Step{ByOperator, "sheetdrop redrive " + s.refused().ID.String()}
	case m == nil && s.RunsAlone:
		state.Code, state.NextAt, state.Step = RunsAlone, s.renewedAt(), cancel
	case m == nil && s.FilesAhead > 0:
		state.Code, state.Ahead, state.Step = OwnerShare, s.FilesAhead, cancel
	case m == nil:
		state.Code, state.NextAt, state.Step = WaitsForWorker, s.renewedAt(), cancel
	case m.Tried:
		state.Code, state.Since, state.NextAt = QueueUnavailable, m.CreatedAt, m.DueAt
	case m.DueAt.After(s.Now):
		state.Code, state.NextAt, state.Step = RetryPause, m.DueAt, cancel
	default:
		state.Code, state.Since, state.NextAt = WaitsForRelay, m.CreatedAt, new(m.DueAt.Add(t.Period))
	}
	return state
}

// nextMessage returns the live message that the task waits for; nil if its message was sent, or refused.
func (s Snapshot) nextMessage() (next *Message) {
	for i, m := range s.Messages {
		if m.DueAt != nil && !s.leftOver(m) && (next == nil || m.DueAt.Before(*next.DueAt)) {
			next = &s.Messages[i]
		}
	}
	return next
}

// leftOver reports whether a message is of an earlier pause, which the task has not waited for: a run began before it was due, by another
// message or after another owner's task.
func (s Snapshot) leftOver(m Message) bool {
	last := s.lastPast()
	return m.DueAt.After(s.Now) && !m.Tried && (last == nil || last.MessageID == nil || *last.MessageID != m.ID)
}

// refused returns a message that the queue has refused for good, unless another one was written since.
func (s Snapshot) refused() *Message {
	for i, m := range s.Messages {
		if m.DueAt == nil && !m.CreatedAt.Before(s.EnqueuedAt) {
			return &s.Messages[i]
		}
	}
	return nil
}

// renewedAt is when maintenance writes another message, if nobody has claimed the task by then.
func (s Snapshot) renewedAt() *time.Time {
	after := task.ForgottenAfter << min(s.Enqueues, 10)
	return new(s.EnqueuedAt.Add(min(after, task.MaxForgottenAfter)))
}

// lastPast returns how the task last became PENDING again, nil if it was always.
func (s Snapshot) lastPast() *Past {
	if len(s.Past) == 0 {
		return nil
	}
	return &s.Past[len(s.Past)-1]
}

// lastReason returns why the last run ended; "" where there was none, or where somebody had the task run again since.
func (s Snapshot) lastReason() string {
	if last := s.lastPast(); last != nil && last.RetriedAt == nil {
		return last.Reason
	}
	return ""
}
