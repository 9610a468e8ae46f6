// Package problem has the answers to requests that fail: a closed list of codes with their HTTP status, and RFC 9457 problems that have a
// code, in words for people.
package problem

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"sheetdrop/internal/fault"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// Problem is the answer to a request that fails: RFC 9457, application/problem+json, with a code as an extension. Its type is
// about:blank, so the title is the status in words.
type Problem struct {
	Title    string  `json:"title" doc:"The status in words."`
	Status   int     `json:"status" doc:"The HTTP status."`
	Code     Code    `json:"code"`
	Detail   string  `json:"detail" doc:"What is wrong this time, in words for people."`
	Part     int     `json:"part,omitempty" minimum:"1" doc:"The file of a multipart body that is meant, counted from 1."`
	Errors   []Fault `json:"errors,omitempty" doc:"The parameters, or the parts of the service, that are meant."`
	Instance string  `json:"instance,omitempty" format:"uri" doc:"The name of this occurrence in the log."`

	header http.Header
	cause  error // for the log only
}

// Fault is one of several things that are wrong.
type Fault struct {
	Location string `json:"location" doc:"query.limit, path.id, header.Idempotency-Key, schema, blobs, …"`
	Message  string `json:"message"`
}

// New returns a problem with its code's HTTP status; format and args make its detail.
func New(code Code, format string, args ...any) *Problem {
	p := &Problem{Title: http.StatusText(statuses[code]), Status: statuses[code], Code: code, Detail: clip(fmt.Sprintf(format, args...))}
	switch p.Status {
	case http.StatusUnauthorized:
		p.header = http.Header{"Www-Authenticate": {"Bearer"}}
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		p.header = http.Header{"Retry-After": {"5"}}
	}
	return p
}

// Parameter says what is wrong with a parameter.
func Parameter(location, message string) *Problem {
	return New(InvalidParameter, "%s: %s", location, message).At(Fault{location, message})
}

// Option says what is wrong with a parse option, wherever it was given.
func Option(code Code, name, message string) *Problem {
	return New(code, "%s: %s", clip(name), message).At(Fault{"options." + name, message})
}

// A problem repeats what a caller sent, which may be long, and may be wrong in many places.
const (
	maxFaults = 20
	maxWords  = 1000 // bytes of one text
)

// At adds what is meant to the problem; of many faults the first ones will do.
func (p *Problem) At(faults ...Fault) *Problem {
	for _, f := range faults[:min(len(faults), maxFaults)] {
		p.Errors = append(p.Errors, Fault{clip(f.Location), clip(f.Message)})
	}
	return p
}

// clip ends a text that is too long to be repeated.
func clip(text string) string {
	if len(text) <= maxWords {
		return text
	}
	return strings.ToValidUTF8(text[:maxWords], "") + "…"
}

// Because keeps the cause of the problem for the log.
func (p *Problem) Because(err error) *Problem {
	p.cause = err
	return p
}

// after says when it is worth trying again, in whole seconds.
func (p *Problem) after(pause time.Duration) *Problem {
	p.header = http.Header{"Retry-After": {strconv.Itoa(max(1, int(math.Ceil(pause.Seconds()))))}}
	return p
}

// OfPart says which file of a multipart body is meant.
func (p *Problem) OfPart(number int) *Problem {
	p.Part = number
	return p
}

func (p *Problem) Error() string {
	if p.cause != nil {
		return fmt.Sprintf("%s: %v", p.Code, p.cause)
	}
	return fmt.Sprintf("%s: %s", p.Code, p.Detail)
}

func (p *Problem) Unwrap() error { return p.cause }

// GetStatus is asked by huma.
func (p *Problem) GetStatus() int { return p.Status }

// GetHeaders is asked by huma.
func (p *Problem) GetHeaders() http.Header { return p.header }

// ContentType is asked by huma.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// Of returns the problem of any error, and logs those that are ours. An error that is not meant for callers is answered without its text.
func Of(ctx context.Context, log *slog.Logger, err error) *Problem {
	var p *Problem
	switch {
	case errors.As(err, &p):
	case errors.Is(err, postgres.ErrNotFound):
		p = New(NotFound, "Not found, or it belongs to somebody else.")
	case errors.Is(err, postgres.ErrSchemaOld):
		p = New(SchemaOld, "The database's schema is older than this server needs. An operator has to run: sheetdrop migrate").Because(err)
	case fault.Of(err) == fault.Service:
		p = New(DatabaseUnavailable, "The database does not answer. Please try again.").Because(err)
	default:
		p = New(Internal, "Internal error. The server's log has the details.").Because(err)
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return p // the client is gone
	}
	if p.Status >= http.StatusInternalServerError && p.Code != Busy {
		p.Instance = "urn:uuid:" + task.NewID().String()
		log.ErrorContext(ctx, "request failed", "code", p.Code, "instance", p.Instance, "error", err.Error())
	}
	return p
}

// Write answers a request with the problem of an error, outside of huma's operations.
func Write(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	p := Of(r.Context(), log, err)
	maps.Copy(w.Header(), p.header)
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	json.NewEncoder(w).Encode(p) //nolint:errcheck // the client is gone
}
