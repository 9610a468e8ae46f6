package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// maxProblem is how much of an error's answer is read, in bytes.
const maxProblem = 1 << 16

// Decode reads an answer to its end as JSON. It takes what a method of Client returns. Numbers without a type of their own, as the cells of
// rows, are a json.Number, which has the digits that were sent. An answer that is no success is a *Problem, or an *UnexpectedAnswer.
func Decode[T any](answer *http.Response, err error) (value T, _ error) {
	if err != nil {
		return value, err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= http.StatusMultipleChoices {
		return value, Failure(answer)
	}
	decoder := json.NewDecoder(answer.Body)
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return value, fmt.Errorf("read the answer of %s: %w", answer.Request.URL.Path, err)
	}
	return value, nil
}

// Failure returns the error that an answer which is no success stands for: a *Problem or an *UnexpectedAnswer.
func Failure(answer *http.Response) error {
	problem := &Problem{}
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxProblem))
	if err != nil || json.Unmarshal(text, problem) != nil || problem.Code == "" {
		return &UnexpectedAnswer{StatusCode: answer.StatusCode, Status: answer.Status}
	}
	return problem
}

// Error returns the detail, the parameters that it is about, and the code.
func (p *Problem) Error() string {
	var text strings.Builder
	text.WriteString(p.Detail)
	if p.Errors != nil {
		for _, e := range *p.Errors {
			if !strings.Contains(p.Detail, e.Message) { // of a parameter it has it already
				fmt.Fprintf(&text, " %s: %s", e.Location, e.Message)
			}
		}
	}
	return fmt.Sprintf("%s (%s)", text.String(), p.Code)
}

// UnexpectedAnswer is an error that the API did not write itself: that of a proxy, or of the platform in front of it.
type UnexpectedAnswer struct {
	StatusCode int
	Status     string // with the code, such as "502 Bad Gateway"
}

func (u *UnexpectedAnswer) Error() string { return fmt.Sprintf("the server answered %q", u.Status) }

// WithLength makes a request announce the size of its body, in bytes. Otherwise a body that is no bytes.Reader, bytes.Buffer or
// strings.Reader is sent in chunks.
func WithLength(bytes int64) RequestEditorFn {
	return func(_ context.Context, r *http.Request) error {
		r.ContentLength = bytes
		return nil
	}
}
