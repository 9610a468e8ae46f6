package upload

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

const (
	prefix     = "/api"
	healthPath = prefix + "/health"
)

// declareRoutes declares every operation with its problems.
func (h *Handler) declareRoutes() {
	config := huma.DefaultConfig("sheetdrop", "1")
	config.Info.Description = "Upload a CSV or Excel file; its rows appear exactly once, and records that cannot be read are reported."
	config.CreateHooks = nil // no $schema in responses
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.RejectUnknownQueryParameters = true
	h.api = humago.NewWithPrefix(h.mux, prefix, config)

	declare(h, h.api, get("get-health", "/health", "Whether the server is alive"), h.getHealth, problem.TooLarge)
	declare(h, h.api, get("get-ready", "/ready", "Whether the services that the server needs are ready"), h.getReady, problem.NotReady)

	data := huma.NewGroup(h.api)
	data.UseMiddleware(h.needSchema)
	h.declareFiles(data)
	h.declareUploads(data)
	h.declareTasks(data)
	h.declareViews(data)
	h.declareTargets(data)
	long := huma.NewGroup(data)
	long.UseMiddleware(h.needPlace)
	h.declareLongAnswers(long)
	h.declarePreviewOfFile(data)
	h.declareBulk(data)
	operators := huma.NewGroup(data)
	operators.UseMiddleware(h.needOperator)
	h.declareOperators(operators)

	h.mux.HandleFunc("GET "+prefix+"/openapi.json", h.getOpenAPI)
	h.mux.HandleFunc("/", h.noRoute)
}

func (h *Handler) declareFiles(api huma.API) {
	declare(h, api, postFileOperation(api), h.postFile,
		problem.UnsupportedMediaType, problem.InvalidMultipart, problem.NameMissing, problem.InvalidName, problem.EmptyFile, problem.NoFile,
		problem.TooManyParts, problem.TooLarge, problem.UnknownOption, problem.InvalidOption, problem.InvalidKey, problem.KeyReused,
		problem.NotFound, problem.Duplicate, problem.Gone, problem.BodyIncomplete, problem.UploadStalled, problem.UploadTooSlow,
		problem.StorageUnavailable, problem.Busy, problem.TooManyAtOnce, problem.TooManyOpen, problem.QuotaExceeded, problem.PreviewTimeout,
		problem.NoSuchTarget, problem.NotPermitted, problem.InvalidMapping)
	documentUpload(api)
	declare(h, api, get("get-files", "/files", "The caller's files, newest first"), h.files.getFiles, problem.InvalidCursor)
	declare(h, api, get("get-file", "/files/{id}", "A file with its newest task"), h.files.getFile, problem.NotFound)
	declare(h, api, huma.Operation{OperationID: "delete-file", Method: http.MethodDelete, Path: "/files/{id}",
		Summary: "Delete a file with everything that was made from it", Description: "Its tasks are cancelled at once, even running ones."},
		h.files.deleteFile, problem.NotFound)
	declare(h, api, get("get-file-tasks", "/files/{id}/tasks", "A file's tasks, newest first"), h.tasks.getFileTasks, problem.NotFound,
		problem.InvalidCursor)
	declare(h, api, withOptions(command("post-task", "/files/{id}/tasks", "Parse a file again", "The results of its other tasks stay. "+
		"Without options it is parsed with those of its newest task."), http.StatusAccepted), h.tasks.postTask,
		problem.NotFound, problem.AlreadyRunning, problem.UnknownOption, problem.InvalidOption, problem.TooManyOpen, problem.QuotaExceeded,
		problem.NoSuchTarget, problem.NotPermitted, problem.InvalidMapping)
}

func (h *Handler) declareUploads(api huma.API) {
	begin := withOptions(command("begin-upload", "/uploads", "Begin an upload straight to the blob store",
		"For files that are too large for one request. The response has the address to which the blocks of the file are written, in any "+
			"order, several at once. Parse options are query parameters."), http.StatusCreated)
	declare(h, api, begin, h.uploads.begin, slices.Concat(bodyCodes, []problem.Code{problem.NameMissing, problem.InvalidName,
		problem.EmptyFile, problem.UnknownOption, problem.InvalidOption, problem.InvalidKey, problem.KeyReused, problem.Gone,
		problem.Duplicate, problem.TooManyBytes, problem.UploadCompleted, problem.NotFound, problem.TooManyUploads, problem.QuotaExceeded,
		problem.TooManyOpen, problem.StorageUnavailable, problem.NoSuchTarget, problem.NotPermitted, problem.InvalidMapping})...)
	declare(h, api, get("get-upload", "/uploads/{id}", "An upload with its stored blocks"), h.uploads.get,
		problem.NotFound, problem.Gone, problem.UploadAltered, problem.StorageUnavailable)
	declare(h, api, command("renew-address", "/uploads/{id}/sas", "Renew the address of an upload",
		"Addresses expire after 15 minutes. The current one is returned while most of its time is left."), h.uploads.renew, problem.NotFound,
		problem.Gone, problem.UploadCompleted, problem.TooManyBytes, problem.StorageUnavailable)
	complete := command("complete-upload", "/uploads/{id}/complete", "Complete an upload",
		"Commits the stored blocks as a file and responds like an upload in one request. Idempotent: repeating it returns the same file.")
	complete.DefaultStatus = http.StatusAccepted
	declare(h, api, complete, h.uploads.complete, problem.NotFound, problem.Gone, problem.BlocksMissing, problem.BlockSizeWrong,
		problem.Duplicate, problem.UploadAltered, problem.TooManyOpen, problem.QuotaExceeded, problem.StorageUnavailable)
	declare(h, api, huma.Operation{OperationID: "delete-upload", Method: http.MethodDelete, Path: "/uploads/{id}",
		Summary: "Abort an upload", Description: "Its stored blocks are deleted once its last address has expired."}, h.uploads.abort,
		problem.NotFound, problem.UploadCompleted)
}

