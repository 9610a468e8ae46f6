package webhooks

import (
	"context"
	"math"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/webhookstore"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

type deliveriesInput struct {
	WebhookInput
	export.ListInput
	Status string `query:"status" enum:"PENDING,DELIVERED,DEAD"`
}

// deliveries lists the events of a webhook of the caller's, newest first.
func (w *webhooks) deliveries(ctx context.Context, in *deliveriesInput) (*export.ListOutput[Delivery], error) {
	if _, err := webhookstore.Find(ctx, w.DB, caller.Of(ctx).Owner, in.ID); err != nil {
		return nil, err
	}
	name := "deliveries/" + in.ID.String()
	before, err := export.DecodeCursor(in.Cursor, name, int64(math.MaxInt64))
	if err != nil {
		return nil, err
	}
	found, more, err := webhookstore.Deliveries(ctx, w.DB, in.ID, in.Status, before, in.PageSize())
	if err != nil {
		return nil, err
	}
	return export.AnswerPage(ctx, found, more, name, func(d webhookstore.Delivery) int64 { return d.Seq }, showDelivery), nil
}

type deliveryInput struct {
	WebhookInput
	Delivery uuid.UUID `path:"delivery" format:"uuid"`
}

type deliveryOutput struct{ Body Delivery }

// delivery returns an event of a webhook of the caller's.
func (w *webhooks) delivery(ctx context.Context, in *deliveryInput) (*deliveryOutput, error) {
	if _, err := webhookstore.Find(ctx, w.DB, caller.Of(ctx).Owner, in.ID); err != nil {
		return nil, err
	}
	return w.found(ctx, in.ID, in.Delivery)
}

func (w *webhooks) found(ctx context.Context, webhookID, id uuid.UUID) (*deliveryOutput, error) {
	found, err := webhookstore.FindDelivery(ctx, w.DB, webhookID, id)
	if err != nil {
		return nil, err
	}
	return &deliveryOutput{showDelivery(found)}, nil
}

// test writes an event that tells of nothing.
func (w *webhooks) test(ctx context.Context, in *WebhookInput) (*deliveryOutput, error) {
	id, err := w.send(ctx, task.NewID(), actTest, in.ID, func(ctx context.Context, tx postgres.Tx, id uuid.UUID) error {
		return webhookstore.AddTest(ctx, tx, in.ID, id)
	})
	if err != nil {
		return nil, err
	}
	return w.found(ctx, in.ID, id)
}

// redeliver has an event sent again.
func (w *webhooks) redeliver(ctx context.Context, in *deliveryInput) (*deliveryOutput, error) {
	_, err := w.send(ctx, task.NewID(), actRedeliver, in.ID, func(ctx context.Context, tx postgres.Tx, _ uuid.UUID) error {
		return webhookstore.Redeliver(ctx, tx, in.ID, in.Delivery)
	})
	if err != nil {
		return nil, err
	}
	return w.found(ctx, in.ID, in.Delivery)
}

// send does something to an enabled webhook of the caller's after which an event is due, and has that sent.
func (w *webhooks) send(
	ctx context.Context, id uuid.UUID, name string, target uuid.UUID, do func(ctx context.Context, tx postgres.Tx, id uuid.UUID) error,
) (uuid.UUID, error) {
	made, err := w.actOn(ctx, id, name, target, func(ctx context.Context, tx postgres.Tx, locked webhookstore.Webhook) error {
		switch {
		case w.settings.Policy.Off():
			return errOff()
		case locked.DisabledAt != nil:
			return problem.New(problem.WebhookDisabled, "The webhook is disabled, by its %s. Enable it first.", locked.DisabledBy)
		}
		return do(ctx, tx, id)
	})
	if err == nil {
		w.settings.Wake()
	}
	return made, err
}
