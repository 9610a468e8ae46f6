package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

// UploadStatus is the state of a DirectUpload.
type UploadStatus string

// The states of a direct upload. One that has expired is shown as UploadAbandoned before anybody has marked it so.
const (
	UploadOpen      UploadStatus = "OPEN"
	UploadCompleted UploadStatus = "COMPLETED" // its file is there
	UploadAbandoned UploadStatus = "ABANDONED" // aborted, or expired: its blob will be deleted
)

// DirectUpload is an upload whose bytes the client writes to the blob store itself.
type DirectUpload struct {
	ID               uuid.UUID // its file's, too
	TaskID           uuid.UUID // of the file's first task
	Owner            string
	Name             string
	MediaType        string
	SizeBytes        int64 // promised
	BlockBytes       int64 // of each block but the last one
	Options          json.RawMessage
	SHA256           task.Hash // promised; zero where it was not
	IdempotencyKey   string
	BlobName         string
	Status           UploadStatus
	CreatedAt        time.Time
	ExpiresAt        time.Time
	WritableUntil    time.Time // when the last address that was handed out ends
	RefuseDuplicates bool      // it is not completed while another file has the promised bytes
}

// OpenUploads is what a QuotaError names where too many direct uploads are neither completed nor removed.
const OpenUploads = "open uploads"

const uploadColumnsSQL = `u.id, u.task_id, u.owner, u.name, u.media_type, u.size_bytes, u.block_bytes, u.options, u.sha256,
  coalesce(u.idempotency_key, '') as idempotency_key, u.blob_name,
  case when u.status = 'OPEN' and u.expires_at <= now() then 'ABANDONED' else u.status end as status,
  u.created_at, u.expires_at, u.writable_until, u.refuse_duplicates`

// oneDirectUpload returns the only row of a query of uploadColumnsSQL, or ErrNotFound.
func oneDirectUpload(ctx context.Context, q database.Querier, sql string, args ...any) (DirectUpload, error) {
	u, err := database.One[DirectUpload](ctx, q, sql, args...)
	if err != nil {
		return DirectUpload{}, fmt.Errorf("read a direct upload: %w", err)
	}
	if u == nil {
		return DirectUpload{}, ErrNotFound
	}
	return *u, nil
}

// InsertDirectUpload writes an OPEN upload that expires after life and is writable for writable, in the folder of the database's day:
// BlobName is the rest of its blob's name. Where its id or idempotency key is taken it writes nothing. It returns the row that is there
// then, locked, and whether that is new. An owner may have most of them that can still be completed or written; more is a *QuotaError. The
// owner's other insertions wait from here on until the transaction ends.
func (t Tx) InsertDirectUpload(ctx context.Context, u DirectUpload, life, writable time.Duration, most int64) (DirectUpload, bool, error) {
	if _, err := t.tx.Exec(ctx, `select pg_advisory_xact_lock(hashtextextended('upload ' || $1, 0))`, u.Owner); err != nil {
		return u, false, fmt.Errorf("lock the owner's uploads: %w", err)
	}
	tag, err := t.tx.Exec(ctx, `insert into sheetdrop.upload (id, task_id, owner, name, media_type, size_bytes, block_bytes, options, sha256,
  idempotency_key, blob_name, expires_at, writable_until, refuse_duplicates)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, to_char(now() at time zone 'utc', 'YYYY/MM/DD/') || $11::text,
  now() + $12::interval, now() + $13::interval, $14)
on conflict do nothing`, u.ID, u.TaskID, u.Owner, u.Name, u.MediaType, u.SizeBytes, u.BlockBytes, u.Options, u.SHA256.OrNil(),
		textOrNull(u.IdempotencyKey), u.BlobName, life, writable, u.RefuseDuplicates)
	if err != nil {
		return u, false, fmt.Errorf("insert a direct upload: %w", err)
	}
	isNew := tag.RowsAffected() == 1
	if isNew {
		if err := t.countUnfinished(ctx, u.Owner, most); err != nil {
			return u, false, err
		}
	}
	u, err = oneDirectUpload(ctx, t.tx, `select `+uploadColumnsSQL+` from sheetdrop.upload u
where u.owner = $1 and (u.id = $2 or u.idempotency_key = $3) for no key update`, u.Owner, u.ID, textOrNull(u.IdempotencyKey))
	return u, isNew, err
}

// countUnfinished also counts what is abandoned and may still be written: so who aborts and begins again in a loop meets the limit, too.
func (t Tx) countUnfinished(ctx context.Context, owner string, most int64) error {
	var unfinished int64
	err := t.tx.QueryRow(ctx, `select count(*) from (select from sheetdrop.upload
  where owner = $1 and status <> 'COMPLETED' and (status = 'OPEN' and expires_at > now() or writable_until > now()) limit $2) u`,
		owner, most+1).Scan(&unfinished)
	if err != nil {
		return fmt.Errorf("count the owner's open uploads: %w", err)
	}
	if unfinished > most {
		return &QuotaError{What: OpenUploads, Limit: most}
	}
	return nil
}

// DirectUpload returns an upload of the owner's, or ErrNotFound.
func (db *DB) DirectUpload(ctx context.Context, owner string, id uuid.UUID) (DirectUpload, error) {
	return oneDirectUpload(ctx, db.pool, `select `+uploadColumnsSQL+` from sheetdrop.upload u where u.owner = $1 and u.id = $2`, owner, id)
}

