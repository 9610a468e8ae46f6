// Package task has the types that every part of sheetdrop shares: the source file, its task with its states, the outbox
// message, and the codes of failures.
package task

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// SourceFile is an uploaded file: its bytes are in the blob store under BlobName, its metadata here. A db tag names the column of a query
// in which the field's own name would be another one's, too.
type SourceFile struct {
	ID             uuid.UUID `db:"file_id"`
	Owner          string
	Name           string // as the client sent it, in Unicode NFC
	MediaType      string
	SizeBytes      int64
	SHA256         Hash   // zero until somebody has read the bytes: then there is an ETag
	ETag           string // the version of the blob that is the file; "" if the bytes came through the API
	BlobName       string
	IdempotencyKey string    // "" if the client sent none
	PartNo         int       // from 1; the part's position in a multipart request
	CreatedAt      time.Time `db:"file_created_at"`
	DeletedAt      *time.Time
}

// Hash is the SHA-256 of a file's bytes.
type Hash [sha256.Size]byte

// OrNil returns the bytes of a hash, nil for the zero one.
func (h Hash) OrNil() []byte {
	if h == (Hash{}) {
		return nil
	}
	return h[:]
}

// ScanBytes reads a hash from the database; NULL is zero.
func (h *Hash) ScanBytes(b []byte) error {
	if b == nil {
		*h = Hash{}
		return nil
	}
	if len(b) != len(h) {
		return fmt.Errorf("a hash of %d bytes", len(b))
	}
	copy(h[:], b)
	return nil
}

// Task is one parsing of a file.
type Task struct {
	ID           uuid.UUID `db:"task_id"`
	SourceFileID uuid.UUID
	FileName     string          // of the file
	Options      json.RawMessage // a sheet.Options
	Status       Status
	Attempt      int // incremented by every claim and never decremented: the fencing token
	Progress     Progress
	Summary      *Summary  // set when it is COMPLETED
	Failure                // set when it is FAILED
	CreatedAt    time.Time `db:"task_created_at"`
	StartedAt    *time.Time
	FinishedAt   *time.Time
	// RowsDeletedAt is set once what the task found has been deleted: its sheets, rows and rejects.
	RowsDeletedAt *time.Time
	TargetID      *uuid.UUID      // of the named target that it loads into
	Mapping       json.RawMessage // of a FAILED task into a target, as far as its file was matched: a target.Mapping
	WaitingFor    *uuid.UUID      // a task of the same target that runs, or has to run, before it
}

// SameFile is another file of the same owner with the same bytes, and the newest task of that.
type SameFile struct {
	ID         uuid.UUID `json:"id" format:"uuid" doc:"The file's id."`
	Name       string    `json:"name"`
	CreatedAt  time.Time `json:"created_at"`
	TaskID     uuid.UUID `json:"task_id" format:"uuid" doc:"Its newest task."`
	TaskStatus Status    `json:"task_status" enum:"PENDING,PROCESSING,COMPLETED,FAILED,CANCELLED"`
}

// Progress is how far a running task has come.
type Progress struct {
	BytesTotal   int64  `json:"bytes_total" doc:"The size of the file."`
	BytesRead    int64  `json:"bytes_read" doc:"How much of it has become records; of a packed text in proportion to the unpacked one, of a workbook how much has been read."`
	RowsRead     int64  `json:"rows_read"`
	RowsLoaded   int64  `json:"rows_loaded"`
	RowsRejected int64  `json:"rows_rejected"`
	Sheet        string `json:"sheet,omitempty" doc:"The sheet of a workbook that is being read."`
}

// Counts are the totals of a sheet or a file: Read = Loaded + Rejected + Skipped, not counting headers. Neither a dry
// run nor a FAILED task has loaded anything: rows without an error are counted as Valid, and as Skipped.
type Counts struct {
	Read     int64 `json:"rows_read"`
	Loaded   int64 `json:"rows_loaded"`
	Rejected int64 `json:"rows_rejected"`
	Skipped  int64 `json:"rows_skipped"`
	Valid    int64 `json:"rows_valid,omitempty" doc:"In a dry run, and of a sheet of a FAILED task as far as it was read: the rows that would have been loaded; they count as skipped, too."`
}

