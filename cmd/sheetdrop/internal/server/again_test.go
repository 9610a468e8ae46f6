package server

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// A service that accepts requests and never answers is given up when RetryFor says so, if that is long enough for an answer.
func TestServiceThatHangs(t *testing.T) {
	t.Parallel()
	for _, limit := range []time.Duration{40 * time.Second, 90 * time.Second, RetryFor, 10 * time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			s, begun := &Server{RetryFor: limit}, time.Now()
			_, err := askAgain[struct{}](t.Context(), s, func(ctx context.Context) (*http.Response, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			})
			if took := time.Since(begun); !errors.Is(err, context.DeadlineExceeded) || took > limit+shortestTry || took < limit-2*pauses.Max {
				t.Errorf("within %s it was tried for %s: %v", limit, took, err)
			}
		})
	}
}