func (h *Handler) declareTasks(api huma.API) {
	declare(h, api, get("get-task", "/tasks/{id}", "A task's status and progress"), h.tasks.getTask, problem.NotFound, problem.Busy,
		problem.TooManyAtOnce)
	declare(h, api, get("get-tasks", "/tasks", "The caller's tasks, newest first"), h.tasks.getTasks, problem.InvalidCursor,
		problem.NotOperator)
	declare(h, api, command("cancel-task", "/tasks/{id}/cancel", "Cancel a task",
		"A waiting task is CANCELLED at once, a running one soon, unless it ends first."),
		h.tasks.cancelTask, problem.NotFound, problem.AlreadyFinished)
	declare(h, api, command("retry-task", "/tasks/{id}/retry", "Run a FAILED or CANCELLED task again",
		"It waits for a worker again, as if it had never run."),
		h.tasks.retryTask, problem.NotFound, problem.NotRetryable, problem.AlreadyRunning, problem.TooManyOpen, problem.QuotaExceeded)
	declare(h, api, huma.Operation{OperationID: "delete-rows", Method: http.MethodDelete, Path: "/tasks/{id}",
		Summary: "Delete what a task found", Description: "Its sheets, rows and rejects; the task itself stays."}, h.tasks.deleteRows,
		problem.NotFound, problem.NotFinished)
}

func (h *Handler) declareViews(api huma.API) {
	declare(h, api, madeOrFound(api, command("make-view", "/tasks/{id}/sheets/{number}/view", "Make a view of a sheet, for SQL",
		"A view of PostgreSQL whose columns have the types that were found. It follows the newest reading of its file. Idempotent: repeating "+
			"it returns the same view.")), h.views.makeView, slices.Concat(bodyCodes, []problem.Code{problem.NotFound, problem.NotCompleted,
		problem.RowsDeleted, problem.DryRun, problem.ViewNameTaken, problem.InUseBy, problem.TooManyViews,
		problem.Busy})...)
	declare(h, api, get("get-views", "/views", "The caller's views, newest first"), h.views.getViews, problem.InvalidCursor)
	declare(h, api, get("get-view", "/views/{id}", "A view"), h.views.getView, problem.NotFound)
	declare(h, api, huma.Operation{OperationID: "delete-view", Method: http.MethodDelete, Path: "/views/{id}",
		Summary: "Drop a view", Description: "The rows that it shows stay."}, h.views.dropView, problem.NotFound, problem.InUseBy,
		problem.Busy)
}

func (h *Handler) declareLongAnswers(api huma.API) {
	declare(h, api, conditional(streamed(get("get-content", "/files/{id}/content", "A file's bytes as they were uploaded"),
		export.TypeBytes, &huma.Schema{Type: huma.TypeString, Format: "binary"})), owned(h.exporter.Content), problem.NotFound,
		problem.ContentMissing, problem.StorageUnavailable, problem.Busy, problem.TooManyAtOnce)
	declare(h, api, streamed(get("get-sheets", "/tasks/{id}/sheets", "The sheets of a task that has COMPLETED or FAILED"),
		export.TypeJSON, schemaOf[export.List[export.Sheet]](api)), owned(h.exporter.Sheets), problem.NotFound, problem.NotCompleted,
		problem.RowsDeleted, problem.InvalidCursor, problem.Busy, problem.TooManyAtOnce)
	declare(h, api, inForms(streamed(get("get-rows", "/tasks/{id}/sheets/{number}/rows", "A sheet's rows, once the task is COMPLETED"),
		export.TypeJSON, schemaOf[export.Rows](api))), owned(h.exporter.Rows), problem.NotFound, problem.NotCompleted, problem.RowsDeleted,
		problem.DryRun, problem.RowsInTarget, problem.InvalidCursor, problem.NotEncodable, problem.TooManyColumns,
		problem.Busy, problem.TooManyAtOnce)
	declare(h, api, inForms(streamed(get("get-rejects", "/tasks/{id}/sheets/{number}/rejects", "The rejected records of a sheet, and why"),
		export.TypeJSON, schemaOf[export.List[export.Reject]](api))), owned(h.exporter.Rejects), problem.NotFound, problem.NotCompleted,
		problem.RowsDeleted, problem.InvalidCursor, problem.NotEncodable, problem.TooManyColumns, problem.Busy, problem.TooManyAtOnce)
}

