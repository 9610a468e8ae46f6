package upload

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/google/uuid"

	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/watch"
)

// getEventsInput names the tasks of a stream.
type getEventsInput struct {
	Tasks       taskIDs `query:"task" required:"true" doc:"The ids of the tasks, with commas between them; 50 at most."`
	LastEventID string  `header:"Last-Event-ID" doc:"The id of the last event that was received; browsers send it by themselves."`
}

// taskIDs are several ids in one parameter.
type taskIDs struct{ ids []uuid.UUID }

// UnmarshalText parses ids with commas between them.
func (t *taskIDs) UnmarshalText(text []byte) error {
	if n := strings.Count(string(text), ",") + 1; n > watch.MaxTasks {
		return fmt.Errorf("%d ids; at most %d", n, watch.MaxTasks)
	}
	for name := range strings.SplitSeq(string(text), ",") {
		id, err := uuid.Parse(name)
		if err != nil {
			return err
		}
		t.ids = append(t.ids, id)
	}
	return nil
}

// Schema describes the parameter in the OpenAPI document.
func (taskIDs) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Examples: []any{"0192f0c1-0000-7000-8000-000000000001,0192f0c1-0000-7000-8000-000000000002"}}
}

// declareEvents declares the stream. It is an operation of its own, and no form of get-task, because one stream has to do
// for all tasks of a page: a browser opens six connections to a server at most.
func (h *Handler) declareEvents(api huma.API) {
	waiting := huma.NewGroup(api)
	waiting.UseMiddleware(h.needWaitingPlace)
	operation.SchemaOf[watch.TaskEvent](api) // it is in no response of JSON
	op := streamed(operation.Get("get-events", "/events", "What becomes of tasks, as server-sent events"), watch.MediaType, &huma.Schema{
		Type: huma.TypeString,
		Description: "task: the state of a task, a TaskEvent; of each task at the beginning, then whenever it has changed. gone: the id of a " +
			"task whose file has been deleted. end: all tasks have ended; it is the last event.",
	})
	op.Description = "A stream that does not end with the event end is over after 25 seconds, so that it outlasts neither the host nor a " +
		"proxy. Its client goes on with another one and Last-Event-ID, as EventSource does; nothing is lost, since each event has a whole state."
	op.Responses[strconv.Itoa(http.StatusNoContent)] = &huma.Response{
		Description: "All tasks have ended and, by its Last-Event-ID, the client knows: there is nothing to come back for.",
	}
	declare(h, waiting, op, h.getEvents, problem.NotFound, problem.Busy, problem.TooManyAtOnce)
}

// getEvents streams the states of tasks.
func (h *Handler) getEvents(ctx context.Context, in *getEventsInput) (*huma.StreamResponse, error) {
	stream, err := h.watcher.Open(ctx, caller.Of(ctx).Owner, in.Tasks.ids, in.LastEventID)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		defer stream.Close()
		r, w := humago.Unwrap(c)
		stream.Serve(w, r)
	}}, nil
}

// needWaitingPlace is middleware that serves a request if there is a place for one more that waits for tasks. A stream
// costs what a request with wait costs, which is little beside a long response.
func (h *Handler) needWaitingPlace(ctx huma.Context, next func(huma.Context)) {
	release, err := h.waiting.take(ctx.Context(), caller.Of(ctx.Context()).Owner, 0)
	if err != nil {
		r, w := humago.Unwrap(ctx)
		problem.Write(w, r, h.log, err)
		return
	}
	defer release()
	next(ctx)
}
