package outbox

import (
	"context"
	"errors"
	"testing"
	"time"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// Five failures of the service in a row open the breaker; failures between successes do not, however many they are, nor do refusals.
func TestBreakerCountsFailuresInARow(t *testing.T) {
	t.Parallel()
	const well, away = task.EventType("WELL"), task.EventType("AWAY")
	r := &Relay{settings: Settings{SendTimeout: time.Minute}, senders: map[task.EventType]sender{
		well: func(context.Context, postgres.OutboxMessage) error { return nil },
		away: func(context.Context, postgres.OutboxMessage) error { return errors.New("connection refused") },
	}}
	b := new(breaker)
	send := func(times int, event task.EventType) {
		for range times {
			r.send(t.Context(), postgres.OutboxMessage{EventType: event}, b)
		}
	}
	for range 3 {
		send(4, away)
		send(9, "NO_SUCH_EVENT")
		if b.open() {
			t.Error("open before the fifth failure in a row")
		}
		send(1, well)
	}
	send(5, away)
	if !b.open() {
		t.Error("not open after five failures in a row")
	}
}
