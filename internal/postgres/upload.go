package postgres

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
	"sheetdrop/internal/tracing"
)

// Upload is one received file with the task and the message that go with it.
type Upload struct {
	File      task.SourceFile
	TaskID    uuid.UUID
	MessageID uuid.UUID
	Options   json.RawMessage
}

// InsertUploads writes file, task and outbox message of every upload in one statement and returns those that were new, by part: fewer than
// given means that some of their ids or idempotency keys are taken. It writes none whose blob was named, by the database's clock at
// startedAt, more than maxAge ago: the sweep for orphan blobs may be about to delete it.
func (t Tx) InsertUploads(ctx context.Context, uploads []Upload, startedAt time.Time, maxAge time.Duration) ([]FileAndTask, error) {
	inserted, err := insertUploads(ctx, t.tx, uploads, startedAt, maxAge)
	if err == nil && len(inserted) > 1 { // the statement does not see its own rows, of which one may have the bytes of another
		return t.UploadsByID(ctx, fileIDs(inserted))
	}
	return inserted, err
}

// InsertUpload is InsertUploads for a single upload.
func (s Statement) InsertUpload(ctx context.Context, upload Upload, startedAt time.Time, maxAge time.Duration) ([]FileAndTask, error) {
	return insertUploads(ctx, s.q, []Upload{upload}, startedAt, maxAge)
}

func insertUploads(
	ctx context.Context, q database.Querier, uploads []Upload, startedAt time.Time, maxAge time.Duration,
) ([]FileAndTask, error) {
	const statement = `
with upload as (
  select * from jsonb_to_recordset($1) as u (file_id uuid, owner text, name text, media_type text, size_bytes bigint, sha256 text, blob_name text,
    etag text, idempotency_key text, part_no int, task_id uuid, options_no int, message_id uuid, payload jsonb, trace_context text)
  where now() - $3::timestamptz < $4::interval
), file as (
  insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, etag, idempotency_key, part_no)
  select file_id, owner, name, media_type, size_bytes, decode(sha256, 'base64'), blob_name, etag, idempotency_key, part_no from upload
  on conflict do nothing
  returning *
), new_task as (
  insert into sheetdrop.task (id, source_file_id, owner, options, trace_context)
  select u.task_id, u.file_id, u.owner, ($2::jsonb[])[u.options_no], u.trace_context from upload u join file on file.id = u.file_id
  returning *
), message as (
  insert into sheetdrop.outbox_message (id, event_type, task_id, payload, trace_context)
  select u.message_id, 'PARSE_TASK', u.task_id, u.payload, u.trace_context from upload u join file on file.id = u.file_id
)
select ` + fileColumnsSQL + `, ` + taskColumnsSQL + `, same_as
from file f join new_task t on t.source_file_id = f.id` + earlierSQL + `order by f.part_no`
	rows, shared := make([]uploadRow, len(uploads)), sharedOptions{}
	for i, u := range uploads {
		f := u.File
		rows[i] = uploadRow{
			FileID: f.ID, Owner: f.Owner, Name: f.Name, MediaType: f.MediaType, SizeBytes: f.SizeBytes, SHA256: f.SHA256.OrNil(),
			BlobName: f.BlobName,
			ETag:     f.ETag, IdempotencyKey: f.IdempotencyKey, PartNo: f.PartNo, TaskID: u.TaskID, OptionsNo: shared.number(u.Options),
			MessageID: u.MessageID, Payload: NewParseMessage(u.MessageID, u.TaskID).Payload, TraceContext: tracing.Parent(ctx),
		}
	}
	inserted, err := selectFilesAndTasks(ctx, q, statement, rows, shared, startedAt, maxAge)
	if err != nil {
		return nil, fmt.Errorf("insert uploads: %w", err)
	}
	return inserted, nil
}

func fileIDs(files []FileAndTask) []uuid.UUID {
	ids := make([]uuid.UUID, len(files))
	for i, f := range files {
		ids[i] = f.File.ID
	}
	return ids
}

// uploadRow is an upload as it is sent to the server.
type uploadRow struct {
	FileID         uuid.UUID       `json:"file_id"`
	Owner          string          `json:"owner"`
	Name           string          `json:"name"`
	MediaType      string          `json:"media_type"`
	SizeBytes      int64           `json:"size_bytes"`
	SHA256         []byte          `json:"sha256"` // base64; null
	ETag           string          `json:"etag,omitempty"`
	BlobName       string          `json:"blob_name"`
	IdempotencyKey string          `json:"idempotency_key,omitempty"`
	PartNo         int             `json:"part_no"`
	TaskID         uuid.UUID       `json:"task_id"`
	OptionsNo      int             `json:"options_no"`
	MessageID      uuid.UUID       `json:"message_id"`
	Payload        json.RawMessage `json:"payload"`
	TraceContext   string          `json:"trace_context,omitempty"`
}

// sharedOptions are parse options as they are sent to the server: those of neighbours that share them only once.
type sharedOptions []json.RawMessage

// number returns the number, from 1, under which options are sent.
func (s *sharedOptions) number(options json.RawMessage) int {
	if last := len(*s) - 1; last < 0 || !bytes.Equal((*s)[last], options) {
		*s = append(*s, options)
	}
	return len(*s)
}

// UploadsByKey returns what an owner uploaded under an idempotency key, by part, with the first task of each file;
// deleted files too. It locks the files, which writes something: so COMMIT waits until a synchronous standby has them,
// and the answer may promise them again.
func (t Tx) UploadsByKey(ctx context.Context, owner, key string) ([]FileAndTask, error) {
	return selectFilesAndTasks(ctx, t.tx, uploadsSQL+`where f.owner = $1 and f.idempotency_key = $2 order by f.part_no for key share of f`, owner, key)
}

// UploadsByID returns files by id, in no order, with the first task of each; deleted files too.
func (t Tx) UploadsByID(ctx context.Context, ids []uuid.UUID) ([]FileAndTask, error) {
	return uploadsByID(ctx, t.tx, ids)
}

// UploadsByID is the same outside a transaction: the look-up after an ambiguous COMMIT.
func (db *DB) UploadsByID(ctx context.Context, ids []uuid.UUID) ([]FileAndTask, error) {
	return uploadsByID(ctx, db.pool, ids)
}

// uploadsByID has a statement of its own for a single file, which nearly all uploads are: PostgreSQL makes a plan of it once and keeps it,
// while a list is planned each time, as its length matters, and planning takes longer than running.
func uploadsByID(ctx context.Context, q database.Querier, ids []uuid.UUID) ([]FileAndTask, error) {
	if len(ids) == 1 {
		return selectFilesAndTasks(ctx, q, uploadsSQL+`where f.id = $1`, ids[0])
	}
	return selectFilesAndTasks(ctx, q, uploadsSQL+`where f.id = any($1) order by f.part_no`, ids)
}

const uploadsSQL = `select ` + fileColumnsSQL + `, ` + taskColumnsSQL + `, same_as
from sheetdrop.source_file f
join lateral (select * from sheetdrop.task where source_file_id = f.id order by created_at, id limit 1) t on true` + earlierSQL
