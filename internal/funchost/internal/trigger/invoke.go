package trigger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"

	"github.com/google/uuid"

	"sheetdrop/internal/funchost/internal/app"
	"sheetdrop/internal/funchost/internal/worker"
)

// Caller calls functions of the handler with envelopes.
type Caller struct {
	Options  app.Options
	Log      *slog.Logger
	Traced   bool // calls get a traceparent
	Gate     *worker.Gate
	Endpoint func(context.Context) (*worker.Endpoint, error) // waits for a ready handler
}

// Invoke calls a function and returns nil only for the answer that the real host takes as a success: 2xx with a JSON object. A
// call that finds no handler waits for one. calls ends when running calls are cut off.
func (c Caller) Invoke(calls context.Context, name string, body Envelope) error {
	id := uuid.NewString()
	log := c.Log.With("function", name, "invocation_id", id)
	e, err := c.Endpoint(calls)
	if err != nil {
		return err
	}
	ctx, cancel := c.Options.WithFunctionTimeout(calls)
	defer cancel()
	logs, err := c.post(ctx, e, name, id, body)
	if errors.Is(context.Cause(ctx), app.ErrFunctionTimeout) {
		log.Error("Timeout value exceeded by function. Initiating cancellation.", "timeout", c.Options.FunctionTimeout)
		c.Gate.Replace(e)
		err = app.ErrFunctionTimeout
	}
	for _, line := range logs {
		log.Info("function log", "line", line)
	}
	if err != nil {
		log.Error("the invocation failed", "error", err)
	}
	return err
}

// post sends an envelope and reads the answer: the function's log lines, or why it failed.
func (c Caller) post(ctx context.Context, e *worker.Endpoint, name, id string, body Envelope) ([]string, error) {
	content, err := encodeJSON(body)
	if err != nil {
		return nil, err
	}
	address := e.URL.JoinPath(name).String()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	request.ContentLength = -1 // chunked
	request.Header.Set("Content-Type", "application/json; charset=utf-8")
	request.Header.Set("User-Agent", "Azure-Functions-Host/"+worker.HostVersion)
	request.Header.Set("X-Azure-Functions-InvocationId", id)
	request.Header.Set("X-Azure-Functions-HostVersion", worker.HostVersion)
	if c.Traced {
		worker.AddTraceParent(request.Header)
	}
	client := http.Client{Transport: e.Calls} // follows redirects, as the real host does here
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return readAnswer(ctx, answer)
}

// readAnswer judges the handler's answer. An answer without content settles nothing: the invocation then lasts until
// ctx ends.
func readAnswer(ctx context.Context, answer *http.Response) ([]string, error) {
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode/100 != 2 {
		return nil, fmt.Errorf("the handler answered %s", answer.Status)
	}
	mediaType, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	isJSON := mediaType == "application/json" || mediaType == "text/json"
	if len(content) == 0 || (isJSON && string(bytes.TrimSpace(content)) == "null") {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	if !isJSON {
		return nil, fmt.Errorf("invalid HttpResponseMessage: content type %q is not JSON", answer.Header.Get("Content-Type"))
	}
	var result struct {
		Outputs     map[string]any `json:"Outputs"`
		Logs        []string       `json:"Logs"`
		ReturnValue any            `json:"ReturnValue"`
	}
	if err := json.Unmarshal(content, &result); err != nil {
		return nil, fmt.Errorf("invalid HttpResponseMessage: %w", err)
	}
	return result.Logs, nil
}
