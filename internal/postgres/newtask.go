package postgres

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
)

// NewTask is one more parsing of a file that is there.
type NewTask struct {
	FileID  uuid.UUID
	Options json.RawMessage // nil takes those of the file's newest task
	Message OutboxMessage   // asks for it to be parsed, and has its id
}

// OtherTaskOpen reports whether a locked file has a task that has not ended, besides one that is given. It must be a statement of its own: what it
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
		ID        uuid.UUID `json:"id"`
		FileID    uuid.UUID `json:"file_id"`
		OptionsNo int       `json:"options_no"`
	}
	rows, messages, shared := make([]row, len(tasks)), make([]OutboxMessage, len(tasks)), sharedOptions{}
	for i, n := range tasks {
		rows[i], messages[i] = row{*n.Message.TaskID, n.FileID, shared.number(n.Options)}, n.Message
	}
	_, err := t.tx.Exec(ctx, `insert into sheetdrop.task (id, source_file_id, owner, options)
select n.id, n.file_id, f.owner, coalesce(($2::jsonb[])[n.options_no], (
  select t.options from sheetdrop.task t where t.source_file_id = n.file_id order by t.created_at desc, t.id desc limit 1))
from jsonb_to_recordset($1) as n (id uuid, file_id uuid, options_no int)
join sheetdrop.source_file f on f.id = n.file_id`, rows, shared)
	if err != nil {
		return fmt.Errorf("insert tasks: %w", err)
	}
	return t.InsertMessages(ctx, messages)
}
