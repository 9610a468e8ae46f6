// Package history has the operation that tells the life of a task.
package history

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/taskhistory"
	"sheetdrop/internal/task"
	"sheetdrop/internal/why"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/problem"
)

// Declare adds the operation to an API.
func Declare(api huma.API, base operation.Base, t why.Timing) {
	h := &histories{base, t}
	op := operation.Get("get-task-history", "/tasks/{id}/history", "What happened to a task, what it waits for, and when it goes on")
	op.Description = "Also of a task whose file was deleted, as long as its row is kept. Texts are in the language of Accept-Language: " +
		"English or Japanese. The newest 50 attempts are kept."
	operation.Declare(base.Log, api, op, h.get, problem.NotFound, problem.NotOperator)
}

// histories has the operation.
type histories struct {
	operation.Base
	timing why.Timing
}

type input struct {
	ID       uuid.UUID `path:"id" format:"uuid"`
	All      bool      `query:"all" doc:"A task of any owner, with who did what; for operators."`
	Language string    `header:"Accept-Language" hidden:"true"`
}

type output struct {
	Language string `header:"Content-Language" hidden:"true"`
	Vary     string `header:"Vary" hidden:"true"`
	Body     TaskHistory
}

func (h *histories) get(ctx context.Context, in *input) (*output, error) {
	viewer := why.Viewer{Owner: caller.Of(ctx).Owner, Operator: in.All}
	if in.All {
		if err := h.MustOperate(ctx); err != nil {
			return nil, err
		}
	}
	found, err := taskhistory.Read(ctx, h.DB, in.ID)
	if err != nil {
		return nil, err
	}
	if !in.All && !found.IsOf(viewer.Owner) {
		return nil, postgres.ErrNotFound
	}
	japanese := problem.Japanese(in.Language)
	return &output{problem.LanguageTag(japanese), "Accept-Language", show(found, why.Explain(found, h.timing, viewer), japanese)}, nil
}

// TaskHistory is the life of a task.
type TaskHistory struct {
	TaskID uuid.UUID         `json:"task_id" format:"uuid"`
	FileID uuid.UUID         `json:"file_id" format:"uuid"`
	Status task.Status       `json:"status" enum:"PENDING,PROCESSING,COMPLETED,FAILED,CANCELLED"`
	Items  []TaskHistoryItem `json:"items" doc:"What happened, oldest first."`
	Now    TaskState         `json:"now"`
}

// TaskHistoryItem is something that happened to a task.
type TaskHistoryItem struct {
	At      time.Time `json:"at"`
	Kind    kind      `json:"kind" doc:"A stable word for what happened."`
	Text    string    `json:"text" doc:"The same for people, in the language of Accept-Language."`
	Attempt int       `json:"attempt,omitempty" doc:"The attempt that began or ended."`
	Reason  string    `json:"reason,omitempty" doc:"Why an attempt ended, or the task FAILED: a stable word."`
	Counted bool      `json:"counted,omitempty" doc:"The attempt counts against the limit of 5."`
	Count   int64     `json:"count,omitempty" doc:"Rows of completed, messages of message_renewed, attempts of webhook_waiting, the number of a load."`
	By      why.By    `json:"by,omitempty" enum:"owner,operator" doc:"Who did it."`
	Caller  string    `json:"caller,omitempty" doc:"Who exactly; with all=true alone."`
}

// TaskState is where a task stands.
type TaskState struct {
	Code       code       `json:"code" doc:"A stable word for what the task waits for, or for how it has ended."`
	Text       string     `json:"text" doc:"The same for people, in the language of Accept-Language."`
	Since      time.Time  `json:"since"`
	NextAt     *time.Time `json:"next_at,omitempty" doc:"When the next thing happens by itself, at the latest; missing if that is not known."`
	ByItself   bool       `json:"by_itself" doc:"False if somebody has to act."`
	Reason     string     `json:"reason,omitempty" doc:"Why the last attempt ended, or the task FAILED: a stable word."`
	Ahead      int64      `json:"ahead,omitempty" doc:"How many tasks go before this one; 1,000 is 1,000 or more."`
	WaitingFor *uuid.UUID `json:"waiting_for,omitempty" format:"uuid" doc:"The first of them, if it is the caller's."`
	NextStep   *NextStep  `json:"next_step,omitempty"`
}

// NextStep is what somebody can do, or has to.
type NextStep struct {
	Who     why.By `json:"who" enum:"owner,operator"`
	Text    string `json:"text" doc:"In the language of Accept-Language."`
	Command string `json:"command,omitempty" doc:"Of the command line; missing if there is none for it."`
}

type kind why.Kind

// Schema describes the kinds in the OpenAPI document.
func (kind) Schema(huma.Registry) *huma.Schema { return oneOf(why.Kinds) }

type code why.Code

// Schema describes the codes in the OpenAPI document.
func (code) Schema(huma.Registry) *huma.Schema { return oneOf(why.Codes) }

func oneOf[T any](values []T) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, v := range values {
		s.Enum = append(s.Enum, v)
	}
	return s
}

func show(s why.Snapshot, e why.Explanation, japanese bool) TaskHistory {
	shown := TaskHistory{
		TaskID: s.TaskID, FileID: s.FileID, Status: s.Status, Items: make([]TaskHistoryItem, len(e.Items)), Now: showState(e.State, japanese),
	}
	for i, item := range e.Items {
		shown.Items[i] = TaskHistoryItem{
			At: item.At, Kind: kind(item.Kind), Text: item.Text(japanese), Attempt: item.Attempt, Reason: item.Reason, Counted: item.Counted,
			Count: item.Count, By: item.By, Caller: item.Caller,
		}
	}
	return shown
}

func showState(s why.State, japanese bool) TaskState {
	shown := TaskState{
		Code: code(s.Code), Text: s.Text(japanese), Since: s.Since, NextAt: s.NextAt, ByItself: s.ByItself, Reason: s.Reason,
		Ahead: s.Ahead, WaitingFor: s.WaitingFor,
	}
	if s.Step != nil {
		shown.NextStep = &NextStep{s.Step.Who, s.StepText(japanese), s.Step.Command}
	}
	return shown
}
