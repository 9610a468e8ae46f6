// Package response has what several operations respond with: files, tasks, and how columns were matched.
package response

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/target"
	"sheetdrop/internal/task"
)

// File is an uploaded file in responses.
type File struct {
	ID        uuid.UUID `json:"id" format:"uuid"`
	Name      string    `json:"name" doc:"The name as sent, in Unicode NFC."`
	MediaType string    `json:"media_type" doc:"The Content-Type as sent; it has no effect."`
	SizeBytes int64     `json:"size_bytes"`
	SHA256    string    `json:"sha256,omitempty" pattern:"^[0-9a-f]{64}$" doc:"Of a direct upload once a worker has read it to its end."`
	CreatedAt time.Time `json:"created_at"`
}

// Task is one parsing of a file in responses.
type Task struct {
	ID         uuid.UUID       `json:"id" format:"uuid"`
	FileID     uuid.UUID       `json:"file_id" format:"uuid"`
	FileName   string          `json:"file_name"`
	Status     task.Status     `json:"status" enum:"PENDING,PROCESSING,COMPLETED,FAILED,CANCELLED"`
	Attempt    int             `json:"attempt" doc:"How many times a worker has started to run the task."`
	Options    json.RawMessage `json:"options,omitempty" doc:"The parse options of the request; the response to a form has them once, for all files."`
	Progress   task.Progress   `json:"progress"`
	Summary    *Summary        `json:"summary,omitempty" doc:"Present once the task is COMPLETED."`
	Error      *TaskError      `json:"error,omitempty" doc:"Present once the task is FAILED."`
	CreatedAt  time.Time       `json:"created_at"`
	StartedAt  *time.Time      `json:"started_at,omitempty"`
	FinishedAt *time.Time      `json:"finished_at,omitempty"`

	RowsDeletedAt *time.Time   `json:"rows_deleted_at,omitempty" doc:"When the task's sheets, rows and rejects were deleted."`
	Mapping       *TaskMapping `json:"mapping,omitempty" doc:"Of a FAILED task into a target: how its file's columns were matched, as far as they were."`
	WaitingFor    *uuid.UUID   `json:"waiting_for,omitempty" format:"uuid" doc:"The task of the same target that has to end before this one begins."`
}

// TaskMapping is how the columns of a file were matched to a target's.
type TaskMapping struct {
	Columns []HeaderMatch `json:"columns" doc:"In the order of the file."`
	Missing []string      `json:"missing" doc:"Columns of the target that no header was matched to."`
}

// HeaderMatch is what became of one header.
type HeaderMatch struct {
	Header      string      `json:"header"`
	ColumnNo    int         `json:"column_no" doc:"Of the file, from 1."`
	Column      *string     `json:"column" nullable:"true" doc:"Of the target; null: none."`
	Format      string      `json:"format,omitempty" doc:"As which its cells are read; missing: as found in the file."`
	Rule        target.Rule `json:"rule,omitempty" enum:"request,remembered,name,folded,synonym" doc:"By what it was matched, or left out on purpose; missing if nobody has set it."`
	Suggestions []string    `json:"suggestions,omitempty" doc:"Columns that it resembles. They are never used by themselves."`
	Formats     []string    `json:"formats,omitempty" doc:"Of a sheet that was read: the formats of which one has to be chosen, because its cells can be read in several ways."`

	Confidence *float64          `json:"confidence,omitempty" minimum:"0" maximum:"1" doc:"Of match: how far the rule, and in a sheet that was read the values, speak for the column."`
	Candidates []ColumnCandidate `json:"candidates,omitempty" doc:"Of match: the suggestions, with how likely each is."`
}

// ColumnCandidate is a column that a header resembles.
type ColumnCandidate struct {
	Column     string  `json:"column"`
	Confidence float64 `json:"confidence" minimum:"0" maximum:"1" doc:"Those of a header are 1 at most, together."`
}

// NewTask is the response to a request that has made a task.
type NewTask struct {
	Location string `header:"Location" doc:"The task's path."`
	Body     Task
}

// OfNewTask returns the response to a request that has made a task.
func OfNewTask(t task.Task) *NewTask {
	return &NewTask{fmt.Sprintf("/api/tasks/%s", t.ID), OfTask(t)}
}

// Summary is the result of a completed task in responses.
type Summary struct {
	task.Counts
	Sheets []SheetSummary    `json:"sheets"`
	Target *TargetSummary    `json:"target,omitempty" doc:"Of a task that loads into a target."`
	Undo   *task.UndoSummary `json:"undo,omitempty" doc:"Of a task that takes a load back."`
}

