package upload

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

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

// problem makes a problem with its code's status.
func problem(code Code, format string, args ...any) *Problem {
	p := &Problem{Title: http.StatusText(statuses[code]), Status: statuses[code], Code: code, Detail: clip(fmt.Sprintf(format, args...))}
	switch p.Status {
	case http.StatusUnauthorized:
		p.header = http.Header{"Www-Authenticate": {"Bearer"}}
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		p.header = http.Header{"Retry-After": {"5"}}
	}
	return p
}

// parameterProblem says what is wrong with a parameter.
func parameterProblem(location, message string) *Problem {
	return problem(InvalidParameter, "%s: %s", location, message).at(Fault{location, message})
}

// A problem repeats what a caller sent, which may be long, and may be wrong in many places.
const (
	maxFaults = 20
	maxWords  = 1000 // bytes of one text
)

// at says what is meant; of many faults the first ones will do.
func (p *Problem) at(faults ...Fault) *Problem {
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

// because keeps for the log what led to the problem.
func (p *Problem) because(err error) *Problem {
	p.cause = err
	return p
}

// ofPart says which file of a multipart body is meant.
func (p *Problem) ofPart(number int) *Problem {
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

// problemOf makes a problem of any error and logs those that are ours. An error that says nothing of itself to callers is answered
// without its text.
func (h *Handler) problemOf(ctx context.Context, err error) *Problem {
	var p *Problem
	switch {
	case errors.As(err, &p):
	case errors.Is(err, postgres.ErrNotFound):
		p = problem(NotFound, "There is no such thing, or it is not yours.")
	case errors.Is(err, postgres.ErrSchemaOld):
		p = problem(SchemaOld, "The database's schema is older than this server needs. An operator has to run: sheetdrop migrate").because(err)
	case fault.Of(err) == fault.Service:
		p = problem(DatabaseUnavailable, "The database does not answer. Please try again.").because(err)
	default:
		p = problem(Internal, "A fault of ours. The log has the details.").because(err)
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return p // the client is gone
	}
	if p.Status >= http.StatusInternalServerError && p.Code != Busy {
		p.Instance = "urn:uuid:" + task.NewID().String()
		h.log.ErrorContext(ctx, "request failed", "code", p.Code, "instance", p.Instance, "error", err.Error())
	}
	return p
}

// writeProblem answers outside of huma's operations.
func (h *Handler) writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	p := h.problemOf(r.Context(), err)
	maps.Copy(w.Header(), p.header)
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	json.NewEncoder(w).Encode(p) //nolint:errcheck // the client is gone
}

// huma makes its own refusals and its document of errors with these two, which are the same for the whole program.
func init() {
	huma.NewError = problemOfHuma
	huma.DefaultArrayNullable = false // no list is ever null
}

// problemOfHuma turns huma's refusal of parameters into a problem.
func problemOfHuma(status int, message string, errs ...error) huma.StatusError {
	switch status {
	case http.StatusUnprocessableEntity:
	case http.StatusBadRequest:
		return problem(InvalidBody, "The body cannot be read as JSON.").because(errors.Join(errs...))
	case http.StatusUnsupportedMediaType:
		return problem(UnsupportedMediaType, "The body must be JSON.")
	case http.StatusRequestEntityTooLarge:
		return problem(TooLarge, "The body is too large.")
	case http.StatusRequestTimeout:
		return problem(UploadStalled, "No byte of the body came for too long.")
	default:
		return problem(Internal, "A fault of ours.").because(fmt.Errorf("huma answered %d: %s", status, message))
	}
	code, faults := InvalidParameter, make([]Fault, 0, len(errs))
	for _, err := range errs {
		var detail huma.ErrorDetailer
		if !errors.As(err, &detail) {
			continue
		}
		d := detail.ErrorDetail()
		if d.Message == "unknown query parameter" { // huma has no other sign of it
			code = UnknownParameter
		} else if strings.HasPrefix(d.Location, "body") {
			code = InvalidBody
		}
		faults = append(faults, Fault{d.Location, d.Message})
	}
	p := problem(code, "%s", message).at(faults...)
	if len(p.Errors) > 0 {
		p.Detail = p.Errors[0].Location + ": " + p.Errors[0].Message
	}
	return p
}
