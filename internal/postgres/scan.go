package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/task"
)

// fileColumns and taskColumns are what fileScan and taskScan read, of tables aliased f and t.
const (
	fileColumns = `f.id, f.owner, f.name, f.media_type, f.size_bytes, f.sha256, f.blob_name, coalesce(f.idempotency_key, ''), f.part_no,
f.created_at, f.deleted_at, coalesce(f.etag, '')`
	taskColumns = `t.id, t.source_file_id, t.options, t.status, t.attempt, coalesce(t.progress, '{}'), t.summary,
coalesce(t.error_code, ''), coalesce(t.error_detail, ''), coalesce(t.error_detail_ja, ''), t.created_at, t.started_at, t.finished_at,
t.rows_deleted_at`
)

type fileScan struct {
	f    task.SourceFile
	hash []byte
}

func (s *fileScan) targets() []any {
	f := &s.f
	return []any{&f.ID, &f.Owner, &f.Name, &f.MediaType, &f.SizeBytes, &s.hash, &f.BlobName, &f.IdempotencyKey, &f.PartNo,
		&f.CreatedAt, &f.DeletedAt, &f.ETag}
}

func (s *fileScan) value() task.SourceFile {
	copy(s.f.SHA256[:], s.hash)
	s.f.CreatedAt = s.f.CreatedAt.UTC()
	return s.f
}

type taskScan struct{ t task.Task }

func (s *taskScan) targets() []any {
	t := &s.t
	return []any{&t.ID, &t.SourceFileID, &t.Options, &t.Status, &t.Attempt, &t.Progress, &t.Summary,
		&t.Failure.Code, &t.Failure.Message, &t.Failure.MessageJA, &t.CreatedAt, &t.StartedAt, &t.FinishedAt,
		&t.RowsDeletedAt}
}

func (s *taskScan) value() task.Task {
	s.t.CreatedAt = s.t.CreatedAt.UTC()
	for _, at := range []*time.Time{s.t.StartedAt, s.t.FinishedAt, s.t.RowsDeletedAt} {
		if at != nil {
			*at = at.UTC()
		}
	}
	return s.t
}

// ids returns the only column of a query.
func (t Tx) ids(ctx context.Context, sql string, args ...any) ([]uuid.UUID, error) {
	rows, err := t.tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}
