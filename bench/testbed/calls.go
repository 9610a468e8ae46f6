package testbed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/task"
)

// Client keeps as many connections to a host as there are calls at once.
var Client = &http.Client{Transport: &http.Transport{MaxIdleConns: 200, MaxIdleConnsPerHost: 100}}

// Accepted is what an upload was answered.
type Accepted struct {
	Task struct {
		ID     uuid.UUID `json:"id"`
		FileID uuid.UUID `json:"file_id"`
	} `json:"task"`
}

// Upload posts a file.
func (p *Program) Upload(ctx context.Context, name string, content io.Reader) (accepted Accepted, err error) {
	err = p.do(ctx, http.MethodPost, "/api/files?name="+name, "application/octet-stream", content, http.StatusAccepted, &accepted)
	return accepted, err
}

// UploadRetrying posts a file again, as clients do, while the server has as many uploads as it takes.
func (p *Program) UploadRetrying(ctx context.Context, name string, content func() io.Reader) (accepted Accepted, err error) {
	err = Await(ctx, 50*time.Millisecond, func() (bool, error) {
		var err error
		accepted, err = p.Upload(ctx, name, content())
		refused, ok := errors.AsType[*RefusedError](err)
		if ok && (refused.Status == http.StatusServiceUnavailable || refused.Status == http.StatusTooManyRequests) {
			return false, nil
		}
		return err == nil, err
	})
	return accepted, err
}

// ParseAgain asks for one more task of a file that has been uploaded.
func (p *Program) ParseAgain(ctx context.Context, file uuid.UUID) (uuid.UUID, error) {
	var made struct {
		ID uuid.UUID `json:"id"`
	}
	path := "/api/files/" + file.String() + "/tasks"
	err := p.do(ctx, http.MethodPost, path, "application/json", strings.NewReader("{}"), http.StatusAccepted, &made)
	return made.ID, err
}

// Await waits for a task's end, as clients do, and returns its status.
func (p *Program) Await(ctx context.Context, id uuid.UUID) (string, error) {
	for {
		var found struct {
			Status string `json:"status"`
		}
		if err := p.do(ctx, http.MethodGet, "/api/tasks/"+id.String()+"?wait=20s", "", http.NoBody, http.StatusOK, &found); err != nil {
			return "", err
		}
		switch found.Status {
		case "COMPLETED", "FAILED", "CANCELLED":
			return found.Status, nil
		}
	}
}

// Deliver calls the worker with a task's message, as a host does, and returns when the run has ended.
func (p *Program) Deliver(ctx context.Context, taskID uuid.UUID) error {
	message := task.ParseMessage{Version: 1, MessageID: task.NewID(), TaskID: taskID}.Encode()
	envelope, err := json.Marshal(map[string]any{"Data": map[string]json.RawMessage{"message": message}, "Metadata": map[string]any{}})
	if err != nil {
		return err
	}
	return p.do(ctx, http.MethodPost, "/parse-worker", "application/json", bytes.NewReader(envelope), http.StatusOK, nil)
}

// AddFile stores a file and commits its task as an upload does, but for the message, which the benchmark delivers.
func (a *App) AddFile(ctx context.Context, path string) (file, taskID uuid.UUID, err error) {
	content, err := os.Open(path)
	if err != nil {
		return file, taskID, err
	}
	defer content.Close()
	blobs, _, err := azure.Open(a.Storage)
	if err != nil {
		return file, taskID, err
	}
	file, taskID = task.NewID(), task.NewID()
	hashed := sha256.New()
	if err := blobs.Upload(ctx, file.String(), io.TeeReader(content, hashed)); err != nil {
		return file, taskID, err
	}
	info, err := content.Stat()
	if err != nil {
		return file, taskID, err
	}
	_, err = a.SQL.Exec(ctx, `with file as (
  insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no) values ($1, 'local', $2, '', $3, $4, $5, 1)
)
insert into sheetdrop.task (id, source_file_id, owner, options) values ($6, $1, 'local', '{}')`,
		file, filepath.Base(path), info.Size(), hashed.Sum(nil), file.String(), taskID)
	return file, taskID, err
}

// Complete delivers a task and looks that it is COMPLETED.
func (p *Program) Complete(ctx context.Context, taskID uuid.UUID) error {
	if err := p.Deliver(ctx, taskID); err != nil {
		return err
	}
	status, err := p.Await(ctx, taskID)
	if err == nil && status != "COMPLETED" {
		err = fmt.Errorf("task %s is %s", taskID, status)
	}
	return err
}

// RefusedError is an answer with another status than the one that was wanted.
type RefusedError struct {
	Status int
	text   string
}

func (e *RefusedError) Error() string { return e.text }

func (p *Program) do(ctx context.Context, method, path, mediaType string, body io.Reader, want int, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, p.URL+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", mediaType)
	response, err := Client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != want {
		return &RefusedError{response.StatusCode, fmt.Sprintf("%s %s: %s: %s", method, path, response.Status, text)}
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(text, into)
}

// The codings of an answer: as it is, or compressed, which Go's client asks for by itself, and undoes.
const (
	Plain      = "identity"
	Compressed = ""
)

// Get reads a whole answer in a coding, and returns how many lines and bytes it has when that is undone.
func (p *Program) Get(ctx context.Context, path, coding string) (lines, size int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL+path, http.NoBody)
	if err != nil {
		return 0, 0, err
	}
	if coding != Compressed {
		request.Header.Set("Accept-Encoding", coding)
	}
	response, err := Client.Do(request)
	if err != nil {
		return 0, 0, err
	}
	defer response.Body.Close()
	var counted LineCounter
	if _, err = io.CopyBuffer(&counted, response.Body, make([]byte, 256<<10)); err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: %s", path, response.Status)
	}
	return counted.Lines, counted.Bytes, err
}

// LineCounter counts what is written to it.
type LineCounter struct{ Lines, Bytes int }

func (c *LineCounter) Write(p []byte) (int, error) {
	c.Lines += bytes.Count(p, []byte("\n"))
	c.Bytes += len(p)
	return len(p), nil
}
