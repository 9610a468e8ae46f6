package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
	"sheetdrop/internal/tracing"
)

// taskColumnsSQL are those of a task.Task, of a table aliased t, with its file in one aliased f.
const taskColumnsSQL = `t.id as task_id, t.source_file_id, f.name as file_name, t.options, t.status, t.attempt, coalesce(t.progress, '{}') as progress, t.summary,
  coalesce(t.error_code, '') as code, coalesce(t.error_detail, '') as message, coalesce(t.error_detail_ja, '') as message_ja,
  t.created_at as task_created_at, t.started_at, t.finished_at, t.rows_deleted_at, t.target_id,
  case t.status when 'FAILED' then t.mapping end as mapping,
  case when t.ordered and t.status = 'PENDING' then coalesce(
    (select o.id from sheetdrop.task o where o.target_id = t.target_id and o.ordered and o.status = 'PROCESSING' limit 1),
    (select o.id from sheetdrop.task o
     where o.target_id = t.target_id and o.ordered and o.status = 'PENDING' and (o.turn, o.id) < (t.turn, t.id)
     order by o.turn, o.id limit 1)) end as waiting_for`

// visibleTaskSQL is that the owner $1 sees a task t of the file f: one of their own files that is not deleted; or one that undoes a load,
// whatever became of its file, where it is of a file of theirs or they have asked for it.
const visibleTaskSQL = `(f.owner = $1 and f.deleted_at is null or t.kind = 'UNDO' and $1 in (f.owner, t.owner))`

// Task returns a task that an owner sees, or ErrNotFound.
func (db *DB) Task(ctx context.Context, owner string, id uuid.UUID) (task.Task, error) {
	found, err := database.One[task.Task](ctx, db.pool, `select `+taskColumnsSQL+`
from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id
where t.id = $2 and `+visibleTaskSQL, owner, id)
	if err != nil {
		return task.Task{}, fmt.Errorf("read task: %w", err)
	}
	if found == nil {
		return task.Task{}, ErrNotFound
	}
	return *found, nil
}

// TaskFilter chooses tasks of files that are not deleted.
type TaskFilter struct {
	Owner  string      // "" takes everybody's
	FileID uuid.UUID   // uuid.Nil takes all files'
	Status task.Status // "" takes all
	Newest bool        // only the newest task of each file

	Name          string     // a part of the file's name; case does not matter
	SHA256        task.Hash  // of the file; zero takes all
	CreatedAfter  *time.Time // inclusive
	CreatedBefore *time.Time // exclusive
}

// where returns the conditions on a task t and its file f, in which $1 to $3 are taken, with their arguments.
func (f TaskFilter) where() (conditions string, args []any) {
	add := func(condition string, arg any) {
		args = append(args, arg)
		conditions += fmt.Sprintf(" and "+condition, len(args)+3)
	}
	if f.Owner != "" {
		add("f.owner = $%d", f.Owner)
	}
	if f.FileID != uuid.Nil {
		add("f.id = $%d", f.FileID)
	}
	if f.Status != "" {
		add("t.status = $%d", string(f.Status))
	}
	if f.Name != "" {
		add("strpos(lower(f.name), lower($%d)) > 0", f.Name)
	}
	if f.SHA256 != (task.Hash{}) {
		add("f.sha256 = $%d", f.SHA256.OrNil())
	}
	if f.CreatedAfter != nil {
		add("t.created_at >= $%d", *f.CreatedAfter)
	}
	if f.CreatedBefore != nil {
		add("t.created_at < $%d", *f.CreatedBefore)
	}
	return conditions, args
}

// Tasks lists tasks, newest first, as Files does.
func (db *DB) Tasks(ctx context.Context, f TaskFilter, before uuid.UUID, limit int) (tasks []task.Task, more bool, err error) {
	conditions, args := f.where()
	return ReadPage(ctx, db, limit, pgx.RowToStructByName[task.Task], `select `+taskColumnsSQL+`
from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id
where f.deleted_at is null and t.id < $1
  and (not $3 or not exists (
    select from sheetdrop.task n where n.source_file_id = t.source_file_id and (n.created_at, n.id) > (t.created_at, t.id)))`+conditions+`
order by t.id desc limit $2`, append([]any{before, limit + 1, f.Newest}, args...)...)
}

// LockFileOfTask locks the file of a task that an owner sees, which has to be locked before the task is, and returns its id; or
// ErrNotFound.
func (t Tx) LockFileOfTask(ctx context.Context, owner string, taskID uuid.UUID) (uuid.UUID, error) {
	var fileID uuid.UUID
	err := t.tx.QueryRow(ctx, `select f.id from sheetdrop.source_file f
where f.id = (select source_file_id from sheetdrop.task where id = $2)
  and exists (select from sheetdrop.task t where t.id = $2 and `+visibleTaskSQL+`) for no key update`, owner, taskID).Scan(&fileID)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, ErrNotFound
	}
	return fileID, err
}

