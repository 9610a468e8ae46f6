package postgres

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/task"
)

// Upload is one received file with the task and the message that go with it.
type Upload struct {
	File      task.SourceFile
	TaskID    uuid.UUID
	MessageID uuid.UUID
	Options   json.RawMessage
}

// InsertUploads writes file, task and outbox message of every upload in one statement and returns how many were new: fewer than given
// means that some of their ids or idempotency keys are taken. It writes none whose blob was named, by the database's clock at startedAt,
// more than maxAge ago: the sweep for orphan blobs may be about to delete it.
func (t Tx) InsertUploads(ctx context.Context, uploads []Upload, startedAt time.Time, maxAge time.Duration) (inserted int, err error) {
	const statement = `
with upload as (
  select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bytea[], $7::text[], $8::text[], $9::int[],
                       $10::uuid[], $11::int[], $12::uuid[], $13::jsonb[], $17::text[])
    as u (file_id, owner, name, media_type, size_bytes, sha256, blob_name, idempotency_key, part_no, task_id, options_no, message_id, payload, etag)
  where now() - $14::timestamptz < $15::interval
), file as (
  insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, idempotency_key, part_no, etag)
  select file_id, owner, name, media_type, size_bytes, sha256, blob_name, idempotency_key, part_no, etag from upload
  on conflict do nothing
  returning id
), new_task as (
  insert into sheetdrop.task (id, source_file_id, owner, options)
  select u.task_id, u.file_id, u.owner, ($16::jsonb[])[u.options_no] from upload u join file on file.id = u.file_id
), message as (
  insert into sheetdrop.outbox_message (id, event_type, task_id, payload)
  select u.message_id, 'PARSE_TASK', u.task_id, u.payload from upload u join file on file.id = u.file_id
)
select count(*) from file`
	n := len(uploads)
	fileIDs, taskIDs, messageIDs := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]uuid.UUID, n)
	owners, names, mediaTypes, blobs := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	sizes, hashes, keys, parts := make([]int64, n), make([][]byte, n), make([]*string, n), make([]int, n)
	etags := make([]*string, n)
	options, payloads := optionsOnce{numbers: make([]int, n)}, make([]json.RawMessage, n)
	for i, u := range uploads {
		f := u.File
		fileIDs[i], owners[i], names[i], mediaTypes[i], sizes[i], hashes[i] = f.ID, f.Owner, f.Name, f.MediaType, f.SizeBytes, orNull(f.SHA256)
		blobs[i], parts[i], taskIDs[i], messageIDs[i] = f.BlobName, f.PartNo, u.TaskID, u.MessageID
		options.set(i, u.Options)
		keys[i], etags[i] = textOrNull(f.IdempotencyKey), textOrNull(f.ETag)
		payloads[i] = task.ParseMessage{Version: 1, MessageID: u.MessageID, TaskID: u.TaskID}.Encode()
	}
	err = t.tx.QueryRow(ctx, statement, fileIDs, owners, names, mediaTypes, sizes, hashes, blobs, keys, parts,
		taskIDs, options.numbers, messageIDs, payloads, startedAt, maxAge, options.list, etags).Scan(&inserted)
	if err != nil {
		return 0, fmt.Errorf("insert uploads: %w", err)
	}
	return inserted, nil
}

// optionsOnce are parse options as they are sent to the server: those of files that share them once, and by file their number, from 1.
type optionsOnce struct {
	list    []json.RawMessage
	numbers []int
}

func (o *optionsOnce) set(file int, options json.RawMessage) {
	if last := len(o.list) - 1; last < 0 || !bytes.Equal(o.list[last], options) {
		o.list = append(o.list, options)
	}
	o.numbers[file] = len(o.list)
}

// UploadsByKey returns what an owner uploaded under an idempotency key, by part, with the first task of each file; deleted files too. It locks
// the files, which writes something: so COMMIT waits until a synchronous standby has them, and the answer may promise them again.
func (t Tx) UploadsByKey(ctx context.Context, owner, key string) ([]FileAndTask, error) {
	rows, err := t.tx.Query(ctx, `select `+fileColumns+`, `+taskColumns+`
from sheetdrop.source_file f
join lateral (select * from sheetdrop.task where source_file_id = f.id order by created_at, id limit 1) t on true
where f.owner = $1 and f.idempotency_key = $2 order by f.part_no for key share of f`, owner, key)
	return collectFilesAndTasks(rows, err)
}

// UploadsByID returns files by id, in no order, with the first task of each; deleted files too.
func (t Tx) UploadsByID(ctx context.Context, ids []uuid.UUID) ([]FileAndTask, error) {
	rows, err := t.tx.Query(ctx, uploadsByID, ids)
	return collectFilesAndTasks(rows, err)
}

// UploadsByID is the same outside a transaction: the look-up after an ambiguous COMMIT.
func (db *DB) UploadsByID(ctx context.Context, ids []uuid.UUID) ([]FileAndTask, error) {
	rows, err := db.pool.Query(ctx, uploadsByID, ids)
	return collectFilesAndTasks(rows, err)
}

const uploadsByID = `select ` + fileColumns + `, ` + taskColumns + `
from sheetdrop.source_file f
join lateral (select * from sheetdrop.task where source_file_id = f.id order by created_at, id limit 1) t on true
where f.id = any($1) order by f.part_no`

// FileAndTask is a file with one of its tasks.
type FileAndTask struct {
	File task.SourceFile
	Task task.Task
}

func collectFilesAndTasks(rows pgx.Rows, err error) ([]FileAndTask, error) {
	if err != nil {
		return nil, fmt.Errorf("read files and tasks: %w", err)
	}
	return pgx.CollectRows(rows, scanFileAndTask)
}

func scanFileAndTask(row pgx.CollectableRow) (FileAndTask, error) {
	var (
		file fileScan
		task taskScan
	)
	err := row.Scan(append(file.targets(), task.targets()...)...)
	return FileAndTask{file.value(), task.value()}, err
}
