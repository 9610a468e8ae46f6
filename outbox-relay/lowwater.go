package outbox

import (
	"time"

	"sheetdrop/internal/clock"
	"sheetdrop/internal/postgres"
)

// commitTime is how long a transaction may take so that its messages, which are due when it begins, are still claimed
// in order.
const commitTime = time.Second

// lowWater is the due time up to which a drain has claimed everything, and from which the next claim starts. While an
// old snapshot is held, the server cannot remove what has been sent, and a claim from the beginning would scan all of
// it.
//
// Messages can appear below it: committed late, returned, or left by a relay that died. So there are claims from the
// beginning in between.
type lowWater struct {
	due   time.Time            // zero means the beginning
	since func() time.Duration // the time since the last claim from the beginning
}

// next returns where the next claim starts: at the beginning for the first claim, and again after every pause.
func (w *lowWater) next(pause time.Duration) time.Time {
	if w.due.IsZero() || w.since() >= pause {
		w.since = clock.Start()
		return time.Time{}
	}
	return w.due.Add(-commitTime)
}

// note records what was claimed. If nothing was, the next claim is from the beginning, and if that finds nothing
// either, the drain ends.
func (w *lowWater) note(claimed []postgres.OutboxMessage) {
	w.due = time.Time{}
	for _, m := range claimed {
		if m.DueAt.After(w.due) {
			w.due = m.DueAt
		}
	}
}
