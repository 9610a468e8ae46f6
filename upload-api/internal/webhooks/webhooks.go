package webhooks

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/targetstore"
	"sheetdrop/internal/postgres/webhookstore"
	"sheetdrop/internal/task"
	"sheetdrop/internal/webhook"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

// The actions on a webhook, as recorded.
const (
	actCreate    = "create_webhook"
	actChange    = "change_webhook"
	actDelete    = "delete_webhook"
	actRotate    = "rotate_webhook_secret"
	actTest      = "test_webhook"
	actRedeliver = "redeliver_webhook"
)

// overlap is for how long the secret of before a rotation signs as well.
const overlap = 24 * time.Hour

// allStates are the ends that a webhook is told of unless it says otherwise.
var allStates = []string{string(task.Completed), string(task.Failed), string(task.Cancelled)}

// WebhookRequest is a webhook that is to be created.
type WebhookRequest struct {
	URL         string      `json:"url" minLength:"1" maxLength:"2048" doc:"By https, to a host that the server may call."`
	Description string      `json:"description,omitempty" maxLength:"200"`
	States      []string    `json:"states,omitempty" enum:"COMPLETED,FAILED,CANCELLED" maxItems:"3" doc:"The ends that are sent; all by default."`
	Targets     []uuid.UUID `json:"targets,omitempty" maxItems:"100" doc:"Only tasks that load into one of these targets; none: all tasks."`
}

type createInput struct{ Body WebhookRequest }

type createOutput struct {
	Location string `header:"Location" doc:"The webhook's path."`
	Body     WebhookWithSecret
}

type webhookOutput struct{ Body Webhook }

// create makes a webhook with a new secret.
func (w *webhooks) create(ctx context.Context, in *createInput) (*createOutput, error) {
	made := webhookstore.Webhook{
		ID: task.NewID(), URL: in.Body.URL, Description: in.Body.Description, Statuses: in.Body.States, TargetIDs: in.Body.Targets,
	}
	if err := w.check(ctx, made.URL, made.TargetIDs); err != nil {
		return nil, err
	}
	fillIn(&made)
	owner := caller.Of(ctx).Owner
	id, err := w.ActOn(ctx, made.ID, actCreate, made.ID, func(ctx context.Context, tx postgres.Tx) error {
		return problem.OfQuota(webhookstore.Create(ctx, tx, owner, made, webhook.NewSecret(), w.settings.PerOwner))
	})
	if err != nil {
		return nil, err
	}
	body, err := w.secretOf(ctx, owner, id)
	return &createOutput{"/api/webhooks/" + id.String(), body}, err
}

// fillIn sets what an owner has not said.
func fillIn(w *webhookstore.Webhook) {
	if len(w.Statuses) == 0 {
		w.Statuses = allStates
	}
	if len(w.TargetIDs) == 0 {
		w.TargetIDs = nil
	}
}

