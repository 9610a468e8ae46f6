// Package representation turns what operations answer with into what goes over the wire: compressed for who asks for it,
// and not at all for who has it already.
package representation

import (
	"bytes"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"sheetdrop/internal/clock"
)

const (
	// maxTagged is the maximum size of a response of JSON that gets an entity tag, for which it is held back, in bytes.
	maxTagged = 256 << 10
	// maxHeld is how much of another response is held back, to see whether it is long enough to be compressed.
	maxHeld = 4 << 10
	// minCompressed is the minimum size of a response that is compressed: a shorter one fits in a packet as it is.
	minCompressed = 1 << 10
	// writeIdle is how long a client may take to accept what was held back.
	writeIdle = 2 * time.Minute
)

// compressible are the media types that are worth it. Workbooks, Parquet and files as they were uploaded are not; events
// have to arrive one by one.
var compressible = []string{"application/json", "application/problem+json", "application/x-ndjson", "text/csv"}

// Writer is the response to one request. Finish has to be called unless the response was aborted.
type Writer struct {
	http.ResponseWriter
	request *http.Request
	secret  bool

	status  int
	held    bytes.Buffer
	limit   int // of what is held back
	begun   bool
	coding  string // of a response that is compressible
	encoder encoder
}

// New returns the response to a request. A secret one is not compressed: its length would tell about it to somebody who
// can put texts beside it (BREACH).
func New(w http.ResponseWriter, r *http.Request, secret bool) *Writer {
	return &Writer{ResponseWriter: w, request: r, secret: secret}
}

// WriteHeader holds the status back until it is known how the content goes on.
func (w *Writer) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	w.status = status
	mediaType, _, _ := mime.ParseMediaType(w.Header().Get("Content-Type"))
	if w.isUnchanged() {
		w.begin("")
		return
	}
	if w.request.Method == http.MethodHead || !slices.Contains(compressible, mediaType) || w.Header().Get("Content-Encoding") != "" {
		w.begin("")
		return
	}
	if !w.secret {
		w.coding = chooseCoding(w.request.Header)
		w.Header().Add("Vary", "Accept-Encoding")
	}
	w.limit = maxHeld
	if w.isTagged() {
		w.limit = maxTagged
	}
}

// isTagged reports whether the response gets an entity tag.
func (w *Writer) isTagged() bool {
	return w.request.Method == http.MethodGet && w.status == http.StatusOK &&
		strings.HasPrefix(w.Header().Get("Content-Type"), "application/json")
}

// isUnchanged makes the response 304 if the client has what the entity tag stands for.
func (w *Writer) isUnchanged() bool {
	condition, etag := w.request.Header.Get("If-None-Match"), w.Header().Get("ETag")
	if !w.isTagged() || condition == "" || etag == "" || !Matches(condition, etag) {
		return false
	}
	if coded := tagOf(etag, chooseCoding(w.request.Header)); strings.Contains(condition, coded) {
		w.Header().Set("ETag", coded)
	}
	w.Header().Del("Content-Type")
	w.Header().Del("Content-Length")
	w.status = http.StatusNotModified
	return true
}

// begin sends the header, and whatever is held back, in a coding; "" is none.
func (w *Writer) begin(coding string) {
	w.begun = true
	if coding != "" {
		w.Header().Del("Content-Length")
		w.Header().Set("Content-Encoding", coding)
		if etag := w.Header().Get("ETag"); etag != "" {
			w.Header().Set("ETag", tagOf(etag, coding))
		}
	}
	w.ResponseWriter.WriteHeader(w.status)
	if coding == "" {
		return
	}
	w.encoder = encoders[coding].Get().(encoder) //nolint:forcetypeassert // the pool has nothing else
	w.encoder.Reset(w.ResponseWriter)
}

func (w *Writer) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.status == http.StatusNotModified {
		return len(p), nil
	}
	if !w.begun {
		if w.held.Len()+len(p) <= w.limit {
			return w.held.Write(p)
		}
		if err := w.release(w.coding); err != nil {
			return 0, err
		}
	}
	return w.body().Write(p)
}

// release begins the response and sends what was held back.
func (w *Writer) release(coding string) error {
	w.begin(coding)
	_, err := w.body().Write(w.held.Bytes())
	w.held = bytes.Buffer{}
	return err
}

func (w *Writer) body() io.Writer {
	if w.encoder != nil {
		return w.encoder
	}
	return w.ResponseWriter
}

// Flush sends what was written so far, but for a response that is held back for its entity tag.
func (w *Writer) Flush() { _ = w.FlushError() }

// FlushError is for http.ResponseController.
func (w *Writer) FlushError() error {
	if !w.begun && w.status != 0 {
		if w.isTagged() {
			return nil
		}
		if err := w.release(w.coding); err != nil {
			return err
		}
	}
	if w.encoder != nil {
		if err := w.encoder.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap is for http.ResponseController.
func (w *Writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Finish sends the rest of the response.
func (w *Writer) Finish() error {
	if w.status == 0 {
		return nil
	}
	control := http.NewResponseController(w.ResponseWriter)
	_ = control.SetWriteDeadline(clock.In(writeIdle)) // not every ResponseWriter supports it
	defer func() { _ = control.SetWriteDeadline(time.Time{}) }()
	if !w.begun {
		if err := w.finishHeld(); err != nil {
			return err
		}
	}
	if w.encoder == nil {
		return nil
	}
	err := w.encoder.Close()
	w.encoder.Reset(nil)
	encoders[w.coding].Put(w.encoder)
	w.encoder = nil
	return err
}

// finishHeld sends a response that was held back as a whole, or says that the client has it.
func (w *Writer) finishHeld() error {
	if w.isTagged() {
		if w.Header().Get("ETag") == "" {
			w.Header().Set("ETag", ETag(w.held.Bytes()))
		}
		if w.isUnchanged() {
			w.begin("")
			return nil
		}
	}
	coding := w.coding
	if w.held.Len() < minCompressed {
		coding = ""
	}
	if coding == "" {
		w.Header().Set("Content-Length", strconv.Itoa(w.held.Len()))
	}
	return w.release(coding)
}
