package undo

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/target"
)

// Corrected is a load as far as it matters for corrections of its rejects, which are loads of their own. They count as long as it does.
type Corrected struct {
	ID           int64
	TargetID     uuid.UUID
	Mode         target.Mode
	Series       string // "" where it has none
	Mapping      target.Mapping
	Undone       bool              // or superseded
	SupersededBy *int64            // the load that has taken its place
	ReplacedBy   *int64            // the last load since that has replaced all rows of the target
	Partitions   []json.RawMessage // scopes of the loads since that have replaced the rows with some values
}

// FindCorrected returns the load that an owner's task has made; nil where it has made none.
func FindCorrected(ctx context.Context, q database.Querier, owner string, taskID uuid.UUID) (*Corrected, error) {
	found, err := database.One[Corrected](ctx, q, `select l.id, l.target_id, l.mode, coalesce(l.series, '') as series, l.mapping,
  l.undone_at is not null as undone, l.superseded_by, r.replaced_by, coalesce(r.partitions, '{}') as partitions
from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id
join sheetdrop.target_load l on l.task_id = t.id and l.corrects is null
cross join lateral (
  select max(n.id) filter (where n.scope->'columns' = '[]') as replaced_by,
    array_agg(n.scope order by n.id) filter (where n.scope->'columns' <> '[]') as partitions
  from sheetdrop.target_load n where n.target_id = l.target_id and n.id > l.id and n.undone_at is null and jsonb_typeof(n.scope) = 'object'
) r
where t.id = $1 and f.owner = $2 and f.deleted_at is null`, taskID, owner)
	if err != nil {
		return nil, fmt.Errorf("find the load to correct: %w", err)
	}
	return found, nil
}

// Refusal returns why the rejects of the load are not corrected any more, and what can be done instead; "" where they are.
func (c *Corrected) Refusal() (en, ja string) {
	switch {
	case c.SupersededBy != nil:
		return fmt.Sprintf("Load %d has taken the place of the load with these rejects. Correct the rejects of that one, or undo it first.", *c.SupersededBy),
			fmt.Sprintf("この取り込みは、取り込み%dに置き換えられました。そちらのレコードを修正するか、先にその取り込みを取り消してください。", *c.SupersededBy)
	case c.Undone:
		return "The load with these rejects has been undone. Parse its file again, and correct the rejects of that reading.",
			"この取り込みは取り消されています。ファイルをもう一度読み取り、そのレコードを修正してください。"
	case c.ReplacedBy != nil:
		return fmt.Sprintf("Load %d has replaced all rows of the target since. Undo it first, or upload the records into the target as a file of their own, without corrects.", *c.ReplacedBy),
			fmt.Sprintf("その後、取り込み%dが取り込み先のすべての行を置き換えました。先にそれを取り消すか、修正したレコードをcorrectsなしで別のファイルとしてアップロードしてください。", *c.ReplacedBy)
	}
	return "", ""
}

// CorrectingMode is how corrections of a load's rejects are loaded: they add to what it has brought, and replace nothing.
func (c *Corrected) CorrectingMode(hasKey bool) target.Mode {
	switch {
	case c.Mode != target.Replace:
		return c.Mode
	case hasKey:
		return target.Upsert
	}
	return target.Insert
}

// correcting is a load of corrected rejects.
type correcting struct {
	ID           int64
	IsSuperseded bool
}

// correctionsOf returns the corrections of a load that have not been undone, newest first.
func correctionsOf(ctx context.Context, tx pgx.Tx, targetID uuid.UUID, load int64) ([]correcting, error) {
	found, err := database.All[correcting](ctx, tx, `select id, superseded_by is not null as is_superseded from sheetdrop.target_load
where target_id = $1 and corrects = $2 and (undone_at is null or superseded_by is not null) order by id desc`, targetID, load)
	if err != nil {
		return nil, fmt.Errorf("find the corrections of a load: %w", err)
	}
	return found, nil
}

// reopen opens the rejects again that corrections have replaced, all of one load, which have been taken back. It is for after the last
// change of target_load.
func reopen(ctx context.Context, run *postgres.Load, loads []int64) error {
	of, err := database.One[struct {
		TaskID      uuid.UUID
		SheetNumber int
		Corrections []uuid.UUID
	}](ctx, run.SQL(), `select o.task_id, o.sheet_number, array_agg(l.task_id) as corrections
from sheetdrop.target_load l join sheetdrop.target_load o on o.id = l.corrects where l.id = any($1) group by o.id`, loads)
	if err != nil || of == nil {
		return err
	}
	return run.Tx().ReopenRejects(ctx, of.TaskID, of.SheetNumber, of.Corrections, run.TaskID())
}
