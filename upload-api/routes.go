package upload

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"sheetdrop/internal/tracing"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/history"
	"sheetdrop/upload-api/internal/operate"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/targets"
	"sheetdrop/upload-api/internal/webhooks"
)

const (
	prefix     = "/api"
	healthPath = prefix + "/health"
)

// declareRoutes declares every operation with its problems.
func (h *Handler) declareRoutes(base operation.Base) {
	config := huma.DefaultConfig("sheetdrop", "1")
	config.Info.Description = "Upload a CSV or Excel file; its rows appear exactly once, and records that cannot be read are reported."
	config.CreateHooks = nil // no $schema in responses
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.RejectUnknownQueryParameters = true
	config.Transformers = append(config.Transformers, problem.Localize)
	h.api = humago.NewWithPrefix(h.mux, prefix, config)
	h.api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		tracing.Route(ctx.Context(), ctx.Operation().Method, prefix+ctx.Operation().Path)
		tracing.Set(ctx.Context(), tracing.Invocation(base.InvocationID(ctx.Context())))
		next(ctx)
	})

	state := &state{h.db, h.blobs, h.queue, h.settings}
	declare(h, h.api, operation.Get("get-health", "/health", "Whether the server is alive"), state.getHealth, problem.TooLarge)
	declare(h, h.api, operation.Get("get-ready", "/ready", "Whether the services that the server needs are ready"), state.getReady,
		problem.NotReady)

	data := huma.NewGroup(h.api)
	data.UseMiddleware(h.needSchema)
	h.declareFiles(data)
	h.declareUploads(data)
	h.declareTasks(data)
	h.declareEvents(data)
	declare(h, data, operation.Get("get-me", "/me", "Who is asking"), getMe)
	h.declareViews(data)
	targets.Declare(data, base)
	webhooks.Declare(data, base, h.settings.Webhooks)
	long := huma.NewGroup(data)
	long.UseMiddleware(h.needPlace)
	h.declareLongAnswers(long)
	h.declareTargetRows(long)
	h.declarePreviewOfFile(data)
	h.declareBulk(data)
	operate.Declare(data, base, h.blobs)
	history.Declare(data, base, h.settings.Timing)
	declareUploadTokens(data, base, h.settings.Embed)
	documentEmbedded(h.api)

	h.mux.HandleFunc("GET "+prefix+"/openapi.json", getOpenAPI(h.OpenAPI, h.log))
	h.mux.HandleFunc("/", h.noRoute)
}

func (h *Handler) declareFiles(api huma.API) {
	declare(h, api, postFileOperation(api), h.postFile,
		problem.UnsupportedMediaType, problem.InvalidMultipart, problem.NameMissing, problem.InvalidName, problem.EmptyFile, problem.NoFile,
		problem.TooManyParts, problem.TooLarge, problem.UnknownOption, problem.InvalidOption, problem.InvalidKey, problem.KeyReused,
		problem.NotFound, problem.Duplicate, problem.Gone, problem.BodyIncomplete, problem.UploadStalled, problem.UploadTooSlow,
		problem.StorageUnavailable, problem.Busy, problem.TooManyAtOnce, problem.TooManyOpen, problem.QuotaExceeded, problem.PreviewTimeout,
		problem.NoSuchTarget, problem.NotPermitted, problem.InvalidMapping, problem.CannotCorrect, problem.InvalidBody, problem.URLNotAllowed,
		problem.FetchFailed)
	documentUpload(api)
	declare(h, api, operation.Get("get-files", "/files", "The caller's files, newest first"), h.files.getFiles, problem.InvalidCursor)
	declare(h, api, operation.Get("get-file", "/files/{id}", "A file with its newest task"), h.files.getFile, problem.NotFound)
	declare(h, api, undoesFirst(api, huma.Operation{OperationID: "delete-file", Method: http.MethodDelete, Path: "/files/{id}",
		Summary: "Delete a file with everything that was made from it", Description: "Its tasks are cancelled at once, even running ones, but for undos."}),
		h.files.deleteFile, problem.NotFound, problem.HasLoads, problem.AlreadyRunning, problem.TooManyOpen, problem.QuotaExceeded)
	declare(h, api, operation.Get("get-file-tasks", "/files/{id}/tasks", "A file's tasks, newest first"), h.tasks.getFileTasks,
		problem.NotFound,
		problem.InvalidCursor)
	declare(h, api, withOptions(operation.Command("post-task", "/files/{id}/tasks", "Parse a file again",
		"The results of its other tasks stay. "+
			"Without options it is parsed with those of its newest task."), http.StatusAccepted), h.tasks.postTask,
		problem.NotFound, problem.AlreadyRunning, problem.UnknownOption, problem.InvalidOption, problem.TooManyOpen, problem.QuotaExceeded,
		problem.NoSuchTarget, problem.NotPermitted, problem.InvalidMapping, problem.CannotCorrect)
}

