package blocks

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// errStalled is the error of a request that stood still.
var errStalled = errors.New("the connection stands still")

// Refused is the store's answer to a block that it has not stored.
type Refused struct {
	Status int
	Code   string // of the store, such as AuthenticationFailed; empty for an answer that is not its own
}

func (r *Refused) Error() string {
	return fmt.Sprintf("the blob store answered %d %s", r.Status, cmp.Or(r.Code, http.StatusText(r.Status)))
}

// mostAnswer is how much of a refusal is read, so that its connection is used again, in bytes.
const mostAnswer = 1 << 16

func refusal(answer *http.Response) *Refused {
	_, _ = io.CopyN(io.Discard, answer.Body, mostAnswer)
	return &Refused{answer.StatusCode, answer.Header.Get("x-ms-error-code")}
}

// forbidden reports whether another address may help.
func (r *Refused) forbidden() bool { return r != nil && r.Status == http.StatusForbidden }

// transient reports whether a block may be stored when it is sent again: the network was away, the store busy, the address expired, or the
// block damaged on the way. refused is err, where that is the store's.
func transient(err error, refused *Refused) bool {
	if _, unreadable := errors.AsType[*readError](err); unreadable || refused == nil {
		return !unreadable
	}
	return refused.forbidden() || refused.Code == "Md5Mismatch" || refused.Status >= http.StatusInternalServerError ||
		refused.Status == http.StatusTooManyRequests || refused.Status == http.StatusRequestTimeout
}

// readError is an error of the content.
type readError struct{ error }

func (r *readError) Unwrap() error { return r.error }
