package upload

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// OptionsInput takes parse options from the query. The operation reads them itself, with codes of its own.
type OptionsInput struct{ request *http.Request }

// Resolve is called by huma before the operation.
func (in *OptionsInput) Resolve(ctx huma.Context) []error {
	in.request, _ = humago.Unwrap(ctx)
	return nil
}

// options gives the parse options of the query, nil where there are none.
func (in *OptionsInput) options() (json.RawMessage, error) {
	query, err := readQuery(in.request)
	if err != nil || len(query) == 0 {
		return nil, err
	}
	return parseOptions(query)
}

// readQuery reads the whole query: huma and package url drop what has a semicolon, which declared columns have.
func readQuery(r *http.Request) (url.Values, error) {
	raw := r.URL.RawQuery
	if len(raw) > maxFieldBytes {
		return nil, problem(InvalidParameter, "The query is longer than %d bytes.", maxFieldBytes)
	}
	query, err := url.ParseQuery(strings.ReplaceAll(raw, ";", "%3B"))
	if err != nil {
		return nil, problem(InvalidParameter, "The query cannot be read.").because(err)
	}
	return query, nil
}

type postTaskInput struct {
	FileInput
	OptionsInput
}

type postTaskOutput struct {
	Location string `header:"Location" doc:"The task's path."`
	Body     Task
}

// postTask parses a file once more. What its other tasks found stays as it is.
func (h *Handler) postTask(ctx context.Context, in *postTaskInput) (*postTaskOutput, error) {
	options, err := in.options()
	if err != nil {
		return nil, err
	}
	taskID := task.NewID()
	message := postgres.NewParseMessage(task.NewID(), taskID)
	owner := callerOf(ctx).Owner
	made, err := h.actOn(ctx, taskID, actParseAgain, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		if _, err := tx.LockFile(ctx, owner, in.ID); err != nil {
			return err
		}
		if err := needNoOpenTask(ctx, tx, in.ID, taskID); err != nil {
			return err
		}
		if err := tx.InsertTasks(ctx, []postgres.NewTask{{FileID: in.ID, Options: options, Message: message}}); err != nil {
			return err
		}
		return h.countUsage(ctx, tx, postgres.Usage{Tasks: 1})
	})
	if err != nil {
		return nil, err
	}
	h.nudge(message.ID)
	found, err := h.db.Task(ctx, owner, made)
	if err != nil {
		return nil, err
	}
	return &postTaskOutput{fmt.Sprintf("/api/tasks/%s", made), showTask(found)}, nil
}
