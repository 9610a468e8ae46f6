package upload

import (
	"context"
	"encoding/json"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// operatorBatch is how many things one request of an operator changes at most.
const operatorBatch = 1000

// needOperator lets operators in and nobody else.
func (h *Handler) needOperator(ctx huma.Context, next func(huma.Context)) {
	if err := h.mustOperate(ctx.Context()); err != nil {
		r, w := humago.Unwrap(ctx)
		h.writeProblem(w, r, err)
		return
	}
	next(ctx)
}

// mustOperate lets operators go on, and writes into the log which of them asks for what, before it is answered: what they get to see is other
// people's. What they change is recorded in the database besides (see act).
func (h *Handler) mustOperate(ctx context.Context) error {
	c := callingOf(ctx)
	if !c.Operator {
		return problem(NotOperator, "This is for operators.")
	}
	h.log.InfoContext(ctx, "operator_access", "caller", c.Owner, "method", c.method, "path", c.url.Path, "query", c.url.RawQuery,
		"invocation", h.invocationID(ctx))
	return nil
}

// Changed says how many things a request has changed.
type Changed struct {
	Count int64 `json:"count"`
	More  bool  `json:"more" doc:"There may be more: ask again."`
}

func changedBy(done postgres.Action) Changed { return Changed{done.Count, done.Count == operatorBatch} }

type changedOutput struct{ Body Changed }

// RetryFilter chooses FAILED tasks, of all owners; an empty one chooses all.
type RetryFilter struct {
	IDs            []uuid.UUID `json:"ids,omitempty" format:"uuid" maxItems:"1000"`
	Owner          string      `json:"owner,omitempty" pattern:"^[^\\x00]*$"`
	ErrorCode      string      `json:"error_code,omitempty" pattern:"^[a-z_]*$"`
	FinishedAfter  *time.Time  `json:"finished_after,omitempty"`
	FinishedBefore *time.Time  `json:"finished_before,omitempty"`
}

// retryTasks retries the FAILED tasks that the filter finds, a thousand at most.
func (h *Handler) retryTasks(ctx context.Context, in *struct{ Body RetryFilter }) (*changedOutput, error) {
	var messages []postgres.OutboxMessage
	done, err := h.actOnMany(ctx, task.NewID(), actRetryTasks, in.Body, func(ctx context.Context, tx postgres.Tx) (_ int64, err error) {
		messages, err = tx.RetryFailed(ctx, postgres.FailedFilter(in.Body), operatorBatch)
		return int64(len(messages)), err
	})
	if err != nil {
		return nil, err
	}
	for _, m := range messages {
		h.nudge(m.ID)
	}
	return &changedOutput{changedBy(done)}, nil
}

// DeadLetter is a message that the queue has given up delivering.
type DeadLetter struct {
	ID             uuid.UUID  `json:"id" format:"uuid"`
	QueueMessageID string     `json:"queue_message_id"`
	TaskID         *uuid.UUID `json:"task_id" format:"uuid" nullable:"true" doc:"Null where the text names none."`
	Text           string     `json:"text"`
	DequeueCount   int64      `json:"dequeue_count"`
	SeenAt         time.Time  `json:"seen_at"`
}

func (h *Handler) getDeadLetters(ctx context.Context, in *ListInput) (*listOutput[DeadLetter], error) {
	before, err := decodeCursor(in.Cursor, "dead-letters", uuid.Max)
	if err != nil {
		return nil, err
	}
	found, more, err := h.db.DeadLetters(ctx, before, in.limit())
	if err != nil {
		return nil, err
	}
	return answerPage(found, more, "dead-letters", func(l postgres.DeadLetter) uuid.UUID { return l.ID },
		func(l postgres.DeadLetter) DeadLetter { return DeadLetter(l) }), nil
}

// Action is what somebody did: to one thing, or to all that a filter found.
type Action struct {
	ID     uuid.UUID       `json:"id" format:"uuid"`
	At     time.Time       `json:"at"`
	Caller string          `json:"caller"`
	Action string          `json:"action" doc:"In one word."`
	Target *uuid.UUID      `json:"target,omitempty" format:"uuid" doc:"The file, task or message that was named."`
	Filter json.RawMessage `json:"filter,omitempty" doc:"The filter, where none was named."`
	Count  int64           `json:"count" doc:"How many things it changed."`
}

func (h *Handler) getActions(ctx context.Context, in *ListInput) (*listOutput[Action], error) {
	before, err := decodeCursor(in.Cursor, "actions", uuid.Max)
	if err != nil {
		return nil, err
	}
	found, more, err := h.db.Actions(ctx, before, in.limit())
	if err != nil {
		return nil, err
	}
	return answerPage(found, more, "actions", func(a postgres.Action) uuid.UUID { return a.ID },
		func(a postgres.Action) Action {
			return Action{a.ID, a.At, a.Caller, a.Name, a.Target, a.Filter, a.Count}
		}), nil
}
