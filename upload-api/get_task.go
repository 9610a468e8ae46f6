package upload

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"sheetdrop/internal/clock"
	"sheetdrop/internal/postgres/sheetview"
	"sheetdrop/internal/postgres/targetstore"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/response"
)

// maxWait stays well below the 230 s after which the platform's front end closes a silent request.
const maxWait = time.Minute

// maxWaits is how many requests of one process may wait for a task to end at once. Each polls the database twice a
// second.
const maxWaits = 256

// The pause between two polls of a task that a caller waits for is an eighth of the time waited so far, within these
// bounds: a short task is noticed at once, and a long one costs few queries.
const (
	firstPause = 50 * time.Millisecond
	maxPause   = 500 * time.Millisecond
)

type getTaskInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Wait wait      `query:"wait" doc:"Wait for the task to end before responding, for at most this long (such as 20s; at most 60s)."`
}

type taskOutput struct{ Body response.Task }

// wait is a duration in a query parameter.
type wait struct{ d time.Duration }

// UnmarshalText parses durations such as "20s" and "500ms".
func (w *wait) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return errors.New("expected a duration like 20s")
	}
	if d < 0 || d > maxWait {
		return fmt.Errorf("expected 0s to %s", maxWait)
	}
	w.d = d
	return nil
}

// Schema describes the parameter in the OpenAPI document.
func (wait) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Examples: []any{"20s"}}
}

// getTask returns a task, after waiting for its end if asked to.
func (t *tasks) getTask(ctx context.Context, in *getTaskInput) (*taskOutput, error) {
	found, err := t.DB.Task(ctx, caller.Of(ctx).Owner, in.ID)
	if err == nil && in.Wait.d > 0 && !found.Status.Terminal() {
		found, err = t.awaitEnd(ctx, found, in.Wait.d)
	}
	if err != nil {
		return nil, err
	}
	shown := response.OfTask(found)
	return &taskOutput{shown}, t.addSQL(ctx, shown)
}

// addSQL adds to each loaded sheet of a task how it can be read in SQL.
func (t *tasks) addSQL(ctx context.Context, shown response.Task) error {
	if shown.Summary == nil || shown.Summary.Undo != nil || shown.RowsDeletedAt != nil {
		return nil
	}
	if shown.Summary.Target != nil {
		name, err := targetstore.TableOf(ctx, t.DB, shown.ID)
		if name != "" {
			shown.Summary.Target.SQL = selectFrom(name)
		}
		return err
	}
	views, err := sheetview.OfTask(ctx, t.DB, shown.ID)
	if err != nil {
		return err
	}
	for i := range shown.Summary.Sheets {
		sheet := &shown.Summary.Sheets[i]
		if name, found := views[sheet.Number]; found {
			sheet.SQL = selectFrom(name)
		} else if sheet.RowsLoaded > 0 {
			sheet.MakeView = fmt.Sprintf("/api/tasks/%s/sheets/%d/view", shown.ID, sheet.Number)
		}
	}
	return nil
}

// awaitEnd returns the task once it has ended, or as it is after atMost. It polls the database and holds no connection
// between polls.
func (t *tasks) awaitEnd(ctx context.Context, found task.Task, atMost time.Duration) (task.Task, error) {
	owner := caller.Of(ctx).Owner
	release, err := t.waiting.take(ctx, owner, 0)
	if err != nil {
		return found, err
	}
	defer release()
	end := time.NewTimer(atMost)
	defer end.Stop()
	for elapsed := clock.Start(); err == nil && !found.Status.Terminal(); {
		pause := min(max(elapsed()/8, firstPause), maxPause)
		select {
		case <-end.C:
			return found, nil
		case <-ctx.Done():
			return found, ctx.Err()
		case <-time.After(pause):
			found, err = t.DB.Task(ctx, owner, found.ID)
		}
	}
	return found, err
}
