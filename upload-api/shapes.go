package upload

import (
	"encoding/hex"
	"encoding/json"
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
	Status     task.Status     `json:"status" enum:"PENDING,PROCESSING,COMPLETED,FAILED,CANCELLED"`
	Attempt    int             `json:"attempt" doc:"How many times a worker has started to run the task."`
	Options    json.RawMessage `json:"options,omitempty" doc:"The parse options of the request; the response to a form has them once, for all files."`
	Progress   task.Progress   `json:"progress"`
	Summary    *task.Summary   `json:"summary,omitempty" doc:"Present once the task is COMPLETED."`
	Error      *TaskError      `json:"error,omitempty" doc:"Present once the task is FAILED."`
	CreatedAt  time.Time       `json:"created_at"`
	StartedAt  *time.Time      `json:"started_at,omitempty"`
	FinishedAt *time.Time      `json:"finished_at,omitempty"`

	RowsDeletedAt *time.Time   `json:"rows_deleted_at,omitempty" doc:"When the task's sheets, rows and rejects were deleted."`
	Mapping       *TaskMapping `json:"mapping,omitempty" doc:"Of a FAILED task into a target: how its file's columns were matched, as far as they were."`
	WaitingFor    *uuid.UUID   `json:"waiting_for,omitempty" format:"uuid" doc:"The task of the same target that has to end before this one begins."`
}

// TaskMapping is how the columns of a task's file were matched to a target's.
type TaskMapping struct {
	Columns []HeaderMatch `json:"columns" doc:"In the order of the file."`
	Missing []string      `json:"missing" doc:"Columns of the target that no header was matched to."`
}

// TaskError says why a task FAILED.
type TaskError struct {
	Code      task.FailureCode `json:"code" doc:"A stable code."`
	Message   string           `json:"message" doc:"Human-readable, in English."`
	MessageJA *string          `json:"message_ja" doc:"The same in Japanese; null in tasks older than the translations."`
}

// FileAndTask is an accepted file and the task that parses it.
type FileAndTask struct {
	File File `json:"file"`
	Task Task `json:"task"`
}

func showFile(f task.SourceFile) File {
	return File{
		ID: f.ID, Name: f.Name, MediaType: f.MediaType, SizeBytes: f.SizeBytes,
		SHA256: showHash(f.SHA256), CreatedAt: f.CreatedAt,
	}
}

// showHash is "" for a hash that is not known.
func showHash(hash [32]byte) string {
	if hash == [32]byte{} {
		return ""
	}
	return hex.EncodeToString(hash[:])
}

func showTask(t task.Task) Task {
	shown := Task{
		ID: t.ID, FileID: t.SourceFileID, Status: t.Status, Attempt: t.Attempt, Options: t.Options, Progress: t.Progress,
		Summary: t.Summary, CreatedAt: t.CreatedAt, StartedAt: t.StartedAt, FinishedAt: t.FinishedAt,
		RowsDeletedAt: t.RowsDeletedAt, WaitingFor: t.WaitingFor,
	}
	if t.Summary != nil && t.Summary.Sheets == nil {
		t.Summary.Sheets = []task.SheetSummary{}
	}
	if t.Status == task.Failed {
		shown.Error = showFailure(t.Failure)
	}
	var mapping target.Mapping
	if t.Mapping != nil && json.Unmarshal(t.Mapping, &mapping) == nil {
		matching := showMatching(mapping, nil)
		shown.Mapping = &TaskMapping{matching.Columns, matching.Missing}
	}
	return shown
}

func showFailure(f task.Failure) *TaskError {
	shown := &TaskError{Code: f.Code, Message: f.Message}
	if f.MessageJA != "" {
		shown.MessageJA = &f.MessageJA
	}
	return shown
}

func showFileAndTask(f postgres.FileAndTask) FileAndTask {
	return FileAndTask{showFile(f.File), showTask(f.Task)}
}