// check returns the problem of an address, or of targets, that a webhook cannot have.
func (w *webhooks) check(ctx context.Context, address string, targets []uuid.UUID) error {
	if w.settings.Policy.Off() {
		return errOff()
	}
	if _, err := w.settings.Policy.Check(address); err != nil {
		return problem.New(problem.InvalidAddress, "The address cannot be used: %s.", err).
			At(problem.Fault{Location: "body.url", Message: err.Error()})
	}
	for _, id := range targets {
		_, err := targetstore.Find(ctx, w.DB, caller.Of(ctx).Names(), id.String())
		if errors.Is(err, postgres.ErrNotFound) {
			return problem.New(problem.NoSuchTarget, "There is no target %s that you may see.", id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func errOff() error {
	return problem.New(problem.WebhooksOff, "This server sends no webhooks. An operator can allow hosts by the setting WEBHOOK_HOSTS.")
}

// secretOf returns a webhook with its secret, for who has just made that.
func (w *webhooks) secretOf(ctx context.Context, owner string, id uuid.UUID) (body WebhookWithSecret, err error) {
	found, err := webhookstore.Find(ctx, w.DB, owner, id)
	if err != nil {
		return body, err
	}
	secret, err := webhookstore.Secret(ctx, w.DB, owner, id)
	return withSecret(found, secret), err
}

// list lists the caller's webhooks, newest first.
func (w *webhooks) list(ctx context.Context, in *export.ListInput) (*export.ListOutput[Webhook], error) {
	before, err := export.DecodeCursor(in.Cursor, "webhooks", uuid.Max)
	if err != nil {
		return nil, err
	}
	found, more, err := webhookstore.List(ctx, w.DB, caller.Of(ctx).Owner, before, in.PageSize())
	if err != nil {
		return nil, err
	}
	return export.AnswerPage(ctx, found, more, "webhooks", func(w webhookstore.Webhook) uuid.UUID { return w.ID }, show), nil
}

// get returns one of the caller's webhooks.
func (w *webhooks) get(ctx context.Context, in *WebhookInput) (*webhookOutput, error) {
	found, err := webhookstore.Find(ctx, w.DB, caller.Of(ctx).Owner, in.ID)
	if err != nil {
		return nil, err
	}
	return &webhookOutput{show(found)}, nil
}

// WebhookChange are the members of a webhook that change.
type WebhookChange struct {
	URL         *string      `json:"url,omitempty" minLength:"1" maxLength:"2048"`
	Description *string      `json:"description,omitempty" maxLength:"200"`
	States      *[]string    `json:"states,omitempty" enum:"COMPLETED,FAILED,CANCELLED" maxItems:"3" doc:"None: all."`
	Targets     *[]uuid.UUID `json:"targets,omitempty" maxItems:"100" doc:"None: all tasks."`
	Enabled     *bool        `json:"enabled,omitempty" doc:"What waits for a webhook that is disabled is sent once it is enabled again, if that is in time."`
}

type changeInput struct {
	WebhookInput
	Body WebhookChange
}

// change changes members of a webhook of the caller's.
func (w *webhooks) change(ctx context.Context, in *changeInput) (*webhookOutput, error) {
	wanted, err := webhookstore.Find(ctx, w.DB, caller.Of(ctx).Owner, in.ID)
	if err != nil {
		return nil, err
	}
	in.Body.apply(&wanted)
	if in.Body.URL != nil || in.Body.Targets != nil || wanted.DisabledBy == "" {
		if err := w.check(ctx, wanted.URL, wanted.TargetIDs); err != nil {
			return nil, err
		}
	}
	_, err = w.actOn(ctx, task.NewID(), actChange, in.ID, func(ctx context.Context, tx postgres.Tx, now webhookstore.Webhook) error {
		in.Body.apply(&now)
		fillIn(&now)
		return webhookstore.Change(ctx, tx, now)
	})
	if err != nil {
		return nil, err
	}
	w.settings.Wake() // what has waited for it to be enabled
	return w.get(ctx, &in.WebhookInput)
}

func (c WebhookChange) apply(w *webhookstore.Webhook) {
	set(&w.URL, c.URL)
	set(&w.Description, c.Description)
	set(&w.Statuses, c.States)
	set(&w.TargetIDs, c.Targets)
	if c.Enabled != nil && *c.Enabled {
		w.DisabledBy = ""
	} else if c.Enabled != nil && w.DisabledBy == "" {
		w.DisabledBy = webhookstore.ByOwner
	}
}

func set[T any](member, changed *T) {
	if changed != nil {
		*member = *changed
	}
}

// remove deletes a webhook of the caller's.
func (w *webhooks) remove(ctx context.Context, in *WebhookInput) (*struct{}, error) {
	_, err := w.actOn(ctx, task.NewID(), actDelete, in.ID, func(ctx context.Context, tx postgres.Tx, _ webhookstore.Webhook) error {
		return webhookstore.Delete(ctx, tx, in.ID)
	})
	return nil, err
}

type rotateOutput struct{ Body WebhookWithSecret }

// rotate gives a webhook of the caller's another secret.
func (w *webhooks) rotate(ctx context.Context, in *WebhookInput) (*rotateOutput, error) {
	secret := webhook.NewSecret()
	_, err := w.actOn(ctx, task.NewID(), actRotate, in.ID, func(ctx context.Context, tx postgres.Tx, _ webhookstore.Webhook) error {
		return webhookstore.Rotate(ctx, tx, in.ID, secret, overlap)
	})
	if err != nil {
		return nil, err
	}
	body, err := w.secretOf(ctx, caller.Of(ctx).Owner, in.ID)
	return &rotateOutput{body}, err
}

// actOn is ActOn for a webhook of the caller's, which it locks.
func (w *webhooks) actOn(
	ctx context.Context, id uuid.UUID, name string, target uuid.UUID, do func(context.Context, postgres.Tx, webhookstore.Webhook) error,
) (uuid.UUID, error) {
	return w.ActOn(ctx, id, name, target, func(ctx context.Context, tx postgres.Tx) error {
		locked, err := webhookstore.Lock(ctx, tx, caller.Of(ctx).Owner, target)
		if err != nil {
			return err
		}
		return do(ctx, tx, locked)
	})
}
