// Package task holds the words that every part of sheetdrop shares: the source file, its task, the task's states and their legal moves,
// the outbox message, and the codes of failures.
package task

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// SourceFile is an uploaded file: its bytes are in the blob store under BlobName, its facts here.
type SourceFile struct {
	ID             uuid.UUID
	Owner          string
	Name           string // as the client sent it, in Unicode NFC
	MediaType      string
	SizeBytes      int64
	SHA256         [32]byte // zero where nobody has read the bytes yet: then there is an ETag
	ETag           string   // the version of the blob that is the file; "" where the bytes came through the API
	BlobName       string
	IdempotencyKey string // "" where the client sent none
	PartNo         int    // from 1; the part's place in a multipart request
	CreatedAt      time.Time
	DeletedAt      *time.Time
}

// Task is one parsing of a file.
type Task struct {
	ID           uuid.UUID
	SourceFileID uuid.UUID
	Options      json.RawMessage // a sheet.Options
	Status       Status
	Attempt      int // rises at every claim and never falls: the fencing token
	Progress     Progress
	Summary      *Summary // set when it is COMPLETED
	Failure      Failure  // set when it is FAILED
	CreatedAt    time.Time
	StartedAt    *time.Time
	FinishedAt   *time.Time
	// RowsDeletedAt is set once somebody has deleted what the task found: its sheets, rows and rejects.
	RowsDeletedAt *time.Time
}

// Progress tells how far a running task has come.
type Progress struct {
	BytesTotal   int64 `json:"bytes_total" doc:"The size of the file."`
	BytesRead    int64 `json:"bytes_read" doc:"How much of it has become records; of a packed text in proportion to the unpacked one, of a workbook how much has been read."`
	RowsRead     int64 `json:"rows_read"`
	RowsLoaded   int64 `json:"rows_loaded"`
	RowsRejected int64 `json:"rows_rejected"`
}

// Counts adds up a sheet or a file: Read = Loaded + Rejected + Skipped, headers not counted. Neither a dry run nor a task that FAILED has loaded
// anything: the rows that it found good are Valid, and Skipped.
type Counts struct {
	Read     int64 `json:"rows_read"`
	Loaded   int64 `json:"rows_loaded"`
	Rejected int64 `json:"rows_rejected"`
	Skipped  int64 `json:"rows_skipped"`
	Valid    int64 `json:"rows_valid,omitempty" doc:"In a dry run, and of a sheet of a FAILED task as far as it was read: the rows that would have been loaded; they count as skipped, too."`
}

// Add adds another count to c.
func (c *Counts) Add(o Counts) {
	c.Read += o.Read
	c.Loaded += o.Loaded
	c.Rejected += o.Rejected
	c.Skipped += o.Skipped
	c.Valid += o.Valid
}

// Summary is what a finished parse found.
type Summary struct {
	Counts
	Sheets []SheetSummary `json:"sheets"`
}

// SheetSummary is the share of one sheet in a Summary.
type SheetSummary struct {
	Number       int    `json:"number"`
	Name         string `json:"name"`
	RowsLoaded   int64  `json:"rows_loaded"`
	RowsRejected int64  `json:"rows_rejected"`
	RowsValid    int64  `json:"rows_valid,omitempty" doc:"In a dry run: the rows that would have been loaded."`
}
