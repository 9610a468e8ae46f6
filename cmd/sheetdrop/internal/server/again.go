package server

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/sethvargo/go-retry"

	"sheetdrop/internal/client"
)

// How long a request waits before it is sent again, unless the server says it.
const (
	firstPause   = 250 * time.Millisecond
	longestPause = 10 * time.Second
	pauseJitter  = 30 // percent

	tryTimeout = time.Minute // a network may go away without a word
)

// askAgain sends a request, which must be idempotent, until it is answered with something that does not pass: not by a network that is away, 429,
// or 5xx. It returns the last error when the next try would come after RetryFor.
func askAgain[T any](ctx context.Context, s *Server, send func(context.Context) (*http.Response, error)) (T, error) {
	var least time.Duration // that the server wants
	begun := time.Now()
	pauses := retry.WithJitterPercent(pauseJitter, retry.WithCappedDuration(longestPause, retry.NewExponential(firstPause)))
	untilTooLate := retry.BackoffFunc(func() (time.Duration, bool) {
		pause, _ := pauses.Next() // which goes on for ever
		pause = max(pause, least)
		return pause, time.Since(begun)+pause > s.RetryFor
	})
	value, err := retry.DoValue(ctx, untilTooLate, func(ctx context.Context) (T, error) {
		tryCtx, stop := context.WithTimeout(ctx, tryTimeout)
		defer stop()
		answer, err := send(tryCtx)
		least = retryAfter(answer)
		value, err := client.Decode[T](answer, err)
		if err != nil && ctx.Err() == nil && passes(err) {
			err = retry.RetryableError(err)
		}
		return value, err
	})
	return value, explain(err)
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
