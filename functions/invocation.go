package functions

import (
	"context"
	"io"
	"log/slog"
	"net/http"
)

// invocationHeader has the invocation's id in every call of the host, in envelopes as well as in proxied requests.
const invocationHeader = "X-Azure-Functions-InvocationId"

// maxInvocationID is the maximum length in bytes of an id that is accepted; the host's are GUIDs of 36.
const maxInvocationID = 64

type invocationKey struct{}

// InvocationID returns the id of the invocation in the host's own logs, or "" outside an invocation. A request that the
// host sends again, because the handler died before it responded, has the same id.
func InvocationID(ctx context.Context) string {
	id, _ := ctx.Value(invocationKey{}).(string)
	return id
}

// WithInvocation puts the invocation's id into the request's context. It is for HTTP functions, which the host proxies;
// Queue and Timer do this themselves. If there are several ids, the last one counts: the host appends its own to any
// that a client made up.
func WithInvocation(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ids := r.Header.Values(invocationHeader)
		if n := len(ids); n > 0 && len(ids[n-1]) <= maxInvocationID {
			r = r.WithContext(context.WithValue(r.Context(), invocationKey{}, ids[n-1]))
		}
		next.ServeHTTP(w, r)
	})
}

// NewLogger returns a logger that writes one JSON object per line, with the invocation_id of the context that a record
// is logged with. It should write to the standard output: the host treats each line on standard error as an error.
func NewLogger(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(invocationLog{slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level})})
}

// invocationLog is a slog.Handler that adds the invocation's id.
type invocationLog struct{ slog.Handler }

func (h invocationLog) Handle(ctx context.Context, r slog.Record) error {
	if id := InvocationID(ctx); id != "" {
		r = r.Clone() // the caller may still use its record
		r.AddAttrs(slog.String("invocation_id", id))
	}
	return h.Handler.Handle(ctx, r)
}

func (h invocationLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return invocationLog{h.Handler.WithAttrs(attrs)}
}

func (h invocationLog) WithGroup(name string) slog.Handler {
	return invocationLog{h.Handler.WithGroup(name)}
}
