package receive

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"sheetdrop/internal/clock"
	"sheetdrop/upload-api/internal/problem"
)

// A request can be answered before its body has been read. Up to this much of the body is then read and discarded, so
// that a client that is still sending receives the response: the host's proxy sends a body completely before it reads
// the response, and turns a connection that was closed earlier into a 500. It accepts bodies of up to 100 MiB itself.
const (
	drainBytes = 128 << 20
	drainTime  = 5 * time.Second
)

// minRate is how many bytes a second a client must send on average, after the first minute of waiting: otherwise a
// client that sends a byte now and then would keep its place for ever. To hold 32 places at this rate takes half a
// megabyte a second.
const minRate = 16 << 10

// Body is the body of a request: at most limit bytes, never idle for longer than idle, and no slower than minRate. Its
// errors other than io.EOF are Problems.
type Body struct {
	src      io.ReadCloser
	control  *http.ResponseController
	limit    int64
	idle     time.Duration
	optional bool // it may stay unread if the request is refused: the client waits for 100 Continue, or nobody will read it
	read     int64
	waited   time.Duration // for the client, in total; time that the server itself takes does not count
	err      error         // of the last Read; permanent
}

// NewBody limits the body of a request; idle is how long the client may be silent.
func NewBody(w http.ResponseWriter, r *http.Request, limit int64, idle time.Duration) *Body {
	b := &Body{src: r.Body, control: http.NewResponseController(w), limit: limit, idle: idle, optional: r.Header.Get("Expect") != ""}
	if r.Body == http.NoBody {
		b.err = io.EOF
	}
	return b
}

func (b *Body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	if room := b.limit - b.read + 1; int64(len(p)) > room { // one byte more distinguishes a body over the limit from one at it
		p = p[:room]
	}
	b.deadline(min(b.idle, b.idle+time.Duration(b.read)*time.Second/minRate-b.waited))
	elapsed := clock.Start()
	n, err := b.src.Read(p)
	b.waited += elapsed()
	b.read += int64(n)
	if b.read > b.limit {
		n--
		err = TooLarge(b.limit)
	}
	b.err = bodyError(err)
	return n, b.err // at the end of a body net/http clears the deadline
}

func bodyError(err error) error {
	switch {
	case err == nil || errors.Is(err, io.EOF) || errors.As(err, new(*problem.Problem)):
		return err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return problem.New(problem.UploadStalled, "The body arrived too slowly: nothing for too long, or less than %s a second.",
			problem.Size(minRate)).Because(err)
	default:
		return problem.New(problem.BodyIncomplete, "The body ended before its declared length.").Because(err)
	}
}

// TooLarge returns the problem of a body that exceeds the limit.
func TooLarge(limit int64) *problem.Problem {
	return problem.New(problem.TooLarge, "The body is larger than %s. POST /api/uploads takes a larger file, block by block.", problem.Size(limit))
}

// Refuse marks the body as unwanted: nobody will read it, so the client need not send all of it.
func (b *Body) Refuse() { b.optional = true }

// Close closes the request's own body.
func (b *Body) Close() error { return b.src.Close() }

// drain reads the rest of the body, within bounds. It reports whether the connection can serve another request.
func (b *Body) drain() bool {
	switch {
	case errors.Is(b.err, io.EOF):
		return true
	case b.optional && b.read == 0, b.err != nil && b.read <= b.limit: // may stay unread, or is broken
		b.giveUp()
		return false
	}
	b.deadline(drainTime)
	n, err := io.CopyN(io.Discard, b.src, drainBytes)
	if n == drainBytes || !errors.Is(err, io.EOF) {
		b.giveUp()
		return false
	}
	return true
}

// giveUp keeps the server from waiting without end for more of the body.
func (b *Body) giveUp() { b.deadline(0) }

func (b *Body) deadline(d time.Duration) {
	_ = b.control.SetReadDeadline(clock.In(d)) // not every ResponseWriter supports it
}

// Response is a response that drains the request's body before it begins, and knows whether it has begun.
type Response struct {
	http.ResponseWriter
	body  *Body
	begun bool
}

// NewResponse returns the response to the request that has this body.
func NewResponse(w http.ResponseWriter, b *Body) *Response {
	return &Response{ResponseWriter: w, body: b}
}

// Begun reports whether part of the response may have been sent.
func (r *Response) Begun() bool { return r.begun }

// WriteHeader drains the request's body first, or closes the connection if that takes too long.
func (r *Response) WriteHeader(status int) {
	if !r.begun && !r.body.drain() {
		r.Header().Set("Connection", "close")
	}
	r.begun = true
	r.ResponseWriter.WriteHeader(status)
}

func (r *Response) Write(p []byte) (int, error) {
	if !r.begun {
		r.WriteHeader(http.StatusOK)
	}
	return r.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (r *Response) Unwrap() http.ResponseWriter { return r.ResponseWriter }
