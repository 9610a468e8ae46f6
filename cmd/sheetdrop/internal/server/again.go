package server

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"sheetdrop/internal/backoff"
	"sheetdrop/internal/client"
)

// pauses are between the tries of a request, unless the server wants longer ones.
var pauses = backoff.Policy{First: 250 * time.Millisecond, Max: 10 * time.Second}

const (
	tryTimeout  = time.Minute      // a network may go away without a word
	shortestTry = 30 * time.Second // a service that is well holds the wait for a task nearly as long
)

// askAgain sends a request, which must be idempotent, until it is answered with something that does not pass: not by a network that is
// away, 429, or 5xx. It returns the last error when the next try would come after RetryFor.
func askAgain[T any](ctx context.Context, s *Server, send func(context.Context) (*http.Response, error)) (T, error) {
	begun := time.Now()
	for failures := 1; ; failures++ {
		value, wanted, err := askOnce[T](ctx, min(tryTimeout, max(shortestTry, s.RetryFor-time.Since(begun))), send)
		pause := max(wanted, pauses.Delay(failures))
		if err == nil || !passes(err) || time.Since(begun)+pause > s.RetryFor {
			return value, explain(err)
		}
		select {
		case <-ctx.Done():
			return value, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// askOnce also returns the pause that the server wants before the next try.
func askOnce[T any](
	ctx context.Context, timeout time.Duration, send func(context.Context) (*http.Response, error),
) (value T, pause time.Duration, err error) {
	ctx, stop := context.WithTimeout(ctx, timeout)
	defer stop()
	answer, err := send(ctx)
	pause = retryAfter(answer)
	value, err = client.Decode[T](answer, err)
	return value, pause, err
}

func retryAfter(answer *http.Response) time.Duration {
	if answer == nil {
		return 0
	}
	seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
	return time.Duration(seconds) * time.Second
}

// passes reports whether the same request may be answered otherwise soon. What is no answer at all is of the network.
func passes(err error) bool {
	status := http.StatusServiceUnavailable
	if problem, ok := errors.AsType[*client.Problem](err); ok {
		status = int(problem.Status)
	} else if other, ok := errors.AsType[*client.UnexpectedAnswer](err); ok {
		status = other.StatusCode
	}
	return status >= http.StatusInternalServerError || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout
}
