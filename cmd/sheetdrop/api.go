package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
)

// api is sheetdrop's HTTP API at an address that ends in /api. The shapes hold what is shown here; the API has more.
type api struct {
	url   string
	token string // of whom the platform in front knows; "" where nobody asks
}

// problem is how the API says no (RFC 9457).
type problem struct {
	Status int
	Code   string
	Detail string
	Errors []struct{ Location, Message string }
}

func (p *problem) Error() string {
	var text strings.Builder
	text.WriteString(p.Detail)
	for _, e := range p.Errors {
		fmt.Fprintf(&text, " %s: %s", e.Location, e.Message)
	}
	return fmt.Sprintf("%s (%s)", text.String(), p.Code)
}

type parseTask struct {
	ID       string
	Status   task.Status
	Progress task.Progress
	Summary  *task.Summary
	Error    *struct {
		Code, Message string
		MessageJA     string `json:"message_ja"`
	}
}

type sheetFacts struct {
	Number   int
	Name     string
	Visible  bool
	Columns  []sheet.Column
	Warnings []sheet.Warning
	task.Counts
}

type rowPage struct {
	Columns []rowColumn
	Rows    [][]any
}

// rowColumn is a column of a page; its type may be unknown.
type rowColumn struct{ Name, Type string }

type reject struct {
	Line       *int64
	RowNo      int64   `json:"row_no"`
	CellRef    *string `json:"cell_ref"`
	ColumnName *string `json:"column_name"`
	Code       string
	Message    string
	MessageJA  string     `json:"message_ja"`
	Errors     []struct{} // one for each reason, where the record is one reject
}

// upload sends a file of so many bytes and returns the task that will parse it.
func (a api) upload(ctx context.Context, name string, body io.Reader, size int64) (parseTask, error) {
	var accepted struct{ Task parseTask }
	err := a.do(ctx, http.MethodPost, "/files?name="+url.QueryEscape(name), body, size, &accepted)
	return accepted.Task, err
}

// task returns a task as it is when it has ended, or after that time.
func (a api) task(ctx context.Context, id string, wait time.Duration) (t parseTask, err error) {
	return t, a.get(ctx, "/tasks/"+id+"?wait="+wait.String(), &t)
}

func (a api) sheets(ctx context.Context, taskID string) ([]sheetFacts, error) {
	var all []sheetFacts
	for path := "/tasks/" + taskID + "/sheets"; ; {
		var list struct {
			Items []sheetFacts
			Next  *string
		}
		if err := a.get(ctx, path, &list); err != nil {
			return nil, err
		}
		if all = append(all, list.Items...); list.Next == nil {
			return all, nil
		}
		path = "/tasks/" + taskID + "/sheets?cursor=" + url.QueryEscape(*list.Next)
	}
}

// rows returns the first rows of a sheet.
func (a api) rows(ctx context.Context, taskID string, sheet, limit int) (page rowPage, err error) {
	return page, a.get(ctx, fmt.Sprintf("/tasks/%s/sheets/%d/rows?limit=%d", taskID, sheet, limit), &page)
}

// rejects returns the first rejects of a sheet.
func (a api) rejects(ctx context.Context, taskID string, sheet, limit int) ([]reject, error) {
	var list struct{ Items []reject }
	return list.Items, a.get(ctx, fmt.Sprintf("/tasks/%s/sheets/%d/rejects?limit=%d", taskID, sheet, limit), &list)
}

// maxUploadBytes returns how large a file may be, or 0 where the service does not say.
func (a api) maxUploadBytes(ctx context.Context) int64 {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var health struct {
		MaxUploadBytes int64 `json:"max_upload_bytes"`
	}
	if a.get(ctx, "/health", &health) != nil {
		return 0 // the upload says what is wrong
	}
	return health.MaxUploadBytes
}

// ready returns nil once the service has all that it needs.
func (a api) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return a.get(ctx, "/ready", &struct{}{})
}

func (a api) get(ctx context.Context, path string, into any) error {
	return a.do(ctx, http.MethodGet, path, nil, 0, into)
}

// post sends JSON.
func (a api) post(ctx context.Context, path string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return a.send(ctx, http.MethodPost, path, "application/json", bytes.NewReader(text), int64(len(text)), into)
}

func (a api) do(ctx context.Context, method, path string, body io.Reader, size int64, into any) error {
	return a.send(ctx, method, path, "application/octet-stream", body, size, into)
}

func (a api) send(ctx context.Context, method, path, contentType string, body io.Reader, size int64, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, a.url+path, body)
	if err != nil {
		return err
	}
	if body != nil {
		request.ContentLength = size
		request.Header.Set("Content-Type", contentType)
	}
	if a.token != "" {
		request.Header.Set("Authorization", "Bearer "+a.token)
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= http.StatusMultipleChoices {
		return problemOf(response)
	}
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber() // a number is shown as it was sent
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("the answer of %s cannot be read: %w", request.URL.Path, err)
	}
	return nil
}

// client follows nobody: the API sends nobody on, and a page to sign in at is no answer.
var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func problemOf(response *http.Response) error {
	if response.StatusCode == http.StatusFound || response.StatusCode == http.StatusUnauthorized {
		return fmt.Errorf("the server wants to know who calls: put a token for it into %s (%s)", tokenVariable, response.Status)
	}
	p := &problem{}
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<16))
	if err != nil || json.Unmarshal(text, p) != nil || p.Code == "" {
		return errors.New("the server answers " + strconv.Quote(response.Status))
	}
	return p
}
