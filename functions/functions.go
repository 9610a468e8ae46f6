// Package functions implements the Azure Functions host's protocol for custom handlers as plain Go functions: an
// invocation arrives as a POST with a JSON envelope, and the result is returned as the JSON object that the host takes
// for success, or as a status that it takes for failure. The package knows the protocol and nothing about what the
// functions do.
//
// HTTP triggers do not use it: with enableProxyingHttpRequest the host passes requests on unchanged; see
// [WithInvocation].
//
// Formats: Microsoft Learn, "Azure Functions custom handlers", and the source of Azure/azure-functions-host,
// Workers/Http, from which the page sometimes differs.
package functions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"

	"sheetdrop/internal/clock"
	"sheetdrop/internal/fault"
)

// maxEnvelope is the largest envelope that is read, in bytes. A queue message has at most 64 KiB; a text message occurs
// twice, in the data and in the metadata, and a string that is encoded twice may take seven bytes for one.
const maxEnvelope = 1 << 20

// success is the response to a successful invocation. The host needs a JSON object of type application/json: after an
// empty body or null it would wait until functionTimeout, and another content type counts as failure.
const success = `{"Outputs":{},"Logs":[],"ReturnValue":null}`

// invocation answers one kind of envelope: decode turns an envelope into the argument of fn.
type invocation[T any] struct {
	decode func(envelope []byte) (T, error)
	fn     func(context.Context, T) error
	log    *slog.Logger
}

func (i invocation[T]) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	elapsed := clock.Start()
	status, err := i.invoke(w, r)
	log := i.log.With("function", strings.Trim(r.URL.Path, "/"), "took_ms", elapsed().Milliseconds())
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		level := fault.Level(err)
		if r.Context().Err() != nil { // cancelled by the host
			level = slog.LevelWarn
		}
		log.Log(r.Context(), level, "invocation failed", "status", status, "error", fault.Text(err))
		answer, _ := json.Marshal(map[string]string{"error": err.Error()}) // a map of strings always marshals
		w.WriteHeader(status)
		w.Write(answer) //nolint:errcheck // the host is gone: it delivers again
		return
	}
	log.DebugContext(r.Context(), "invocation succeeded")
	io.WriteString(w, success) //nolint:errcheck // as above
}

// invoke calls the function and returns the status of the response. All errors are the same to the host: a timer waits
// for its next tick; a queue message is delivered again, and is moved to the poison queue after maxDequeueCount.
func (i invocation[T]) invoke(w http.ResponseWriter, r *http.Request) (status int, err error) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return http.StatusMethodNotAllowed, fmt.Errorf("an invocation is a POST, not a %s", r.Method)
	}
	if isFromBrowser(r.Header) {
		return http.StatusForbidden, errors.New("an invocation is the host's, and no page's in a browser")
	}
	envelope, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxEnvelope))
	if errors.As(err, new(*http.MaxBytesError)) {
		return http.StatusRequestEntityTooLarge, fmt.Errorf("the envelope has more than %d bytes", maxEnvelope)
	}
	if err != nil {
		return http.StatusInternalServerError, fmt.Errorf("read the envelope: %w", err)
	}
	arg, err := i.decode(envelope)
	if err != nil {
		return http.StatusInternalServerError, fmt.Errorf("decode the envelope: %w", err)
	}
	if err := i.call(r.Context(), arg); err != nil {
		return http.StatusInternalServerError, err
	}
	return http.StatusOK, nil
}

// isFromBrowser reports whether a web page sent the request through a browser, which can reach the handler's port on
// the same machine.
func isFromBrowser(header http.Header) bool {
	for name := range header {
		if name == "Origin" || strings.HasPrefix(name, "Sec-Fetch-") {
			return true
		}
	}
	return false
}

// call turns a panic into an error: the process also runs other invocations, which must not die with this one.
func (i invocation[T]) call(ctx context.Context, arg T) (err error) {
	defer func() {
		if v := recover(); v != nil {
			i.log.ErrorContext(ctx, "function panicked", "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return i.fn(ctx, arg)
}