// TargetSummary is what a load has done with the rows of a target.
type TargetSummary struct {
	task.TargetSummary
	SQL string `json:"sql,omitempty" doc:"The statement that reads the target's table in PostgreSQL; only in the response to one task."`
}

// SheetSummary is the part of a Summary for one sheet.
type SheetSummary struct {
	task.SheetSummary
	SQL      string `json:"sql,omitempty" doc:"The statement that reads the sheet in PostgreSQL, if it has a view; only in the response to one task."`
	MakeView string `json:"make_view,omitempty" doc:"Where to POST to have a view made, if it has none; only in the response to one task."`
}

// TaskError says why a task FAILED.
type TaskError struct {
	Code      task.FailureCode `json:"code" doc:"A stable code."`
	Message   string           `json:"message" doc:"Human-readable, in English."`
	MessageJA *string          `json:"message_ja" doc:"The same in Japanese; null in tasks older than the translations."`
	Advice    string           `json:"advice,omitempty" doc:"What somebody can do about it, in English."`
	AdviceJA  string           `json:"advice_ja,omitempty" doc:"The same in Japanese."`
}

// FileAndTask is an accepted file and the task that parses it.
type FileAndTask struct {
	File   File           `json:"file"`
	Task   Task           `json:"task"`
	SameAs *task.SameFile `json:"same_as,omitempty" doc:"The newest earlier file with the same bytes, if there is one. Of a direct upload once a worker has read it."`
}

// OfFile returns a file as responses have it.
func OfFile(f task.SourceFile) File {
	return File{
		ID: f.ID, Name: f.Name, MediaType: f.MediaType, SizeBytes: f.SizeBytes,
		SHA256: Hash(f.SHA256), CreatedAt: f.CreatedAt,
	}
}

// Hash returns a SHA-256 in hexadecimal digits; "" for a hash that is not known.
func Hash(hash [32]byte) string {
	if hash == [32]byte{} {
		return ""
	}
	return hex.EncodeToString(hash[:])
}

// OfTask returns a task as responses have it.
func OfTask(t task.Task) Task {
	shown := Task{
		ID: t.ID, FileID: t.SourceFileID, FileName: t.FileName, Status: t.Status, Attempt: t.Attempt, Options: t.Options, Progress: t.Progress,
		Summary: showSummary(t.Summary), CreatedAt: t.CreatedAt, StartedAt: t.StartedAt, FinishedAt: t.FinishedAt,
		RowsDeletedAt: t.RowsDeletedAt, WaitingFor: t.WaitingFor,
	}
	if t.Status == task.Failed {
		shown.Error = showFailure(t.Failure)
	}
	var mapping target.Mapping
	if t.Mapping != nil && json.Unmarshal(t.Mapping, &mapping) == nil {
		shown.Mapping = new(OfMapping(mapping))
	}
	return shown
}

func showSummary(s *task.Summary) *Summary {
	if s == nil {
		return nil
	}
	shown := &Summary{Counts: s.Counts, Sheets: make([]SheetSummary, len(s.Sheets)), Undo: s.Undo}
	if s.Target != nil {
		shown.Target = &TargetSummary{TargetSummary: *s.Target}
	}
	for i, sheet := range s.Sheets {
		shown.Sheets[i].SheetSummary = sheet
	}
	return shown
}

func showFailure(f task.Failure) *TaskError {
	shown := &TaskError{Code: f.Code, Message: f.Message}
	shown.Advice, shown.AdviceJA = f.Advice()
	if f.MessageJA != "" {
		shown.MessageJA = &f.MessageJA
	}
	return shown
}

// OfFileAndTask returns a file and its task as responses have them.
func OfFileAndTask(f postgres.FileAndTask) FileAndTask {
	return FileAndTask{OfFile(f.File), OfTask(f.Task), f.SameAs}
}

// OfMapping returns as responses have it how the columns of a file were matched.
func OfMapping(m target.Mapping) TaskMapping {
	shown := TaskMapping{Columns: make([]HeaderMatch, len(m.Columns)), Missing: append([]string{}, m.Missing...)}
	for i, c := range m.Columns {
		shown.Columns[i] = HeaderMatch{Header: c.Header, ColumnNo: c.ColumnNo, Format: c.Format, Rule: c.Rule, Suggestions: c.Suggestions}
		if c.Column != "" {
			shown.Columns[i].Column = &c.Column
		}
	}
	return shown
}