func (h *Handler) declareUploads(api huma.API) {
	begin := withOptions(operation.Command("begin-upload", "/uploads", "Begin an upload straight to the blob store",
		"For files that are too large for one request. The response has the address to which the blocks of the file are written, in any "+
			"order, several at once. Parse options are query parameters."), http.StatusCreated)
	declare(h, api, begin, h.uploads.begin, operation.BodyCodes(problem.NameMissing, problem.InvalidName,
		problem.EmptyFile, problem.UnknownOption, problem.InvalidOption, problem.InvalidKey, problem.KeyReused, problem.Gone,
		problem.Duplicate, problem.TooManyBytes, problem.UploadCompleted, problem.NotFound, problem.TooManyUploads, problem.QuotaExceeded,
		problem.TooManyOpen, problem.StorageUnavailable, problem.NoSuchTarget, problem.NotPermitted, problem.InvalidMapping,
		problem.CannotCorrect)...)
	declare(h, api, operation.Get("get-upload", "/uploads/{id}", "An upload with its stored blocks"), h.uploads.get,
		problem.NotFound, problem.Gone, problem.UploadAltered, problem.StorageUnavailable)
	declare(h, api, operation.Command("renew-address", "/uploads/{id}/sas", "Renew the address of an upload",
		"Addresses expire after 15 minutes. The current one is returned while most of its time is left."), h.uploads.renew, problem.NotFound,
		problem.Gone, problem.UploadCompleted, problem.TooManyBytes, problem.StorageUnavailable)
	complete := operation.Command("complete-upload", "/uploads/{id}/complete", "Complete an upload",
		"Commits the stored blocks as a file and responds like an upload in one request. Idempotent: repeating it returns the same file.")
	complete.DefaultStatus = http.StatusAccepted
	declare(h, api, complete, h.uploads.complete, problem.NotFound, problem.Gone, problem.BlocksMissing, problem.BlockSizeWrong,
		problem.Duplicate, problem.UploadAltered, problem.TooManyOpen, problem.QuotaExceeded, problem.StorageUnavailable)
	declare(h, api, huma.Operation{OperationID: "delete-upload", Method: http.MethodDelete, Path: "/uploads/{id}",
		Summary: "Abort an upload", Description: "Its stored blocks are deleted once its last address has expired."}, h.uploads.abort,
		problem.NotFound, problem.UploadCompleted)
}

func (h *Handler) declareTasks(api huma.API) {
	declare(h, api, operation.Get("get-task", "/tasks/{id}", "A task's status and progress"), h.tasks.getTask, problem.NotFound, problem.Busy,
		problem.TooManyAtOnce)
	declare(h, api, operation.Get("get-tasks", "/tasks", "The caller's tasks, newest first"), h.tasks.getTasks, problem.InvalidCursor,
		problem.NotOperator)
	declare(h, api, operation.Command("cancel-task", "/tasks/{id}/cancel", "Cancel a task",
		"A waiting task is CANCELLED at once, a running one soon, unless it ends first."),
		h.tasks.cancelTask, problem.NotFound, problem.AlreadyFinished)
	declare(h, api, operation.Command("retry-task", "/tasks/{id}/retry", "Run a FAILED or CANCELLED task again",
		"It waits for a worker again, as if it had never run."),
		h.tasks.retryTask, problem.NotFound, problem.NotRetryable, problem.AlreadyRunning, problem.TooManyOpen, problem.QuotaExceeded)
	declare(h, api, huma.Operation{OperationID: "delete-rows", Method: http.MethodDelete, Path: "/tasks/{id}",
		Summary: "Delete what a task found", Description: "Its sheets, rows and rejects; the task itself stays."}, h.tasks.deleteRows,
		problem.NotFound, problem.NotFinished)
}

