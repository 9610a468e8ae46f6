package outbox

import (
	"time"

	"sheetdrop/internal/clock"
	"sheetdrop/internal/postgres"
)

// commitTime is how long a transaction may take and have its messages, which are due when it begins, claimed in their turn.
const commitTime = time.Second

// lowWater is the due time up to which a drain has claimed all there was, and from which on it claims. While somebody holds an old
// snapshot, the server cannot take away what has been sent, and a claim from the beginning would walk over all of it.
//
// Messages can come to lie below it: committed late, given back, or left by a relay that died. So claims from the beginning come in
// between.
type lowWater struct {
	due   time.Time            // zero is the beginning
	since func() time.Duration // the last claim from the beginning
}

// next is where the next claim begins: at first, and again after every pause, at the beginning.
func (w *lowWater) next(pause time.Duration) time.Time {
	if w.due.IsZero() || w.since() >= pause {
		w.since = clock.Start()
		return time.Time{}
	}
	return w.due.Add(-commitTime)
}

// note takes down what was claimed. After nothing, the next claim is from the beginning, whose finding nothing is the drain's end.
func (w *lowWater) note(claimed []postgres.OutboxMessage) {
	w.due = time.Time{}
	for _, m := range claimed {
		if m.DueAt.After(w.due) {
			w.due = m.DueAt
		}
	}
}