// Add adds o to c.
func (c *Counts) Add(o Counts) {
	c.Read += o.Read
	c.Loaded += o.Loaded
	c.Rejected += o.Rejected
	c.Skipped += o.Skipped
	c.Valid += o.Valid
}

// Summary is the result of a completed parse.
type Summary struct {
	Counts
	Sheets []SheetSummary `json:"sheets"`
	Target *TargetSummary `json:"target,omitempty" doc:"Of a task that loads into a target."`
	Undo   *UndoSummary   `json:"undo,omitempty" doc:"Of a task that takes a load back."`
}

// TargetSummary is what a load has done with the rows of a target; what it would have done, in a dry run.
type TargetSummary struct {
	Name      string `json:"name"`
	Load      int64  `json:"load,omitempty" doc:"The load's number; none in a dry run."`
	Inserted  int64  `json:"inserted" doc:"New rows."`
	Updated   int64  `json:"updated" doc:"Rows that were there and have changed."`
	Unchanged int64  `json:"unchanged" doc:"Rows that were there with the same values; nothing was written."`
	Deleted   int64  `json:"deleted" doc:"Rows that were replaced by none."`

	Series    string `json:"series,omitempty" doc:"The series that the load belongs to."`
	Corrects  int64  `json:"corrects,omitempty" doc:"The load whose corrected rejects it has brought."`
	Corrected int64  `json:"corrected,omitempty" doc:"Rejects of it that corrections have brought as rows, by loads of their own. They are among rows_loaded."`

	Replaced *ReplacedSummary `json:"replaced,omitempty" doc:"What the load has taken the place of; the counts above are those of the table without it."`
}

// ReplacedSummary is what became of the rows of loads whose place another one has taken.
type ReplacedSummary struct {
	Loads    []int64 `json:"loads" doc:"The loads that no longer count."`
	Removed  int64   `json:"removed" doc:"Rows that they had added, and that were taken out before this load wrote its own."`
	Restored int64   `json:"restored" doc:"Rows that they had changed or deleted, and that became as other loads had written them."`
	Kept     int64   `json:"kept" doc:"Rows that were left because somebody has changed, deleted or added them by hand. Those that the file has are overwritten all the same."`
}

// UndoSummary is what taking a load back has done with the rows of a target.
type UndoSummary struct {
	Name     string            `json:"name"`
	Load     int64             `json:"load" doc:"The load that was taken back."`
	Removed  int64             `json:"removed" doc:"Rows that the load had added."`
	Restored int64             `json:"restored" doc:"Rows that it had changed or deleted, and that are now as other loads have written them."`
	Kept     int64             `json:"kept" doc:"Rows that stay as they are because somebody has changed, deleted or added them by hand."`
	KeptKeys []json.RawMessage `json:"kept_keys,omitempty" doc:"The keys of up to a thousand of them, as objects."`
	Returned []int64           `json:"returned,omitempty" doc:"Loads whose place it had taken, and that count again. Their rows are among the restored ones."`

	Corrections []int64 `json:"corrections,omitempty" doc:"Loads of its corrected rejects, which were taken back with it."`

	Next        *uuid.UUID `json:"next,omitempty" format:"uuid" doc:"Where the file is deleted with its loads: the task that undoes the next one."`
	FileDeleted bool       `json:"file_deleted,omitempty" doc:"Where the file is deleted with its loads: this was the last one, and the file is deleted."`
}

// SheetSummary is the part of a Summary for one sheet.
type SheetSummary struct {
	Number       int    `json:"number"`
	Name         string `json:"name"`
	RowsLoaded   int64  `json:"rows_loaded"`
	RowsRejected int64  `json:"rows_rejected"`
	RowsValid    int64  `json:"rows_valid,omitempty" doc:"In a dry run: the rows that would have been loaded."`
}
