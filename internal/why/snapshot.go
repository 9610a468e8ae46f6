// Package why explains the life of a task: what has happened to it, in order, what it waits for now, and when it goes on. Explain is a pure
// function of a snapshot, which package taskhistory reads; API, command line and page show what it returns.
package why

import (
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/task"
)

// Snapshot is all that is known of a task at one moment. Times are the database's.
type Snapshot struct {
	Now      time.Time
	ReadOnly bool      // the database refuses to write
	RanAt    time.Time // when maintenance last reclaimed expired leases

	TaskID    uuid.UUID
	FileID    uuid.UUID
	FileOwner string
	AskedBy   string // who asked for the task; "" in old ones
	Undo      bool   // the task takes a load back, and reads no file
	DeletedAt *time.Time

	Status            task.Status
	Attempt           int
	RunsAlone         bool      // it has died with its process too often to share it with others
	Enqueues          int       // messages that maintenance has written since the last run
	EnqueuedAt        time.Time // when its last message was written, or sent
	LockedUntil       *time.Time
	CancelRequestedAt *time.Time
	CreatedAt         time.Time
	ClaimedAt         *time.Time // by the last attempt
	FinishedAt        *time.Time
	RowsDeletedAt     *time.Time
	ErrorCode         string
	ErrorMessage      string // "" unless it is FAILED
	ErrorMessageJA    string
	RowsLoaded        int64

	FilesAhead int64      // of the same owner, that have waited longer; up to 1,000
	TurnsAhead int64      // of the same target, that have to end before it begins; up to 1,000
	TurnOf     *uuid.UUID // the one of them that is next, or runs
	TurnOwner  string     // whose it is

	Past     []Past
	Messages []Message // live ones
	Sent     []SentMessage
	Letters  []Letter
	Actions  []Action
	Loads    []Load
	Webhooks []Webhook // events that were not delivered yet
}

// Past is an entry of the task's history: a run after which it was PENDING again, or an end that a retry has taken back.
type Past struct {
	Attempt   int        `json:"attempt"`
	BeganAt   *time.Time `json:"began_at"`
	EndedAt   time.Time  `json:"ended_at"`
	Outcome   string     `json:"outcome"` // RETURNED, EXPIRED, FAILED or CANCELLED
	Reason    string     `json:"reason"`
	Counted   bool       `json:"counted"`
	RetriedAt *time.Time `json:"retried_at"`
	MessageID *uuid.UUID `json:"message_id"` // of the message that asks for the next run
}

// Message is a live message of the outbox that asks for the task.
type Message struct {
	ID        uuid.UUID  `json:"id"`
	Tried     bool       `json:"tried"`  // it could not be sent the last time
	DueAt     *time.Time `json:"due_at"` // nil where it is FAILED
	CreatedAt time.Time  `json:"created_at"`
}

// SentMessage is one that the queue has taken.
type SentMessage struct {
	At time.Time `json:"at"`
}

// Letter is a message that the queue has given up delivering.
type Letter struct {
	SeenAt time.Time `json:"seen_at"`
}

// Action is something that a person did to the task, its file or one of its messages.
type Action struct {
	At     time.Time `json:"at"`
	Caller string    `json:"caller"`
	Name   string    `json:"name"`
}

// Load is what the task has loaded into a target.
type Load struct {
	ID           int64      `json:"id"`
	AppliedAt    time.Time  `json:"applied_at"`
	UndoneAt     *time.Time `json:"undone_at"`
	SupersededBy int64      `json:"superseded_by"` // 0: none
}

// Webhook is an event of the task's end that waits to be delivered.
type Webhook struct {
	CreatedAt time.Time `json:"created_at"`
	Attempts  int64     `json:"attempts"`
}

// Timing is what a deployment has set.
type Timing struct {
	Period time.Duration // of the timer, which does maintenance and sends what waits
	Lease  time.Duration // of a worker on its task
}

// IsOf reports whether an owner may see the task: it is of a file of theirs, or an undo that they asked for.
func (s Snapshot) IsOf(owner string) bool {
	return s.FileOwner == owner || s.Undo && s.AskedBy == owner
}
