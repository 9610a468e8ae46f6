package operation

import (
	"context"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"sheetdrop/upload-api/internal/problem"
)

// BodyCodes returns the problems of an operation with a JSON body: those of the body, and the operation's own.
func BodyCodes(own ...problem.Code) []problem.Code {
	return append([]problem.Code{problem.InvalidBody, problem.UnsupportedMediaType, problem.TooLarge, problem.UploadStalled}, own...)
}

// Get describes an operation that reads something.
func Get(id, path, summary string) huma.Operation {
	return huma.Operation{OperationID: id, Method: http.MethodGet, Path: path, Summary: summary}
}

// Command describes an operation that changes something.
func Command(id, path, summary, description string) huma.Operation {
	return huma.Operation{OperationID: id, Method: http.MethodPost, Path: path, Summary: summary, Description: description}
}

// Declare registers an operation whose errors become problems; codes are those that only this operation can answer
// with.
func Declare[I, O any](
	log *slog.Logger, api huma.API, op huma.Operation, fn func(context.Context, *I) (*O, error), codes ...problem.Code,
) {
	documentProblems(api, &op, codes)
	huma.Register(api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := fn(ctx, in)
		if err != nil {
			return nil, problem.Of(ctx, log, err)
		}
		return out, nil
	})
}

// readNoTable are the paths of operations in which nothing can go wrong but what they say.
var readNoTable = []string{"/health", "/ready", "/me"}

// documentProblems documents an operation's problems by status.
func documentProblems(api huma.API, op *huma.Operation, own []problem.Code) {
	codes := append([]problem.Code{problem.UnknownParameter}, own...)
	if !slices.Contains(readNoTable, op.Path) {
		codes = append(codes, problem.Internal)
	}
	if op.Path != "/health" {
		codes = append(codes, problem.NotLocal, problem.SignInNeeded)
	}
	if op.Path != "/health" && op.Path != "/ready" {
		codes = append(codes, problem.SchemaOld, problem.DatabaseUnavailable, problem.InvalidParameter)
	}
	if op.Method != http.MethodGet {
		codes = append(codes, problem.CrossSite)
	}
	slices.Sort(codes)
	byStatus := map[int][]string{}
	for _, code := range codes {
		byStatus[code.Status()] = append(byStatus[code.Status()], string(code))
	}
	if op.Responses == nil {
		op.Responses = map[string]*huma.Response{}
	}
	for status, names := range byStatus {
		op.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status) + ": " + strings.Join(names, ", "),
			Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: SchemaOf[problem.Problem](api)}},
		}
	}
}

// SchemaOf returns a reference to the schema of a type, which becomes a part of the document.
func SchemaOf[T any](api huma.API) *huma.Schema {
	t := reflect.TypeFor[T]()
	return api.OpenAPI().Components.Schemas.Schema(t, true, t.Name())
}
