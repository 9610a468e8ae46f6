package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// A handler whose host was gone before it could watch that stops by itself. One that was called once goes on, however
// long it is left alone.
func TestHandlerThatNobodyCallsStops(t *testing.T) {
	t.Parallel()
	for name, calls := range map[string]bool{"nobody calls": false, "the host calls": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				next := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
				ctx, handler := stopUnlessCalled(t.Context(), next, firstCallTime, slog.New(slog.DiscardHandler))
				if calls {
					handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
				}
				time.Sleep(2 * firstCallTime) //nolint:forbidigo // of the bubble's clock
				synctest.Wait()
				if stopped := ctx.Err() != nil; stopped == calls {
					t.Errorf("stopped: %v", stopped)
				}
			})
		})
	}
}
