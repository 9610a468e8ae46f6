package upload

import (
	"context"
	"net/http"
	"slices"

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

	declare(h, h.api, get("get-health", "/health", "Whether the server lives"), h.getHealth, TooLarge)
	declare(h, h.api, get("get-ready", "/ready", "Whether all that it needs is there"), h.getReady, NotReady)

	data := huma.NewGroup(h.api)
	data.UseMiddleware(h.needSchema)
	h.declareFiles(data)
	h.declareTasks(data)
	long := huma.NewGroup(data)
	long.UseMiddleware(h.needPlace)
	h.declareLongAnswers(long)
	h.declareBulk(data)
	operators := huma.NewGroup(data)
	operators.UseMiddleware(h.needOperator)
	h.declareOperators(operators)

	h.mux.HandleFunc("GET "+prefix+"/openapi.json", h.getOpenAPI)
	h.mux.HandleFunc("/", h.noRoute)
}

func (h *Handler) declareFiles(api huma.API) {
	declare(h, api, postFileOperation(api), h.postFile, UnsupportedMediaType, InvalidMultipart, NameMissing, InvalidName, EmptyFile,
		NoFile, TooManyParts, TooLarge, UnknownOption, InvalidOption, InvalidKey, KeyReused, Gone, BodyIncomplete, UploadStalled,
		UploadTooSlow, StorageUnavailable, Busy, TooManyAtOnce, TooManyOpen, QuotaExceeded)
	documentUpload(api)
	declare(h, api, get("get-files", "/files", "The caller's files, newest first"), h.getFiles, InvalidCursor)
	declare(h, api, get("get-file", "/files/{id}", "A file with its newest task"), h.getFile, NotFound)
	declare(h, api, huma.Operation{OperationID: "delete-file", Method: http.MethodDelete, Path: "/files/{id}",
		Summary: "Delete a file with all that came of it", Description: "Its tasks are cancelled at once, running ones too."}, h.deleteFile, NotFound)
	declare(h, api, get("get-file-tasks", "/files/{id}/tasks", "A file's tasks, newest first"), h.getFileTasks, NotFound, InvalidCursor)
	declare(h, api, withOptions(command("post-task", "/files/{id}/tasks", "Parse a file again", "What its other tasks found stays as it is. "+
		"Without any option it is parsed with those of its newest task."), http.StatusAccepted), h.postTask,
		NotFound, AlreadyRunning, UnknownOption, InvalidOption, TooManyOpen, QuotaExceeded)
}

func (h *Handler) declareTasks(api huma.API) {
	declare(h, api, get("get-task", "/tasks/{id}", "A task's status and progress"), h.getTask, NotFound, Busy, TooManyAtOnce)
	declare(h, api, get("get-tasks", "/tasks", "The caller's tasks, newest first"), h.getTasks, InvalidCursor, NotOperator)
	declare(h, api, command("cancel-task", "/tasks/{id}/cancel", "Cancel a task", "A waiting task is CANCELLED at once, a running one soon, unless it ends first."),
		h.cancelTask, NotFound, AlreadyFinished)
	declare(h, api, command("retry-task", "/tasks/{id}/retry", "Run a task again that has FAILED or was CANCELLED", "It waits for a worker again, as if it had never run."),
		h.retryTask, NotFound, NotRetryable, AlreadyRunning, TooManyOpen, QuotaExceeded)
	declare(h, api, huma.Operation{OperationID: "delete-rows", Method: http.MethodDelete, Path: "/tasks/{id}",
		Summary: "Delete what a task found", Description: "Its sheets, rows and rejects; the task itself stays."}, h.deleteRows, NotFound, NotFinished)
}

