package watch

import (
	"net/http"
	"time"
)

// MediaType is that of server-sent events.
const MediaType = "text/event-stream"

// Serve responds with the stream, and with 204 if the client knows all of it, which keeps it from asking again.
func (s *Stream) Serve(w http.ResponseWriter, r *http.Request) {
	if s.Known() {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", MediaType)
	w.Header().Set("X-Accel-Buffering", "no") // for proxies that collect answers unless they are told not to
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	out := &writer{w, http.NewResponseController(w)}
	if err := s.write(r.Context(), out); err != nil {
		panic(http.ErrAbortHandler) // the client has gone, or takes nothing
	}
	_ = out.control.SetWriteDeadline(time.Time{}) // it would stay with the connection
}