func (h *Handler) declareBulk(api huma.API) {
	declare(h, api, withOptions(command("post-bulk", "/bulk/tasks", "Parse many files again",
		"The named files, or those that a filter selects, each with its own task. "+
			"Without options each is parsed with those of its newest task."), http.StatusAccepted), h.bulks.postBulk, slices.Concat(bodyCodes,
		[]problem.Code{problem.UnknownOption, problem.InvalidOption, problem.TooManyOpen, problem.QuotaExceeded, problem.NoSuchTarget,
			problem.NotPermitted, problem.InvalidMapping})...)
	declare(h, api, get("get-bulk", "/bulk/{id}", "The result of a bulk operation for each file"), h.bulks.getBulk, problem.NotFound)
}

func (h *Handler) declareOperators(api huma.API) {
	declare(h, api, get("get-outbox", "/outbox", "Messages that have not been sent, FAILED ones first"), h.operators.getOutbox,
		problem.InvalidCursor, problem.NotOperator)
	declare(h, api, command("redrive-message", "/outbox/{id}/redrive", "Send a FAILED message again", ""), h.operators.redriveMessage,
		problem.NotFound, problem.NotFailed, problem.NotOperator)
	declare(h, api, command("redrive-messages", "/outbox/redrive", "Send FAILED messages again",
		"Those that the filter selects, 1,000 at most."),
		h.operators.redriveMessages, slices.Concat(bodyCodes, []problem.Code{problem.NotOperator})...)
	declare(h, api, command("retry-tasks", "/tasks/retry", "Run FAILED tasks again", "Those that the filter selects, 1,000 at most."),
		h.operators.retryTasks, slices.Concat(bodyCodes, []problem.Code{problem.NotOperator})...)
	declare(h, api, get("get-dead-letters", "/dead-letters", "Messages that the queue gave up delivering, newest first"),
		h.operators.getDeadLetters, problem.InvalidCursor, problem.NotOperator)
	h.declareRecovery(api)
	declare(h, api, get("get-actions", "/actions", "Actions of owners and operators, newest first"),
		h.operators.getActions, problem.InvalidCursor, problem.NotOperator)
}

func (h *Handler) declareRecovery(api huma.API) {
	declare(h, api, command("begin-recovery", "/recovery", "Begin a recovery after a database restore that was not noticed",
		"Blobs without a file are not deleted until the recovery ends."), h.recoveries.beginRecovery, slices.Concat(bodyCodes,
		[]problem.Code{problem.Busy, problem.NotOperator})...)
	declare(h, api, get("get-lost-blobs", "/recovery/blobs",
		"Blobs whose files a database restore may have lost, oldest day first"),
		h.recoveries.getLostBlobs, problem.InvalidCursor, problem.NoRecovery, problem.StorageUnavailable, problem.NotOperator)
	declare(h, api, command("recover-file", "/recovery/files", "Restore the file of a lost blob",
		"With the owner, name, options and ids of its upload."),
		h.recoveries.recoverFile, slices.Concat(bodyCodes, []problem.Code{problem.NotFound, problem.NoRecovery, problem.NotRecoverable,
			problem.UploadedAgain, problem.StorageUnavailable, problem.NotOperator})...)
	declare(h, api, command("end-recovery", "/recovery/end", "End the recovery",
		"Blobs without a file are deleted again, once they are two days old."),
		h.recoveries.endRecovery, problem.NoRecovery, problem.NotOperator)
}

// bodyCodes are the problems of a JSON body.
var bodyCodes = []problem.Code{problem.InvalidBody, problem.UnsupportedMediaType, problem.TooLarge, problem.UploadStalled}

func get(id, path, summary string) huma.Operation {
	return huma.Operation{OperationID: id, Method: http.MethodGet, Path: path, Summary: summary}
}

func command(id, path, summary, description string) huma.Operation {
	return huma.Operation{OperationID: id, Method: http.MethodPost, Path: path, Summary: summary, Description: description}
}

// declare registers an operation whose errors become problems; codes are those that only this operation can answer
// with.
func declare[I, O any](h *Handler, api huma.API, op huma.Operation, fn func(context.Context, *I) (*O, error), codes ...problem.Code) {
	documentProblems(api, &op, codes)
	huma.Register(api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := fn(ctx, in)
		if err != nil {
			return nil, problem.Of(ctx, h.log, err)
		}
		return out, nil
	})
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
