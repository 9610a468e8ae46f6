// Package webhooks has the operations on webhooks: addresses that are told when tasks end.
package webhooks

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"sheetdrop/internal/webhook"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/problem"
)

// Settings say how many webhooks there may be, and where.
type Settings struct {
	PerOwner int64          `env:"QUOTA_WEBHOOKS" envDefault:"10"` // of an owner; 0 means unlimited
	Policy   webhook.Policy // which addresses may be called
	Wake     func()         // has what is due sent; does not block
}

// Check refuses what no limit can be.
func (s Settings) Check() error {
	if s.PerOwner < 0 {
		return errors.New("QUOTA_WEBHOOKS must be 0 or more")
	}
	return nil
}

// webhooks are the operations on webhooks.
type webhooks struct {
	operation.Base
	settings Settings
}

// Declare adds the operations to an API.
func Declare(api huma.API, base operation.Base, s Settings) {
	w := &webhooks{base, s}
	w.declareWebhooks(api)
	w.declareDeliveries(api)
}

func (w *webhooks) declareWebhooks(api huma.API) {
	create := operation.Command("create-webhook", "/webhooks", "Create a webhook: an address that is told when tasks end",
		"Only this answer has the secret, by which the receiver verifies the signature of each event (Standard Webhooks).")
	create.DefaultStatus = http.StatusCreated
	declare(w, api, create, w.create, operation.BodyCodes(problem.WebhooksOff, problem.InvalidAddress, problem.TooManyWebhooks,
		problem.NoSuchTarget)...)
	declare(w, api, operation.Get("get-webhooks", "/webhooks", "The caller's webhooks, newest first"), w.list, problem.InvalidCursor)
	declare(w, api, operation.Get("get-webhook", "/webhooks/{id}", "A webhook"), w.get, problem.NotFound)
	declare(w, api, huma.Operation{OperationID: "change-webhook", Method: http.MethodPatch, Path: "/webhooks/{id}",
		Summary: "Change a webhook", Description: "Members that the body does not have stay as they are. Idempotent."},
		w.change, operation.BodyCodes(problem.NotFound, problem.WebhooksOff, problem.InvalidAddress, problem.NoSuchTarget)...)
	declare(w, api, huma.Operation{OperationID: "delete-webhook", Method: http.MethodDelete, Path: "/webhooks/{id}",
		Summary: "Delete a webhook", Description: "What waits for it is not sent any more."}, w.remove, problem.NotFound)
	declare(w, api, operation.Command("rotate-webhook-secret", "/webhooks/{id}/rotate-secret", "Give a webhook another secret",
		"Only this answer has it. For 24 hours each event is signed by the one of before as well."), w.rotate, problem.NotFound)
}

func (w *webhooks) declareDeliveries(api huma.API) {
	test := operation.Command("test-webhook", "/webhooks/{id}/test", "Send a test event to a webhook",
		"An event of type webhook.test, which is sent as all others are. What became of it is in the deliveries.")
	test.DefaultStatus = http.StatusAccepted
	declare(w, api, test, w.test, problem.NotFound, problem.WebhookDisabled, problem.WebhooksOff)
	declare(w, api, operation.Get("get-deliveries", "/webhooks/{id}/deliveries", "The events of a webhook, newest first"), w.deliveries,
		problem.NotFound, problem.InvalidCursor)
	declare(w, api, operation.Get("get-delivery", "/webhooks/{id}/deliveries/{delivery}", "An event of a webhook, with its last attempt"),
		w.delivery, problem.NotFound)
	again := operation.Command("redeliver", "/webhooks/{id}/deliveries/{delivery}/redeliver", "Send an event again",
		"One that was delivered, or given up; one that waits is sent without waiting longer. It has the same webhook-id as before.")
	again.DefaultStatus = http.StatusAccepted
	declare(w, api, again, w.redeliver, problem.NotFound, problem.WebhookDisabled, problem.WebhooksOff)
}

func declare[I, O any](w *webhooks, api huma.API, op huma.Operation, fn func(context.Context, *I) (*O, error), codes ...problem.Code) {
	operation.Declare(w.Log, api, op, fn, codes...)
}

// WebhookInput identifies a webhook.
type WebhookInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}
