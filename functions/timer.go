package functions

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
)

// TimerInfo is what the host says of a timer's tick.
type TimerInfo struct {
	IsPastDue bool // the tick makes up for ticks that were missed while no host ran
}

// Timer answers the host's calls for a timer trigger: it decodes the envelope and calls fn with the named binding's value; the context
// carries the invocation's id. An error or a panic gives 500: the host notes it, and the next tick comes at its usual time.
func Timer(binding string, log *slog.Logger, fn func(ctx context.Context, t TimerInfo) error) http.Handler {
	decode := func(envelope []byte) (TimerInfo, error) { return decodeTimerInfo(envelope, binding) }
	return WithInvocation(invocation[TimerInfo]{decode, fn, log})
}

func decodeTimerInfo(envelope []byte, binding string) (TimerInfo, error) {
	var t TimerInfo
	value, _, err := open(envelope, binding)
	if err != nil {
		return t, err
	}
	object, _, err := text(value)
	if err != nil {
		return t, err
	}
	err = json.Unmarshal([]byte(object), &t)
	return t, err
}
