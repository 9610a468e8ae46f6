package operate

import (
	"context"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/redrive"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

// Message is an outbox message that has not been sent yet.
type Message struct {
	ID            uuid.UUID      `json:"id" format:"uuid"`
	EventType     task.EventType `json:"event_type"`
	TaskID        *uuid.UUID     `json:"task_id" format:"uuid" nullable:"true"`
	Status        string         `json:"status" enum:"PENDING,PROCESSING,FAILED"`
	Attempts      int            `json:"attempts"`
	Rejections    int            `json:"rejections" doc:"How often the message itself was rejected; at 5 it is FAILED."`
	NextAttemptAt *time.Time     `json:"next_attempt_at" doc:"When it is tried next; null if it is FAILED, because it is not tried again."`
	LastError     *string        `json:"last_error"`
	CreatedAt     time.Time      `json:"created_at"`
}

type getOutboxInput struct {
	export.ListInput
	Status        string         `query:"status" enum:"PENDING,PROCESSING,FAILED"`
	EventType     task.EventType `query:"event_type" pattern:"^[A-Z_]*$"`
	TaskID        uuid.UUID      `query:"task_id" format:"uuid"`
	CreatedAfter  time.Time      `query:"created_after"`
	CreatedBefore time.Time      `query:"created_before"`
}

func (in *getOutboxInput) filter() redrive.Filter {
	return redrive.Filter{
		Status: in.Status, EventType: in.EventType, TaskID: in.TaskID, CreatedAfter: export.OrNil(in.CreatedAfter),
		CreatedBefore: export.OrNil(in.CreatedBefore),
	}
}

// messagePlace is a message's position in the list.
type messagePlace struct {
	Alive bool      `json:"a"`
	ID    uuid.UUID `json:"i"`
}

// getOutbox lists the messages that have not been sent, FAILED ones first.
func (o *operators) getOutbox(ctx context.Context, in *getOutboxInput) (*export.ListOutput[Message], error) {
	after, err := export.DecodeCursor(in.Cursor, "outbox", messagePlace{})
	if err != nil {
		return nil, err
	}
	found, more, err := redrive.List(ctx, o.DB, in.filter(), redrive.Place(after), in.PageSize())
	if err != nil {
		return nil, err
	}
	return export.AnswerPage(ctx, found, more, "outbox", func(m redrive.Message) messagePlace {
		return messagePlace{m.Status != "FAILED",
			m.ID}
	},
		func(m redrive.Message) Message { return Message(m) }), nil
}

// RedriveFilter selects FAILED messages; an empty filter selects all.
type RedriveFilter struct {
	EventType     task.EventType `json:"event_type,omitempty" pattern:"^[A-Z_]*$"`
	TaskID        uuid.UUID      `json:"task_id,omitzero" format:"uuid"`
	CreatedAfter  *time.Time     `json:"created_after,omitempty"`
	CreatedBefore *time.Time     `json:"created_before,omitempty"`
}

// redriveMessages makes FAILED messages due again, a thousand at most.
func (o *operators) redriveMessages(ctx context.Context, in *struct{ Body RedriveFilter }) (*changedOutput, error) {
	filter := redrive.Filter{
		EventType: in.Body.EventType, TaskID: in.Body.TaskID, CreatedAfter: in.Body.CreatedAfter, CreatedBefore: in.Body.CreatedBefore,
	}
	var ids []uuid.UUID
	done, err := o.ActOnMany(ctx, task.NewID(), actRedriveMessages, in.Body, func(ctx context.Context, tx postgres.Tx) (_ int64, err error) {
		ids, err = redrive.Many(ctx, tx, filter, operatorBatch)
		return int64(len(ids)), err
	})
	if err != nil {
		return nil, err
	}
	o.Nudge(ids...)
	return &changedOutput{changedBy(done)}, nil
}

// MessageInput identifies an outbox message.
type MessageInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

// redriveMessage makes a FAILED message due again.
func (o *operators) redriveMessage(ctx context.Context, in *MessageInput) (*changedOutput, error) {
	_, err := o.ActOn(ctx, task.NewID(), actRedriveMessage, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		driven, err := redrive.One(ctx, tx, in.ID)
		if err == nil && !driven {
			return problem.New(problem.NotFailed, "Only a FAILED message can be sent again; this one will be sent anyway.")
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	o.Nudge(in.ID)
	return &changedOutput{Changed{Count: 1}}, nil
}
