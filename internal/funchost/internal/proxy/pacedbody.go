package proxy

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// Kestrel gives up a body that comes slower than this on the average, once it has waited for a while. Neither is scaled: it
// is the client's time.
const (
	leastBodyRate = 240 // bytes a second
	slowBodyGrace = 5 * time.Second
)

var errSlowBody = errors.New("reading the request body timed out due to data arriving too slowly")

// pacedBody is a request body whose client has to keep Kestrel's rate.
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