// CancelTask ends a PENDING task at once and asks the worker of a PROCESSING one to end it; a terminal one stays as it is, which is false.
// The task's file must be locked.
func (t Tx) CancelTask(ctx context.Context, id uuid.UUID) (bool, error) {
	return t.cancel(ctx, `update sheetdrop.task
set status              = case status when 'PENDING' then 'CANCELLED' else status end,
    finished_at         = case status when 'PENDING' then now() end,
    cancel_requested_at = coalesce(cancel_requested_at, now())
where id = $1 and status in ('PENDING', 'PROCESSING') returning id, status, coalesce(trace_context, '') as trace_context`, id)
}

// CancelParses cancels the tasks of a locked file at once, running ones too, but for undos of what it has loaded. None of them can load
// anything any more.
func (t Tx) CancelParses(ctx context.Context, fileID uuid.UUID) error {
	_, err := t.cancel(ctx, `with alive as materialized (
  select id from sheetdrop.task where source_file_id = $1 and status in ('PENDING', 'PROCESSING') and kind = 'LOAD' order by id for no key update
)
update sheetdrop.task t set status = 'CANCELLED', finished_at = now(), locked_by = null, locked_until = null
from alive where t.id = alive.id returning t.id, t.status, coalesce(t.trace_context, '') as trace_context`, fileID)
	return err
}

// cancelled is a task that a transaction has cancelled, or whose worker it has asked to.
type cancelled struct {
	ID           uuid.UUID
	Status       task.Status
	TraceContext string
}

func (t Tx) cancel(ctx context.Context, sql string, id uuid.UUID) (bool, error) {
	tasks, err := database.All[cancelled](ctx, t.tx, sql, id)
	if err != nil {
		return false, fmt.Errorf("cancel tasks: %w", err)
	}
	if t.cancelled != nil {
		*t.cancelled = append(*t.cancelled, tasks...)
	}
	return len(tasks) > 0, nil
}

// trace tells of it in the task's own trace, of which no run may ever come.
func (c cancelled) trace(ctx context.Context) {
	_, span := tracing.StartIn(ctx, c.TraceContext, "cancel task", tracing.Internal, tracing.Task(c.ID), tracing.Status(c.Status))
	span.End(nil)
}

// NewTask is one more parsing of a file that is there, or the undo of a load that it has made.
type NewTask struct {
	FileID  uuid.UUID
	Owner   string          // who asks for it; "" is the file's
	Options json.RawMessage // nil takes those of the file's newest task
	Target  json.RawMessage // a target.Request that takes the place of the options'; nil leaves what they say
	Message OutboxMessage   // asks for it to be parsed, and has its id
}

// OtherTaskOpen reports whether a locked file has a task that has not ended, besides that one. It must be a statement of its own: what it
// sees is what there is behind the lock.
func (t Tx) OtherTaskOpen(ctx context.Context, fileID, besides uuid.UUID) (found bool, err error) {
	err = t.tx.QueryRow(ctx, `select exists (select from sheetdrop.task
where source_file_id = $1 and id <> $2 and status in ('PENDING', 'PROCESSING'))`, fileID, besides).Scan(&found)
	if err != nil {
		return false, fmt.Errorf("look for a task that has not ended: %w", err)
	}
	return found, nil
}

// InsertTasks adds tasks to locked files, with their messages.
func (t Tx) InsertTasks(ctx context.Context, tasks []NewTask) error {
	type row struct {
		ID        uuid.UUID       `json:"id"`
		FileID    uuid.UUID       `json:"file_id"`
		Owner     string          `json:"owner,omitempty"`
		OptionsNo int             `json:"options_no"`
		Target    json.RawMessage `json:"target,omitempty"`
	}
	rows, messages, shared := make([]row, len(tasks)), make([]OutboxMessage, len(tasks)), sharedOptions{}
	for i, n := range tasks {
		rows[i], messages[i] = row{*n.Message.TaskID, n.FileID, n.Owner, shared.number(n.Options), n.Target}, n.Message
	}
	_, err := t.tx.Exec(ctx, `insert into sheetdrop.task (id, source_file_id, owner, trace_context, options)
select n.id, n.file_id, coalesce(n.owner, f.owner), nullif($3, ''), coalesce(($2::jsonb[])[n.options_no], (
  select t.options from sheetdrop.task t where t.source_file_id = n.file_id and t.kind = 'LOAD' order by t.created_at desc, t.id desc limit 1))
  || case when n.target is null then '{}' else jsonb_build_object('target', n.target) end
from jsonb_to_recordset($1) as n (id uuid, file_id uuid, owner text, options_no int, target jsonb)
join sheetdrop.source_file f on f.id = n.file_id`, rows, shared, tracing.Parent(ctx))
	if err != nil {
		return fmt.Errorf("insert tasks: %w", err)
	}
	return t.InsertMessages(ctx, messages)
}
