package operate

import (
	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"sheetdrop/internal/azure"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/problem"
)

// Declare adds the operations to an API.
func Declare(api huma.API, base operation.Base, blobs *azure.Blobs) {
	o, r := &operators{base}, &recoveries{base, blobs}
	group := huma.NewGroup(api)
	group.UseMiddleware(o.admit)
	o.declare(group)
	r.declare(group)
}

// admit is middleware that admits operators only.
func (o *operators) admit(ctx huma.Context, next func(huma.Context)) {
	if err := o.MustOperate(ctx.Context()); err != nil {
		r, w := humago.Unwrap(ctx)
		problem.Write(w, r, o.Log, err)
		return
	}
	next(ctx)
}

func (o *operators) declare(api huma.API) {
	operation.Declare(o.Log, api, operation.Get("get-overview", "/overview", "What waits, what FAILED, and what happened in the last 24 hours"),
		o.getOverview, problem.NotOperator)
	operation.Declare(o.Log, api, operation.Get("get-outbox", "/outbox", "Messages that have not been sent, FAILED ones first"), o.getOutbox,
		problem.InvalidCursor, problem.NotOperator)
	operation.Declare(o.Log, api, operation.Command("redrive-message", "/outbox/{id}/redrive", "Send a FAILED message again", ""),
		o.redriveMessage, problem.NotFound, problem.NotFailed, problem.NotOperator)
	operation.Declare(o.Log, api, operation.Command("redrive-messages", "/outbox/redrive", "Send FAILED messages again",
		"Those that the filter selects, 1,000 at most."),
		o.redriveMessages, operation.BodyCodes(problem.NotOperator)...)
	operation.Declare(o.Log, api, operation.Command("retry-tasks", "/tasks/retry", "Run FAILED tasks again",
		"Those that the filter selects, 1,000 at most."),
		o.retryTasks, operation.BodyCodes(problem.NotOperator)...)
	operation.Declare(o.Log, api, operation.Get("get-dead-letters", "/dead-letters",
		"Messages that the queue gave up delivering, newest first"),
		o.getDeadLetters, problem.InvalidCursor, problem.NotOperator)
	operation.Declare(o.Log, api, operation.Get("get-actions", "/actions", "Actions of owners and operators, newest first"),
		o.getActions, problem.InvalidCursor, problem.NotOperator)
}

func (r *recoveries) declare(api huma.API) {
	operation.Declare(r.Log, api, operation.Command("begin-recovery", "/recovery",
		"Begin a recovery after a database restore that was not noticed",
		"Blobs without a file are not deleted until the recovery ends."), r.beginRecovery, operation.BodyCodes(problem.Busy,
		problem.NotOperator)...)
	operation.Declare(r.Log, api, operation.Get("get-lost-blobs", "/recovery/blobs",
		"Blobs whose files a database restore may have lost, oldest day first"),
		r.getLostBlobs, problem.InvalidCursor, problem.NoRecovery, problem.StorageUnavailable, problem.NotOperator)
	operation.Declare(r.Log, api, operation.Command("recover-file", "/recovery/files", "Restore the file of a lost blob",
		"With the owner, name, options and ids of its upload."),
		r.recoverFile, operation.BodyCodes(problem.NotFound, problem.NoRecovery, problem.NotRecoverable,
			problem.UploadedAgain, problem.StorageUnavailable, problem.NotOperator)...)
	operation.Declare(r.Log, api, operation.Command("end-recovery", "/recovery/end", "End the recovery",
		"Blobs without a file are deleted again, once they are two days old."),
		r.endRecovery, problem.NoRecovery, problem.NotOperator)
}
