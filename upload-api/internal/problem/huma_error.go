package problem

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// huma creates its own errors and their schema through these two variables, which are global to the program.
func init() {
	huma.NewError = problemOfHuma
	huma.DefaultArrayNullable = false // lists are never null
}

// problemOfHuma converts huma's validation error into a problem.
func problemOfHuma(status int, message string, errs ...error) huma.StatusError {
	switch status {
	case http.StatusUnprocessableEntity:
	case http.StatusBadRequest:
		return New(InvalidBody, "The body cannot be read as JSON.").Because(errors.Join(errs...))
	case http.StatusUnsupportedMediaType:
		return New(UnsupportedMediaType, "The body must be JSON.")
	case http.StatusRequestEntityTooLarge:
		return New(TooLarge, "The body is too large.")
	case http.StatusRequestTimeout:
		return New(UploadStalled, "The body stalled: no bytes arrived for too long.")
	default:
		return New(Internal, "Internal error.").Because(fmt.Errorf("huma answered %d: %s", status, message))
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
		faults = append(faults, Fault{Location: d.Location, Message: inPlainWords(d.Message)})
	}
	p := New(code, "%s", message).At(faults...)
	if len(p.Errors) > 0 {
		p.Detail = p.Errors[0].Location + ": " + p.Errors[0].Message
	}
	return p
}
