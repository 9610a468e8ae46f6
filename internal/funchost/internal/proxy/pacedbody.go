package proxy

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// Kestrel aborts a request whose body arrives more slowly than this on average, after a grace period. Neither is scaled, since the client
// is not.
const (
	leastBodyRate = 240 // bytes a second
	slowBodyGrace = 5 * time.Second
)

var errSlowBody = errors.New("reading the request body timed out due to data arriving too slowly")

// pacedBody is a request body that fails if its client is slower than Kestrel's rate.
type pacedBody struct {
	io.ReadCloser
	control *http.ResponseController
	read    int64
	waited  time.Duration // for the client
}

func (b *pacedBody) Read(p []byte) (int, error) {
	began := time.Now()
	_ = b.control.SetReadDeadline(began.Add(slowBodyGrace + time.Duration(b.read)*time.Second/leastBodyRate - b.waited))
	n, err := b.ReadCloser.Read(p) // at its end net/http takes the deadline away
	b.read += int64(n)
	b.waited += time.Since(began)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = errSlowBody
	}
	return n, err
}
