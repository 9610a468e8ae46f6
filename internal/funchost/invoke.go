package funchost

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"github.com/google/uuid"
)

// hostVersion is the host whose behaviour this package follows; the handler sees it in a header.
const hostVersion = "4.1052.200"

// invoke calls a function of the handler with an envelope and returns nil only for the answer that the real host takes
// as a success: 2xx with a JSON object. A call that finds no handler waits for one, until it is cut off.
func (l *life) invoke(name string, body envelope) error {
	id := uuid.NewString()
	h := l.host
	log := h.config.Logger.With("function", name, "invocation_id", id)
	e, err := h.endpoint(l.calls)
	if err != nil {
		return err
	}
	ctx, cancel := h.options.withFunctionTimeout(l.calls)
	defer cancel()
	logs, err := h.post(ctx, e, name, id, body)
	if errors.Is(context.Cause(ctx), errFunctionTimeout) {
		log.Error("Timeout value exceeded by function. Initiating cancellation.", "timeout", h.options.functionTimeout)
		h.gate.replace(e)
		err = errFunctionTimeout
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
func (h *Host) post(ctx context.Context, e *endpoint, name, id string, body envelope) ([]string, error) {
	content, err := encodeJSON(body)
	if err != nil {
		return nil, err
	}
	address := e.url.JoinPath(name).String()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	request.ContentLength = -1 // chunked
	request.Header.Set("Content-Type", "application/json; charset=utf-8")
	request.Header.Set("User-Agent", "Azure-Functions-Host/"+hostVersion)
	request.Header.Set("X-Azure-Functions-InvocationId", id)
	request.Header.Set("X-Azure-Functions-HostVersion", hostVersion)
	if h.config.traced() {
		addTraceParent(request.Header)
	}
	client := http.Client{Transport: e.calls} // follows redirects, as the real host does here
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
