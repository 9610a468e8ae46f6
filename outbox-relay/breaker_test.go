package outbox

import (
	"context"
	"errors"
	"testing"
	"time"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// Five failures of a service in a row open its breaker, and no other one; failures between successes do not, however
// many there are, nor do rejected messages.
func TestBreakerCountsFailuresInARow(t *testing.T) {
	t.Parallel()
	away := errors.New("connection refused")
	var answer error
	send := func(context.Context, postgres.OutboxMessage) error { return answer }
	r := &Relay{settings: Settings{SendTimeout: time.Minute}, destinations: map[task.EventType]destination{task.ParseTask: send, task.BlobDelete: send}}
	b := new(breakers)
	try := func(times int, event task.EventType, answered error) {
		answer = answered
		for range times {
			r.send(t.Context(), postgres.OutboxMessage{EventType: event}, b)
		}
	}
	for range 3 {
		try(4, task.BlobDelete, away)
		try(9, task.ParseTask, nil)
		try(9, "NO_SUCH_EVENT", nil)
		if b.open(task.BlobDelete) {
			t.Error("open before the fifth failure in a row")
		}
		try(1, task.BlobDelete, nil)
	}
	try(5, task.BlobDelete, away)
	if !b.open(task.BlobDelete) || b.open(task.ParseTask) {
		t.Errorf("open: deletions %t, parses %t, want the first alone", b.open(task.BlobDelete), b.open(task.ParseTask))
	}
}
