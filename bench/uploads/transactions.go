package uploads

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"sheetdrop/bench/compare"
	"sheetdrop/bench/testbed"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

const (
	withRow    = "with the outbox row"
	withoutRow = "without it"
	withRiver  = "with River InsertTx"
	plain      = "three plain INSERTs"
)

// transactions is the comparison of what a request commits: a file, its task, and what makes somebody parse it.
func transactions(s *testbed.Testbed) compare.Comparison {
	n := s.Size(4000, 200)
	t := &transaction{Testbed: s, n: n}
	return compare.Comparison{
		Name: "transaction", Title: "a request's transaction, 16 writers", Work: n, Setup: t.open, Reference: withoutRow,
		Measures: []compare.Measure{{Name: "rate", Unit: "1/s"}, {Name: "log", Unit: "bytes of WAL a transaction"}},
		Candidates: []compare.Candidate{
			{Name: withoutRow, Run: t.run(t.withoutRow)},
			{Name: withRow, Run: t.run(t.withRow)},
			{Name: withRiver, Run: t.run(t.withRiver)},
			{Name: plain, Run: t.run(t.plain)},
		},
		Bars: []compare.Bar{
			{Measure: "rate", Candidate: withRow, Against: withoutRow, Kind: compare.AtLeast, Limit: 0.90},
			{Measure: "rate", Candidate: withRow, Against: withRiver, Kind: compare.AtLeast, Limit: 1.5},
		},
	}
}

type transaction struct {
	*testbed.Testbed
	n     int
	app   *testbed.App
	db    *postgres.DB
	pool  *pgxpool.Pool
	river *river.Client[pgx.Tx]
}

func (t *transaction) open(ctx context.Context) (func(), error) {
	var err error
	if t.app, err = t.NewApp(ctx); err != nil {
		return nil, err
	}
	if t.db, err = postgres.Open(postgres.Settings{URL: t.app.URL, MaxConns: many}); err != nil {
		return nil, err
	}
	config, err := pgxpool.ParseConfig(t.app.URL)
	if err != nil {
		return nil, err
	}
	config.MaxConns = many
	if t.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, err
	}
	driver := riverpgxv5.New(t.pool)
	migrator, err := rivermigrate.New(driver, nil)
	if err == nil {
		_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	}
	if err == nil {
		t.river, err = river.NewClient(driver, &river.Config{})
	}
	if err != nil {
		return nil, err
	}
	for _, work := range []func(context.Context, postgres.Upload) error{t.withoutRow, t.withRow, t.withRiver, t.plain} {
		if _, err := t.run(work)(ctx); err != nil {
			return nil, err
		}
	}
	return func() { t.db.Close(); t.pool.Close(); t.app.Drop() }, nil
}

// run commits so many uploads, and looks that they are there.
func (t *transaction) run(work func(context.Context, postgres.Upload) error) func(context.Context) (compare.Outcome, error) {
	return func(ctx context.Context) (compare.Outcome, error) {
		if _, err := t.app.SQL.Exec(ctx, `truncate sheetdrop.source_file, sheetdrop.task, sheetdrop.outbox_message, river_job cascade`); err != nil {
			return compare.Outcome{}, err
		}
		if err := t.Checkpoint(ctx); err != nil {
			return compare.Outcome{}, err
		}
		before, err := t.LogPosition(ctx)
		if err != nil {
			return compare.Outcome{}, err
		}
		_, took, err := testbed.Each(ctx, t.n, many, func(ctx context.Context, i int) error { return work(ctx, newUpload(i)) })
		if err != nil {
			return compare.Outcome{}, err
		}
		after, err := t.LogPosition(ctx)
		if err != nil {
			return compare.Outcome{}, err
		}
		var done int
		err = t.app.SQL.QueryRow(ctx, `select count(*) from sheetdrop.task`).Scan(&done)
		return compare.Outcome{Done: done, Figures: compare.Figures{
			"rate": float64(t.n) / took.Seconds(), "log": (after - before) / float64(t.n),
		}}, err
	}
}

func newUpload(i int) postgres.Upload {
	id := task.NewID()
	return postgres.Upload{
		File: task.SourceFile{
			ID: id, Owner: "local", Name: "list.csv", MediaType: "text/csv", SizeBytes: fileBytes, BlobName: "2026/01/01/" + id.String(), PartNo: 1,
			SHA256: [32]byte{byte(i), byte(i >> 8), byte(i >> 16), 1},
		},
		TaskID: task.NewID(), MessageID: task.NewID(), Options: []byte(`{}`),
	}
}

