package receive

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"sheetdrop/upload-api/internal/problem"
)

// A server that sends nothing, or a byte now and then, does not hold an upload's place for ever.
func TestSlowServersLoseTheirPlace(t *testing.T) {
	t.Parallel()
	for name, rest := range map[string]time.Duration{"silent": time.Hour, "a byte every half minute": 30 * time.Second} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				out, in := io.Pipe()
				defer context.AfterFunc(ctx, func() { _ = in.CloseWithError(context.Cause(ctx)) })()
				go func() {
					for {
						select {
						case <-time.After(rest):
						case <-ctx.Done():
							return
						}
						if _, err := in.Write([]byte("a")); err != nil {
							return
						}
					}
				}()
				body := &fetched{src: out, ctx: ctx, cancel: cancel, limit: 1 << 20}
				began := time.Now()
				_, err := io.Copy(io.Discard, body)
				p, isProblem := errors.AsType[*problem.Problem](err)
				if !isProblem || p.Code != problem.FetchFailed || time.Since(began) > 5*time.Minute {
					t.Errorf("after %s: %v", time.Since(began), err)
				}
			})
		})
	}
}
