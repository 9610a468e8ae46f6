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

// writeIdle is how long a client may take to accept what is written next.
const writeIdle = 2 * time.Minute

// stream answers with what write writes, which may be longer than memory should hold. If write fails, the connection is broken: the
// client must not take a part for the whole. done is called in the end, also where nothing is to be written.
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
			e.Log.WarnContext(r.Context(), "an answer was broken off", "path", r.URL.Path, "error", err.Error())
		}
		panic(http.ErrAbortHandler)
	}}
}

// pacedWriter returns the client writeIdle for each piece.
type pacedWriter struct {
	w       io.Writer
	control *http.ResponseController
}

func (p *pacedWriter) Write(b []byte) (int, error) {
	_ = p.control.SetWriteDeadline(clock.In(writeIdle)) // not every ResponseWriter can
	return p.w.Write(b)
}

// finish sends what is left and takes the deadline away, which would stay with the connection.
func (p *pacedWriter) finish() error {
	err := p.control.Flush()
	_ = p.control.SetWriteDeadline(time.Time{})
	return err
}
