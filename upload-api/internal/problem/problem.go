// Package problem has the responses to failed requests: RFC 9457 problems with a human-readable detail and a code from
// a closed list, each code with its HTTP status.
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

// Problem is the response to a failed request: RFC 9457, application/problem+json, with a code as an extension. Its texts
// are English until the response is written, in the language that the caller prefers.
type Problem struct {
	Type     string         `json:"type" format:"uri-reference" doc:"The page about the code, relative to the server." example:"/api/docs/errors#not_found"`
	Title    string         `json:"title" doc:"What the code means, in the language of Accept-Language: English or Japanese." example:"Not found"`
	Status   int            `json:"status" doc:"The HTTP status." example:"404"`
	Code     Code           `json:"code"`
	Detail   string         `json:"detail" doc:"What is wrong in this case, in the language of Accept-Language."`
	Part     int            `json:"part,omitempty" minimum:"1" doc:"The number of the multipart body's file that the problem is about, from 1."`
	Errors   []Fault        `json:"errors,omitempty" doc:"The parameters, or the parts of the service, that the problem is about."`
	SameAs   *task.SameFile `json:"same_as,omitempty" doc:"The file that has the same bytes already."`
	Instance string         `json:"instance,omitempty" format:"uri" doc:"Identifies this occurrence in the log."`

	header http.Header
	cause  error // for the log only
}

// Fault is one of several things that are wrong with a request.
type Fault struct {
	Location  string `json:"location" doc:"query.limit, path.id, header.Idempotency-Key, schema, blobs, … In a definition, a JSON pointer such as /columns/0/name."`
	Message   string `json:"message" doc:"In the language of Accept-Language."`
	MessageJA string `json:"message_ja,omitempty" doc:"The same in Japanese, where it is about what people have written in a definition or a mapping."`
}

// TypeBase is what every type begins with; the code follows. The page is docs/errors.md as the server shows it.
const TypeBase = "/api/docs/errors#"

// New returns a problem with its code's HTTP status; format and args make its detail.
func New(code Code, format string, args ...any) *Problem {
	p := &Problem{Type: TypeBase + string(code), Title: explanations[code].title, Status: statuses[code], Code: code,
		Detail: clip(fmt.Sprintf(format, args...))}
	switch p.Status {
	case http.StatusUnauthorized:
		p.header = http.Header{"Www-Authenticate": {"Bearer"}}
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		p.header = http.Header{"Retry-After": {"5"}}
	}
	return p
}

// Size returns a number of bytes as people read it: 64 MiB, 256 KiB, 100 bytes.
func Size(bytes int64) string {
	switch {
	case bytes >= 1<<20 && bytes%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", bytes>>20)
	case bytes >= 1<<10 && bytes%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", bytes>>10)
	default:
		return fmt.Sprintf("%d bytes", bytes)
	}
}

// Parameter returns the problem of an invalid parameter.
func Parameter(location, message string) *Problem {
	return New(InvalidParameter, "%s: %s", location, message).At(Fault{Location: location, Message: message})
}

// Option returns the problem of an invalid parse option, in the query as well as in a form.
func Option(code Code, name, message string) *Problem {
	return New(code, "%s: %s", clip(name), message).At(Fault{Location: "options." + name, Message: message})
}

// A problem quotes what the caller sent, which can be long and wrong in many places.
const (
	maxFaults = 20
	maxWords  = 1000 // bytes of one text
)

// At adds what the problem is about; of many faults only the first maxFaults are kept.
func (p *Problem) At(faults ...Fault) *Problem {
	for _, f := range faults[:min(len(faults), maxFaults)] {
		p.Errors = append(p.Errors, Fault{clip(f.Location), clip(f.Message), clip(f.MessageJA)})
	}
	return p
}

// clip shortens a text that is too long to be quoted.
func clip(text string) string {
	if len(text) <= maxWords {
		return text
	}
	return strings.ToValidUTF8(text[:maxWords], "") + "…"
}

// Because records the cause of the problem for the log.
func (p *Problem) Because(err error) *Problem {
	p.cause = err
	return p
}

// after sets Retry-After, rounded up to whole seconds.
func (p *Problem) after(pause time.Duration) *Problem {
	p.header = http.Header{"Retry-After": {strconv.Itoa(max(1, int(math.Ceil(pause.Seconds()))))}}
	return p
}

// OfPart sets which file of a multipart body is meant, counted from 1.
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

// GetStatus implements huma.StatusError.
func (p *Problem) GetStatus() int { return p.Status }

// GetHeaders implements huma.HeadersError.
func (p *Problem) GetHeaders() http.Header { return p.header }

// ContentType implements huma.ContentTypeFilter.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// Of returns the problem for any error and logs those with a 5xx status. An error that is not meant for callers is
// answered without its text.
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
		log.Log(ctx, fault.Level(err), "request failed", "code", p.Code, "instance", p.Instance, "error", fault.Text(err))
	}
	return p
}

// Write answers a request with the problem for an error, outside of huma's operations.
func Write(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	p := Of(r.Context(), log, err)
	japanese := Japanese(r.Header.Get("Accept-Language"))
	maps.Copy(w.Header(), p.header)
	w.Header().Set("Content-Type", p.ContentType(""))
	w.Header().Set("Content-Language", LanguageTag(japanese))
	w.Header().Add("Vary", "Accept-Language")
	w.WriteHeader(p.Status)
	json.NewEncoder(w).Encode(p.in(japanese)) //nolint:errcheck // the client is gone
}