func (h *Handler) declareViews(api huma.API) {
	declare(h, api, madeOrFound(api, operation.Command("make-view", "/tasks/{id}/sheets/{number}/view", "Make a view of a sheet, for SQL",
		"A view of PostgreSQL whose columns have the types that were found. It follows the newest reading of its file. Idempotent: repeating "+
			"it returns the same view.")), h.views.makeView, operation.BodyCodes(problem.NotFound, problem.NotCompleted,
		problem.RowsDeleted, problem.DryRun, problem.ViewNameTaken, problem.InUseBy, problem.TooManyViews,
		problem.Busy)...)
	declare(h, api, operation.Get("get-views", "/views", "The caller's views, newest first"), h.views.getViews, problem.InvalidCursor)
	declare(h, api, operation.Get("get-view", "/views/{id}", "A view"), h.views.getView, problem.NotFound)
	declare(h, api, huma.Operation{OperationID: "delete-view", Method: http.MethodDelete, Path: "/views/{id}",
		Summary: "Drop a view", Description: "The rows that it shows stay."}, h.views.dropView, problem.NotFound, problem.InUseBy,
		problem.Busy)
}

func (h *Handler) declareLongAnswers(api huma.API) {
	declare(h, api, conditional(streamed(operation.Get("get-content", "/files/{id}/content", "A file's bytes as they were uploaded"),
		export.TypeBytes, &huma.Schema{Type: huma.TypeString, Format: "binary"})), owned(h.exporter.Content), problem.NotFound,
		problem.ContentMissing, problem.StorageUnavailable, problem.Busy, problem.TooManyAtOnce)
	declare(h, api, streamed(operation.Get("get-sheets", "/tasks/{id}/sheets", "The sheets of a task that has COMPLETED or FAILED"),
		export.TypeJSON, operation.SchemaOf[export.List[export.Sheet]](api)), owned(h.exporter.Sheets), problem.NotFound, problem.NotCompleted,
		problem.RowsDeleted, problem.InvalidCursor, problem.Busy, problem.TooManyAtOnce)
	operation.SchemaOf[export.NumberedRow](api)
	declare(h, api, inForms(streamed(operation.Get("get-rows", "/tasks/{id}/sheets/{number}/rows",
		"A sheet's rows, once the task is COMPLETED"),
		export.TypeJSON, operation.SchemaOf[export.Rows](api))), owned(h.exporter.Rows), problem.NotFound, problem.NotCompleted,
		problem.RowsDeleted,
		problem.DryRun, problem.RowsInTarget, problem.InvalidCursor, problem.NotEncodable, problem.TooManyColumns,
		problem.Busy, problem.TooManyAtOnce)
	declare(h, api, inForms(streamed(operation.Get("get-rejects", "/tasks/{id}/sheets/{number}/rejects",
		"The rejected records of a sheet, and why"),
		export.TypeJSON, operation.SchemaOf[export.List[export.Reject]](api))), owned(h.exporter.Rejects), problem.NotFound, problem.NotCompleted,
		problem.RowsDeleted, problem.InvalidCursor, problem.NotEncodable, problem.TooManyColumns, problem.Busy, problem.TooManyAtOnce)
}

func (h *Handler) declareBulk(api huma.API) {
	declare(h, api, withOptions(operation.Command("post-bulk", "/bulk/tasks", "Parse many files again",
		"The named files, or those that a filter selects, each with its own task. "+
			"Without options each is parsed with those of its newest task."), http.StatusAccepted), h.bulks.postBulk,
		operation.BodyCodes(problem.UnknownOption, problem.InvalidOption, problem.TooManyOpen, problem.QuotaExceeded, problem.NoSuchTarget,
			problem.NotPermitted, problem.InvalidMapping)...)
	declare(h, api, operation.Get("get-bulk", "/bulk/{id}", "The result of a bulk operation for each file"), h.bulks.getBulk, problem.NotFound)
}

// declare registers an operation with its problems; codes are those that only this operation can answer with.
func declare[I, O any](h *Handler, api huma.API, op huma.Operation, fn func(context.Context, *I) (*O, error), codes ...problem.Code) {
	operation.Declare(h.log, api, op, fn, codes...)
}

// owned turns an operation on an owner's files into one on the caller's files.
func owned[I, O any](fn func(ctx context.Context, owner string, in *I) (*O, error)) func(context.Context, *I) (*O, error) {
	return func(ctx context.Context, in *I) (*O, error) { return fn(ctx, caller.Of(ctx).Owner, in) }
}

// needSchema is middleware that answers 503, before a body is read, while the database's schema is older than this
// program needs.
func (h *Handler) needSchema(ctx huma.Context, next func(huma.Context)) {
	if err := h.db.SchemaReady(ctx.Context()); err != nil {
		r, w := humago.Unwrap(ctx)
		problem.Write(w, r, h.log, err)
		return
	}
	next(ctx)
}