func (t *transaction) withRow(ctx context.Context, u postgres.Upload) error {
	return t.db.InStatement(ctx, func(ctx context.Context, s postgres.Statement) (bool, error) {
		inserted, err := s.InsertUpload(ctx, u, time.Now(), time.Hour)
		return len(inserted) == 1, err
	}, nil, func(context.Context, postgres.Tx) error { return errNothing })
}

// errNothing says that the statement has written nothing; the program would go on in a transaction.
var errNothing = errors.New("nothing was written")

// withoutSQL is the statement of InsertUploads but for its last insert, that of the outbox row.
const withoutSQL = `with upload as (
  select * from jsonb_to_recordset($1) as u (file_id uuid, owner text, name text, media_type text, size_bytes bigint, sha256 text, blob_name text,
    etag text, idempotency_key text, part_no int, task_id uuid, options_no int, message_id uuid, payload jsonb)
  where now() - $3::timestamptz < $4::interval
), file as (
  insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, etag, idempotency_key, part_no)
  select file_id, owner, name, media_type, size_bytes, decode(sha256, 'base64'), blob_name, etag, idempotency_key, part_no from upload
  on conflict do nothing
  returning *
), new_task as (
  insert into sheetdrop.task (id, source_file_id, owner, options)
  select u.task_id, u.file_id, u.owner, ($2::jsonb[])[u.options_no] from upload u join file on file.id = u.file_id
  returning *
)
select f.id as file_id, f.owner, f.name, f.media_type, f.size_bytes, f.sha256, f.blob_name, f.part_no, f.created_at as file_created_at,
  t.id as task_id, t.source_file_id, f.name as file_name, t.options, t.status, t.attempt, t.summary, t.created_at as task_created_at,
  t.started_at, t.finished_at, t.rows_deleted_at, t.target_id
from file f join new_task t on t.source_file_id = f.id
left join lateral (
  select e.id from sheetdrop.source_file e
  join lateral (select id from sheetdrop.task where source_file_id = e.id and kind = 'LOAD' order by created_at desc, id desc limit 1) n on true
  where e.owner = f.owner and e.sha256 = f.sha256 and e.deleted_at is null and (e.created_at, e.id) < (f.created_at, f.id)
  order by e.created_at desc, e.id desc limit 1) same on true`

// insertedRow is what the statement returns.
type insertedRow struct {
	task.SourceFile
	task.Task
}

func (t *transaction) withoutRow(ctx context.Context, u postgres.Upload) error {
	return insertFile(ctx, t.pool, u)
}

func insertFile(ctx context.Context, q database.Querier, u postgres.Upload) error {
	f := u.File
	row := map[string]any{
		"file_id": f.ID, "owner": f.Owner, "name": f.Name, "media_type": f.MediaType, "size_bytes": f.SizeBytes, "sha256": f.SHA256[:],
		"blob_name": f.BlobName, "part_no": 1, "task_id": u.TaskID, "options_no": 1, "message_id": u.MessageID,
		"payload": postgres.NewParseMessage(u.MessageID, u.TaskID).Payload,
	}
	rows, err := q.Query(ctx, withoutSQL, []any{row}, []json.RawMessage{u.Options}, time.Now(), time.Hour)
	if err != nil {
		return err
	}
	_, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByNameLax[insertedRow])
	return err
}

// ParseArgs are a job of River that does what the outbox's message does.
type ParseArgs struct {
	TaskID string `json:"task_id"`
}

// Kind implements river.JobArgs.
func (ParseArgs) Kind() string { return "parse" }

func (t *transaction) withRiver(ctx context.Context, u postgres.Upload) error {
	return pgx.BeginFunc(ctx, t.pool, func(tx pgx.Tx) error {
		if err := insertFile(ctx, tx, u); err != nil {
			return err
		}
		_, err := t.river.InsertTx(ctx, tx, ParseArgs{u.TaskID.String()}, nil)
		return err
	})
}

// plain is what one would write oneself.
func (t *transaction) plain(ctx context.Context, u postgres.Upload) error {
	return pgx.BeginFunc(ctx, t.pool, func(tx pgx.Tx) error {
		f := u.File
		_, err := tx.Exec(ctx, `insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no)
values ($1, $2, $3, $4, $5, $6, $7, 1)`, f.ID, f.Owner, f.Name, f.MediaType, f.SizeBytes, f.SHA256[:], f.BlobName)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `insert into sheetdrop.task (id, source_file_id, owner, options) values ($1, $2, $3, $4)`, u.TaskID, f.ID, f.Owner, u.Options)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `insert into sheetdrop.outbox_message (id, event_type, task_id, payload) values ($1, 'PARSE_TASK', $2, $3)`,
			u.MessageID, u.TaskID, postgres.NewParseMessage(u.MessageID, u.TaskID).Payload)
		return err
	})
}
