package upload

import (
	"context"
	"errors"
	"sync"
	"time"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
	"sheetdrop/upload-api/internal/problem"
)

// readyTimeout is how long one part of the service may take to answer.
const readyTimeout = 5 * time.Second

type healthOutput struct {
	Body struct {
		Status         string `json:"status" enum:"ok"`
		MaxUploadBytes int64  `json:"max_upload_bytes" doc:"The largest body of an upload, in bytes."`
		MaxDirect      int64  `json:"max_direct_upload_bytes" doc:"The largest file of POST /uploads, in bytes; 0 if such uploads are turned off."`
		MaxPreview     int64  `json:"max_preview_bytes" doc:"The most bytes of a body that a preview reads; 0 if previews are turned off."`
	}
}

// state answers whether the server, and what it depends on, can serve.
type state struct {
	db       *postgres.DB
	blobs    *azure.Blobs
	queue    *azure.Queue
	settings Settings
}

// getHealth also returns the size limit of uploads, for callers that ask first: on Azure, the host's answer to a larger
// body does not name it.
func (s *state) getHealth(context.Context, *struct{}) (*healthOutput, error) {
	out := &healthOutput{}
	out.Body.Status, out.Body.MaxUploadBytes = "ok", s.settings.MaxBytes
	out.Body.MaxDirect = s.settings.Direct.MaxBytes
	out.Body.MaxPreview = min(s.settings.Preview.MaxBytes, s.settings.MaxBytes)
	return out, nil
}

type readyOutput struct {
	Body struct {
		Status string `json:"status" enum:"ready"`
	}
}

// getReady checks database, blob store and queue at once, and says which of them is not ready.
func (s *state) getReady(ctx context.Context, _ *struct{}) (*readyOutput, error) {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	var schema, blobs, queue error
	var wg sync.WaitGroup
	wg.Go(func() { schema = s.databaseReady(ctx) })
	wg.Go(func() { blobs = s.blobs.Ready(ctx) })
	wg.Go(func() { queue = s.queue.Ready(ctx) })
	wg.Wait()

	if err := errors.Join(schema, blobs, queue); err != nil {
		return nil, notReady(schema, blobs, queue).Because(err)
	}
	out := &readyOutput{}
	out.Body.Status = "ready"
	return out, nil
}

// databaseReady also notices that the database is unavailable after its schema was found to be current.
func (s *state) databaseReady(ctx context.Context) error {
	if err := s.db.SchemaReady(ctx); err != nil {
		return err
	}
	_, err := s.db.Now(ctx)
	return err
}

func notReady(schema, blobs, queue error) *problem.Problem {
	p := problem.New(problem.NotReady, "A service that the server depends on is not ready.")
	switch {
	case errors.Is(schema, postgres.ErrSchemaOld):
		p.Errors = append(p.Errors, problem.Fault{Location: "schema",
			Message: "The database's schema is older than this server needs. An operator has to run: sheetdrop migrate"})
	case schema != nil:
		p.Errors = append(p.Errors, problem.Fault{Location: "schema", Message: "The database does not answer."})
	}
	if blobs != nil {
		p.Errors = append(p.Errors, problem.Fault{Location: "blobs", Message: "The blob container does not answer or does not exist."})
	}
	if queue != nil {
		p.Errors = append(p.Errors, problem.Fault{Location: "queue", Message: "The queue does not answer or does not exist."})
	}
	return p
}
