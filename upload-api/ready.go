package upload

import (
	"context"
	"errors"
	"sync"
	"time"

	"sheetdrop/internal/postgres"
	"sheetdrop/upload-api/internal/problem"
)

// readyTimeout is how long one part of the service may take to answer.
const readyTimeout = 5 * time.Second

type healthOutput struct {
	Body struct {
		Status         string `json:"status" enum:"ok"`
		MaxUploadBytes int64  `json:"max_upload_bytes" doc:"How large the body of an upload may be, in bytes."`
		MaxDirect      int64  `json:"max_direct_upload_bytes" doc:"How large a file of POST /uploads may be, in bytes; 0 where that is turned off."`
	}
}

// getHealth also tells how much an upload may send, to who asks before: on Azure nobody tells it afterwards.
func (h *Handler) getHealth(context.Context, *struct{}) (*healthOutput, error) {
	out := &healthOutput{}
	out.Body.Status, out.Body.MaxUploadBytes = "ok", h.settings.MaxBytes
	out.Body.MaxDirect = h.settings.Direct.MaxBytes
	return out, nil
}

type readyOutput struct {
	Body struct {
		Status string `json:"status" enum:"ready"`
	}
}

// getReady asks database, blob store and queue at once, and says in words which of them is missing.
func (h *Handler) getReady(ctx context.Context, _ *struct{}) (*readyOutput, error) {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	var schema, blobs, queue error
	var wg sync.WaitGroup
	wg.Go(func() { schema = h.databaseReady(ctx) })
	wg.Go(func() { blobs = h.blobs.Ready(ctx) })
	wg.Go(func() { queue = h.queue.Ready(ctx) })
	wg.Wait()

	if err := errors.Join(schema, blobs, queue); err != nil {
		return nil, notReady(schema, blobs, queue).Because(err)
	}
	out := &readyOutput{}
	out.Body.Status = "ready"
	return out, nil
}

// databaseReady also notices that the database is away once its schema is known to be good.
func (h *Handler) databaseReady(ctx context.Context) error {
	if err := h.db.SchemaReady(ctx); err != nil {
		return err
	}
	_, err := h.db.Now(ctx)
	return err
}

func notReady(schema, blobs, queue error) *problem.Problem {
	p := problem.New(problem.NotReady, "Not all that the server needs is there.")
	switch {
	case errors.Is(schema, postgres.ErrSchemaOld):
		p.Errors = append(p.Errors, problem.Fault{Location: "schema",
			Message: "The database's schema is older than this server needs. An operator has to run: sheetdrop migrate"})
	case schema != nil:
		p.Errors = append(p.Errors, problem.Fault{Location: "schema", Message: "The database does not answer."})
	}
	if blobs != nil {
		p.Errors = append(p.Errors, problem.Fault{Location: "blobs", Message: "The blob container does not answer, or is not there."})
	}
	if queue != nil {
		p.Errors = append(p.Errors, problem.Fault{Location: "queue", Message: "The queue does not answer, or is not there."})
	}
	return p
}
