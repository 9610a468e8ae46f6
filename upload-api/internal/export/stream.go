package export

import (
	"context"
	"io"
	"maps"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"sheetdrop/internal/clock"
)

// writeIdle is how long a client may take to accept the next piece of a response.
const writeIdle = 2 * time.Minute

// stream responds with what write writes, which may be larger than memory. If write fails, the connection is aborted,
// so that the client does not take a part for the whole. done is always called at the end, even if nothing is written.
func (e *Exporter) stream(header http.Header, write func(context.Context, io.Writer) error, done func() error) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(c huma.Context) {
		defer done() //nolint:errcheck // it was only read from
		r, w := humago.Unwrap(c)
		maps.Copy(w.Header(), header)
		w.WriteHeader(http.StatusOK)
		if r.Method == http.MethodHead {
			return
		}
		paced := &pacedWriter{w, http.NewResponseController(w)}
		err := write(r.Context(), paced)
		if err == nil {
			err = paced.finish()
		}
		if err == nil {
			return
		}
		if r.Context().Err() == nil {
			e.Log.WarnContext(r.Context(), "a response was aborted", "path", r.URL.Path, "error", err.Error())
		}
		panic(http.ErrAbortHandler)
	}}
}

// pacedWriter allows the client writeIdle for each piece.
type pacedWriter struct {
	w       io.Writer
	control *http.ResponseController
}

func (p *pacedWriter) Write(b []byte) (int, error) {
	_ = p.control.SetWriteDeadline(clock.In(writeIdle)) // not every ResponseWriter supports it
	return p.w.Write(b)
}

// finish flushes the rest and clears the deadline, which would otherwise stay with the connection.
func (p *pacedWriter) finish() error {
	err := p.control.Flush()
	_ = p.control.SetWriteDeadline(time.Time{})
	return err
}
