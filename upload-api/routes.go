package upload

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

const (
	prefix     = "/api"
	healthPath = prefix + "/health"
)

// declareRoutes declares every operation, with the problems that are its own.
func (h *Handler) declareRoutes() {
	config := huma.DefaultConfig("sheetdrop", "1")
	config.Info.Description = "Drop a CSV or Excel file; its rows appear exactly once, and what could not be read is reported."
	config.CreateHooks = nil // no $schema in answers
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.RejectUnknownQueryParameters = true
	h.api = humago.NewWithPrefix(h.mux, prefix, config)

	declare(h, h.api, huma.Operation{OperationID: "get-health", Method: http.MethodGet, Path: "/health",
		Summary: "Whether the server lives"}, h.getHealth)
	declare(h, h.api, huma.Operation{OperationID: "get-ready", Method: http.MethodGet, Path: "/ready",
		Summary: "Whether all that it needs is there"}, h.getReady, NotReady)

	data := huma.NewGroup(h.api)
	data.UseMiddleware(h.needSchema)
	h.declareFiles(data)
	h.declareTasks(data)

	h.mux.HandleFunc("GET "+prefix+"/openapi.json", h.getOpenAPI)
	h.mux.HandleFunc("/", h.noRoute)
}

func (h *Handler) declareFiles(api huma.API) {
	declare(h, api, postFileOperation(api), h.postFile, UnsupportedMediaType, InvalidMultipart, NameMissing, InvalidName, EmptyFile,
		NoFile, TooManyParts, TooLarge, UnknownOption, InvalidOption, InvalidKey, KeyReused, Gone, BodyIncomplete, UploadStalled,
		UploadTooSlow, StorageUnavailable)
	documentUpload(api)
}

func (h *Handler) declareTasks(api huma.API) {
	declare(h, api, huma.Operation{OperationID: "get-task", Method: http.MethodGet, Path: "/tasks/{id}",
		Summary: "A task's status and progress"}, h.getTask, NotFound)
}

// declare registers an operation whose errors become problems. codes are those that it alone can answer with.
func declare[I, O any](h *Handler, api huma.API, op huma.Operation, fn func(context.Context, *I) (*O, error), codes ...Code) {
	documentProblems(api, &op, codes)
	huma.Register(api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := fn(ctx, in)
		if err != nil {
			return nil, h.problemOf(ctx, err)
		}
		return out, nil
	})
}

// needSchema answers 503 while the database's schema is older than this program needs, before a body is read.
func (h *Handler) needSchema(ctx huma.Context, next func(huma.Context)) {
	if err := h.db.SchemaReady(ctx.Context()); err != nil {
		r, w := humago.Unwrap(ctx)
		h.writeProblem(w, r, err)
		return
	}
	next(ctx)
}