// LockDirectUpload does the same and locks it until the transaction ends, before any file.
func (t Tx) LockDirectUpload(ctx context.Context, owner string, id uuid.UUID) (DirectUpload, error) {
	return oneDirectUpload(ctx, t.tx, `select `+uploadColumnsSQL+` from sheetdrop.upload u
where u.owner = $1 and u.id = $2 for no key update`, owner, id)
}

// ExtendDirectUpload lets an open upload be written for that long, unless it is writable for two thirds of it anyway, and returns it; or
// ErrNotFound where it is not the owner's, or not open.
func (db *DB) ExtendDirectUpload(ctx context.Context, owner string, id uuid.UUID, writable time.Duration) (DirectUpload, error) {
	return oneDirectUpload(ctx, db.pool, `update sheetdrop.upload u
set writable_until = case when u.writable_until > now() + $3::interval * 2 / 3 then u.writable_until else now() + $3::interval end
where u.owner = $1 and u.id = $2 and u.status = 'OPEN' and u.expires_at > now() returning `+uploadColumnsSQL, owner, id, writable)
}

// CompleteDirectUpload marks a locked upload, whose file has been written, as completed. One that is not there is none of its file's.
func (t Tx) CompleteDirectUpload(ctx context.Context, id uuid.UUID) error {
	_, err := t.tx.Exec(ctx, `update sheetdrop.upload set status = 'COMPLETED', completed_at = now(), file_id = id
where id = $1 and status <> 'COMPLETED'`, id)
	if err != nil {
		return fmt.Errorf("complete a direct upload: %w", err)
	}
	return nil
}

// AbandonDirectUpload gives an open upload of the owner's up; one that is not open stays as it is. It returns its state, or ErrNotFound.
func (t Tx) AbandonDirectUpload(ctx context.Context, owner string, id uuid.UUID) (UploadStatus, error) {
	u, err := t.LockDirectUpload(ctx, owner, id)
	if err != nil || u.Status != UploadOpen {
		return u.Status, err
	}
	if _, err := t.tx.Exec(ctx, `update sheetdrop.upload set status = 'ABANDONED' where id = $1`, id); err != nil {
		return "", fmt.Errorf("abandon a direct upload: %w", err)
	}
	return UploadAbandoned, nil
}

// textOrNull is a text as the database stores it: NULL for none.
func textOrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// RestoreDirectUpload writes the completed upload of a file that was made again of its blob, or completes the one that is there. false
// means that another upload of the owner's has its idempotency key by now.
func (t Tx) RestoreDirectUpload(ctx context.Context, u DirectUpload) (bool, error) {
	tag, err := t.tx.Exec(ctx, `insert into sheetdrop.upload (id, task_id, owner, name, media_type, size_bytes, block_bytes, options,
  idempotency_key, blob_name, status, expires_at, writable_until, completed_at, file_id)
select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'COMPLETED', now(), now(), now(), $1
where not exists (select from sheetdrop.upload where owner = $3 and idempotency_key = $9 and id <> $1)
on conflict (id) do update set status = 'COMPLETED', completed_at = now(), file_id = excluded.id`,
		u.ID, u.TaskID, u.Owner, u.Name, u.MediaType, u.SizeBytes, u.BlockBytes, u.Options, textOrNull(u.IdempotencyKey), u.BlobName)
	if err != nil {
		return false, fmt.Errorf("restore a direct upload: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

// AbandonedUpload is one whose blob nobody can write any more.
type AbandonedUpload struct {
	ID       uuid.UUID
	BlobName string
}

// AbandonedUploads marks some uploads that have expired more than grace ago as abandoned, and returns up to limit abandoned ones whose
// last address ended more than margin ago, those first that have waited longest. It is for who reconciles under token, and returns none
// while a recovery is under way: the database may have lost that an upload was completed.
func (t Tx) AbandonedUploads(ctx context.Context, token uuid.UUID, grace, margin time.Duration, limit int) ([]AbandonedUpload, error) {
	if _, err := t.tx.Exec(ctx, `update sheetdrop.upload set status = 'ABANDONED' where id = any(array(
  select id from sheetdrop.upload where status = 'OPEN' and expires_at <= now() - $2::interval order by expires_at limit $1 for no key update skip locked))`,
		limit, grace); err != nil {
		return nil, fmt.Errorf("mark expired uploads: %w", err)
	}
	abandoned, err := database.All[AbandonedUpload](ctx, t.tx, `select id, blob_name from sheetdrop.upload
where status = 'ABANDONED' and writable_until < now() - $2::interval
  and exists (select from sheetdrop.reconciler where locked_by = $1)
  and not exists (select from sheetdrop.recovery where ended_at is null)
order by writable_until limit $3`, token, margin, limit)
	if err != nil {
		return nil, fmt.Errorf("find abandoned uploads: %w", err)
	}
	return abandoned, nil
}

// RemoveAbandonedUploads removes abandoned uploads whose blobs are gone.
func (db *DB) RemoveAbandonedUploads(ctx context.Context, ids []uuid.UUID) error {
	if _, err := db.pool.Exec(ctx, `delete from sheetdrop.upload where id = any($1) and status = 'ABANDONED'`, ids); err != nil {
		return fmt.Errorf("remove abandoned uploads: %w", err)
	}
	return nil
}

// File is the file that the upload becomes, in the version of its blob that it has.
func (u DirectUpload) File(etag string) task.SourceFile {
	return task.SourceFile{
		ID: u.ID, Owner: u.Owner, Name: u.Name, MediaType: u.MediaType, SizeBytes: u.SizeBytes, ETag: etag, BlobName: u.BlobName, PartNo: 1,
	}
}
