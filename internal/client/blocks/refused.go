package blocks

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// errStalled is the error of a request that stood still.
var errStalled = errors.New("the connection stands still")

// Refused is the store's answer to a block that it has not stored.
type Refused struct {
	Status int
	Code   string // of the store, such as AuthenticationFailed; empty for an answer that is not its own

	retryAfter time.Duration
}

func (r *Refused) Error() string {
	return fmt.Sprintf("the blob store answered %d %s", r.Status, cmp.Or(r.Code, http.StatusText(r.Status)))
}

// mostAnswer is how much of a refusal is read, so that its connection is used again, in bytes.
const mostAnswer = 1 << 16

// longestWait is how long a store that is busy may ask to wait.
const longestWait = time.Minute

func refusal(answer *http.Response) *Refused {
	_, _ = io.CopyN(io.Discard, answer.Body, mostAnswer)
	seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After")) // stores send no dates
	return &Refused{
		Status: answer.StatusCode, Code: answer.Header.Get("x-ms-error-code"), retryAfter: min(longestWait, time.Duration(max(0, seconds))*time.Second),
	}
}

// transient reports whether the block may be stored when it is sent again: the store was busy, or the block was damaged on the way.
func (r *Refused) transient() bool {
	return r.Status >= http.StatusInternalServerError || r.Status == http.StatusTooManyRequests || r.Status == http.StatusRequestTimeout ||
		r.Code == "Md5Mismatch"
}

// readError is an error of the content.
type readError struct{ error }

func (r *readError) Unwrap() error { return r.error }
