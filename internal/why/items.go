package why

import (
	"slices"
	"time"

	"sheetdrop/internal/task"
)

// Kind is a stable word for something that happened to a task.
type Kind string

// What happens to tasks.
const (
	Accepted        Kind = "accepted"
	MessageSent     Kind = "message_sent"     // the queue has its message
	MessageRenewed  Kind = "message_renewed"  // maintenance has written others, because the queue seemed to have lost it
	MessageRedriven Kind = "message_redriven" // by an operator
	DeadLetter      Kind = "dead_letter"      // the queue has given a message up
	Started         Kind = "started"
	Returned        Kind = "returned"  // a run ended without ending the task
	Reclaimed       Kind = "reclaimed" // the lease of a worker that died
	CancelRequested Kind = "cancel_requested"
	Retried         Kind = "retried"
	Completed       Kind = "completed"
	Failed          Kind = "failed"
	Cancelled       Kind = "cancelled"
	Loaded          Kind = "loaded" // into a target
	LoadUndone      Kind = "load_undone"
	LoadSuperseded  Kind = "load_superseded" // another load has taken its place
	RowsDeleted     Kind = "rows_deleted"
	FileDeleted     Kind = "file_deleted"
	WebhookWaiting  Kind = "webhook_waiting"
)

// Kinds are all there are.
var Kinds = []Kind{
	Accepted, MessageSent, MessageRenewed, MessageRedriven, DeadLetter, Started, Returned, Reclaimed, CancelRequested, Retried, Completed,
	Failed, Cancelled, Loaded, LoadUndone, LoadSuperseded, RowsDeleted, FileDeleted, WebhookWaiting,
}

// Item is something that happened.
type Item struct {
	At      time.Time
	Kind    Kind
	Attempt int    // that began or ended; else 0
	Reason  string // why a run ended, or the task FAILED; "" where there is nothing to say
	Counted bool   // the run counts against the limit of crashes
	Count   int64  // rows of COMPLETED, messages, attempts of a webhook, the number of a load
	By      By
	Caller  string // who did it; nobody but operators sees it
}

// By is who did something: a person, or nobody.
type By string

// The people.
const (
	ByOwner    By = "owner"
	ByOperator By = "operator"
)

// life collects items. Of those of one moment the first one added comes first.
type life struct {
	Snapshot
	items []Item
}

func (l *life) add(at *time.Time, i Item) {
	if at != nil {
		i.At = *at
		l.items = append(l.items, i)
	}
}

// itemsOf returns what happened, oldest first.
func itemsOf(s Snapshot) []Item {
	l := &life{Snapshot: s}
	l.add(&s.CreatedAt, Item{Kind: Accepted})
	l.addMessages()
	for _, p := range s.Past {
		l.addPast(p)
	}
	l.addPresent()
	l.addAftermath()
	slices.SortStableFunc(l.items, func(a, b Item) int { return a.At.Compare(b.At) })
	return l.items
}

func (l *life) addMessages() {
	for _, m := range l.Sent {
		l.add(&m.At, Item{Kind: MessageSent})
	}
	if l.Enqueues > 0 {
		l.add(&l.EnqueuedAt, Item{Kind: MessageRenewed, Count: int64(l.Enqueues)})
	}
	for _, letter := range l.Letters {
		l.add(&letter.SeenAt, Item{Kind: DeadLetter})
	}
	for _, a := range l.Actions {
		if a.Name == "redrive_message" {
			l.addDone(&a.At, Item{Kind: MessageRedriven})
		}
	}
}

func (l *life) addPast(p Past) {
	if p.RetriedAt == nil || !l.knows(p.Attempt, p) {
		l.add(p.BeganAt, Item{Kind: Started, Attempt: p.Attempt})
	}
	switch p.Outcome {
	case "RETURNED":
		l.add(&p.EndedAt, Item{Kind: Returned, Attempt: p.Attempt, Reason: p.Reason, Counted: p.Counted})
	case "EXPIRED":
		l.add(&p.EndedAt, Item{Kind: Reclaimed, Attempt: p.Attempt, Reason: p.Reason, Counted: p.Counted})
	case string(task.Failed):
		l.add(&p.EndedAt, Item{Kind: Failed, Attempt: p.Attempt, Reason: p.Reason})
	case string(task.Cancelled):
		l.addDone(&p.EndedAt, Item{Kind: Cancelled})
	}
	l.addDone(p.RetriedAt, Item{Kind: Retried})
}

// knows reports whether another entry of the history, before this one, has the beginning of an attempt: the task was returned, and ended
// before it was claimed again.
func (l *life) knows(attempt int, before Past) bool {
	return slices.ContainsFunc(l.Past, func(p Past) bool { return p.Attempt == attempt && p.EndedAt.Before(before.EndedAt) })
}

// addPresent adds what the task's own row says: its last attempt and its end.
func (l *life) addPresent() {
	if !slices.ContainsFunc(l.Past, func(p Past) bool { return p.Attempt == l.Attempt }) {
		l.add(l.ClaimedAt, Item{Kind: Started, Attempt: l.Attempt})
	}
	l.addDone(l.CancelRequestedAt, Item{Kind: CancelRequested})
	switch l.Status {
	case task.Completed:
		l.add(l.FinishedAt, Item{Kind: Completed, Attempt: l.Attempt, Count: l.RowsLoaded})
	case task.Failed:
		l.add(l.FinishedAt, Item{Kind: Failed, Attempt: l.Attempt, Reason: l.ErrorCode})
	case task.Cancelled:
		l.add(l.FinishedAt, Item{Kind: Cancelled})
	}
}

// addAftermath adds what happened to what the task has made.
func (l *life) addAftermath() {
	for _, load := range l.Loads {
		l.add(&load.AppliedAt, Item{Kind: Loaded, Count: load.ID})
		if load.SupersededBy != 0 {
			l.add(load.UndoneAt, Item{Kind: LoadSuperseded, Count: load.ID})
		} else {
			l.add(load.UndoneAt, Item{Kind: LoadUndone, Count: load.ID})
		}
	}
	for _, w := range l.Webhooks {
		if l.FinishedAt != nil && l.ClaimedAt != nil && w.CreatedAt.After(*l.ClaimedAt) && w.CreatedAt.Before(*l.FinishedAt) {
			w.CreatedAt = *l.FinishedAt // it was written when the load began, and was there when that ended
		}
		l.add(&w.CreatedAt, Item{Kind: WebhookWaiting, Count: w.Attempts})
	}
	l.addDone(l.RowsDeletedAt, Item{Kind: RowsDeleted})
	l.addDone(l.DeletedAt, Item{Kind: FileDeleted})
}

// addDone adds what a person did, who is in the record of actions. That is written by the same transaction, at the same time.
func (l *life) addDone(at *time.Time, i Item) {
	for _, a := range l.Actions {
		if at != nil && a.At.Equal(*at) {
			i.By, i.Caller = ByOperator, a.Caller
			if l.IsOf(a.Caller) {
				i.By = ByOwner
			}
		}
	}
	l.add(at, i)
}
