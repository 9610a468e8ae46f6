// Package operate has the operations that only operators may call: messages, failed tasks, dead letters, the record of
// actions, and the recovery of files after a restore of the database.
package operate

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/audit"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/operation"
)

// The actions of operators, as recorded.
const (
	actBeginRecovery   = "begin_recovery"
	actEndRecovery     = "end_recovery"
	actRecoverFile     = "recover_file"
	actRetryTasks      = "retry_tasks"
	actRedriveMessage  = "redrive_message"
	actRedriveMessages = "redrive_messages"
)

// operatorBatch is how many things one request of an operator changes at most.
const operatorBatch = 1000

// operators has the operations that only operators may call, except those of a recovery.
type operators struct{ operation.Base }

// Changed is how many things a request has changed.
type Changed struct {
	Count int64 `json:"count"`
	More  bool  `json:"more" doc:"The limit was reached and there may be more: repeat the request."`
}

func changedBy(done audit.Action) Changed { return Changed{done.Count, done.Count == operatorBatch} }

type changedOutput struct{ Body Changed }

// RetryFilter selects FAILED tasks of all owners; an empty filter selects all.
type RetryFilter struct {
	IDs            []uuid.UUID `json:"ids,omitempty" format:"uuid" maxItems:"1000"`
	Owner          string      `json:"owner,omitempty" pattern:"^[^\\x00]*$"`
	ErrorCode      string      `json:"error_code,omitempty" pattern:"^[a-z_]*$"`
	FinishedAfter  *time.Time  `json:"finished_after,omitempty"`
	FinishedBefore *time.Time  `json:"finished_before,omitempty"`
}

// retryTasks retries the FAILED tasks that the filter selects, a thousand at most.
func (o *operators) retryTasks(ctx context.Context, in *struct{ Body RetryFilter }) (*changedOutput, error) {
	var messages []postgres.OutboxMessage
	done, err := o.ActOnMany(ctx, task.NewID(), actRetryTasks, in.Body, func(ctx context.Context, tx postgres.Tx) (_ int64, err error) {
		messages, err = tx.RetryFailed(ctx, postgres.FailedFilter(in.Body), operatorBatch)
		return int64(len(messages)), err
	})
	if err != nil {
		return nil, err
	}
	for _, m := range messages {
		o.Nudge(m.ID)
	}
	return &changedOutput{changedBy(done)}, nil
}

// DeadLetter is a message that the queue has given up delivering.
type DeadLetter struct {
	ID             uuid.UUID  `json:"id" format:"uuid"`
	QueueMessageID string     `json:"queue_message_id"`
	TaskID         *uuid.UUID `json:"task_id" format:"uuid" nullable:"true" doc:"Null if the message names no task."`
	Text           string     `json:"text"`
	DequeueCount   int64      `json:"dequeue_count" doc:"How often it was received from the poison queue: usually once."`
	SeenAt         time.Time  `json:"seen_at"`
}

func (o *operators) getDeadLetters(ctx context.Context, in *export.ListInput) (*export.ListOutput[DeadLetter], error) {
	before, err := export.DecodeCursor(in.Cursor, "dead-letters", uuid.Max)
	if err != nil {
		return nil, err
	}
	found, more, err := o.DB.DeadLetters(ctx, before, in.PageSize())
	if err != nil {
		return nil, err
	}
	return export.AnswerPage(ctx, found, more, "dead-letters", func(l postgres.DeadLetter) uuid.UUID { return l.ID },
		func(l postgres.DeadLetter) DeadLetter { return DeadLetter(l) }), nil
}

// Action is something that a person did: to one thing, or to everything that a filter selected.
type Action struct {
	ID     uuid.UUID       `json:"id" format:"uuid"`
	At     time.Time       `json:"at"`
	Caller string          `json:"caller"`
	Action string          `json:"action" doc:"What was done, as one stable word."`
	Target *uuid.UUID      `json:"target,omitempty" format:"uuid" doc:"The file, task or message that the request named."`
	Filter json.RawMessage `json:"filter,omitempty" doc:"The filter, if the request named none."`
	Count  int64           `json:"count" doc:"How many things it changed."`
}

func (o *operators) getActions(ctx context.Context, in *export.ListInput) (*export.ListOutput[Action], error) {
	before, err := export.DecodeCursor(in.Cursor, "actions", uuid.Max)
	if err != nil {
		return nil, err
	}
	found, more, err := audit.List(ctx, o.DB, before, in.PageSize())
	if err != nil {
		return nil, err
	}
	return export.AnswerPage(ctx, found, more, "actions", func(a audit.Action) uuid.UUID { return a.ID },
		func(a audit.Action) Action {
			return Action{a.ID, a.At, a.Caller, a.Name, a.Target, a.Filter, a.Count}
		}), nil
}
