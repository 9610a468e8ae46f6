package functions

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
)

// TimerInfo describes a timer's tick.
type TimerInfo struct {
	IsPastDue bool // the tick replaces ticks that were missed while no host ran
}

// Timer handles the host's calls of a timer trigger: it decodes the envelope and calls fn with the named binding's
// value; the context has the invocation's id. An error or a panic is answered with 500: the host logs it, and the next
// tick comes at its usual time.
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