func (h *Handler) declareLongAnswers(api huma.API) {
	declare(h, api, streamed(get("get-content", "/files/{id}/content", "A file's bytes as they were uploaded"),
		anyBytes, &huma.Schema{Type: huma.TypeString, Format: "binary"}), h.getContent, NotFound, ContentMissing, StorageUnavailable, Busy, TooManyAtOnce)
	declare(h, api, streamed(get("get-sheets", "/tasks/{id}/sheets", "The sheets of a task that has COMPLETED or FAILED"),
		typeJSON, schemaOf[List[Sheet]](api)), h.getSheets, NotFound, NotCompleted, RowsDeleted, InvalidCursor, Busy, TooManyAtOnce)
	declare(h, api, inForms(streamed(get("get-rows", "/tasks/{id}/sheets/{number}/rows", "A sheet's rows, once the task is COMPLETED"),
		typeJSON, schemaOf[Rows](api))), h.getRows, NotFound, NotCompleted, RowsDeleted, DryRun, InvalidCursor, Busy, TooManyAtOnce)
	declare(h, api, inForms(streamed(get("get-rejects", "/tasks/{id}/sheets/{number}/rejects", "What could not be read of a sheet, and why"),
		typeJSON, schemaOf[List[Reject]](api))), h.getRejects, NotFound, NotCompleted, RowsDeleted, InvalidCursor, Busy, TooManyAtOnce)
}

func (h *Handler) declareBulk(api huma.API) {
	declare(h, api, withOptions(command("post-bulk", "/bulk/tasks", "Parse many files again", "Those that are named, or that a filter finds, each with a task of its own. "+
		"Without any option each is parsed with those of its newest task."), http.StatusAccepted), h.postBulk, slices.Concat(bodyCodes, []Code{UnknownOption, InvalidOption, TooManyOpen, QuotaExceeded})...)
	declare(h, api, get("get-bulk", "/bulk/{id}", "What became of each file of a bulk operation"), h.getBulk, NotFound)
}

func (h *Handler) declareOperators(api huma.API) {
	declare(h, api, get("get-outbox", "/outbox", "Messages that have not been sent, FAILED ones first"), h.getOutbox, InvalidCursor, NotOperator)
	declare(h, api, command("redrive-message", "/outbox/{id}/redrive", "Send a FAILED message after all", ""), h.redriveMessage, NotFound, NotFailed, NotOperator)
	declare(h, api, command("redrive-messages", "/outbox/redrive", "Send FAILED messages after all", "Those that the filter finds, 1,000 at most."),
		h.redriveMessages, slices.Concat(bodyCodes, []Code{NotOperator})...)
	declare(h, api, command("retry-tasks", "/tasks/retry", "Run FAILED tasks again", "Those that the filter finds, 1,000 at most."),
		h.retryTasks, slices.Concat(bodyCodes, []Code{NotOperator})...)
	declare(h, api, get("get-dead-letters", "/dead-letters", "Messages that the queue has given up, newest first"), h.getDeadLetters, InvalidCursor, NotOperator)
	h.declareRecovery(api)
	declare(h, api, get("get-actions", "/actions", "What people did, newest first"), h.getActions, InvalidCursor, NotOperator)
}

func (h *Handler) declareRecovery(api huma.API) {
	declare(h, api, command("begin-recovery", "/recovery", "Begin a recovery after a restore of the database that was not noticed",
		"While it is under way, no blob without a file is deleted."), h.beginRecovery, slices.Concat(bodyCodes, []Code{Busy, NotOperator})...)
	declare(h, api, get("get-lost-blobs", "/recovery/blobs", "Blobs without a file that a restore of the database may have lost, oldest day first"),
		h.getLostBlobs, InvalidCursor, NoRecovery, StorageUnavailable, NotOperator)
	declare(h, api, command("recover-file", "/recovery/files", "Make the file of a lost blob again", "With its owner, name, options and ids, as its upload would have."),
		h.recoverFile, slices.Concat(bodyCodes, []Code{NotFound, NoRecovery, NotRecoverable, UploadedAgain, StorageUnavailable, NotOperator})...)
	declare(h, api, command("end-recovery", "/recovery/end", "End the recovery", "From then on blobs that have no file are deleted again, once they are two days old."),
		h.endRecovery, NoRecovery, NotOperator)
}

// bodyCodes are the problems of a JSON body.
var bodyCodes = []Code{InvalidBody, UnsupportedMediaType, TooLarge, UploadStalled}

func get(id, path, summary string) huma.Operation {
	return huma.Operation{OperationID: id, Method: http.MethodGet, Path: path, Summary: summary}
}

func command(id, path, summary, description string) huma.Operation {
	return huma.Operation{OperationID: id, Method: http.MethodPost, Path: path, Summary: summary, Description: description}
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
