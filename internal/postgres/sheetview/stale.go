package sheetview

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
)

// What Refresh has done with a view.
const (
	Kept    = "kept"    // it shows what it should
	Pointed = "pointed" // it shows the newest reading now
	Dropped = "dropped" // with the file, or the last reading, that it showed; or by somebody else before
	InUse   = "in use"  // others have built on it, or read it just now: it is left as it is until later
	Failed  = "failed"  // with Err: it is left as it is until later
)

// Refreshed is a view that Refresh has looked at.
type Refreshed struct {
	ID      uuid.UUID
	Owner   string
	Name    string
	Done    string   // Kept and so on
	InUseBy []string // set the first time that it is found to be in use
	Err     error    `db:"-"`
}

// When a view that could not be changed is tried again, and when one that somebody reads.
const (
	againLater  = time.Hour
	againLocked = time.Minute
)

// Refresh takes one view that is marked, because a reading of its file was completed or deleted, or the file was, and brings it in
// line: a pinned one shows its reading while that is there, another one the newest reading of its file. nil means that none is due.
func Refresh(ctx context.Context, tx postgres.Tx) (*Refreshed, error) {
	type staleView struct {
		Refreshed
		SheetID  int64
		Reported bool
	}
	found, err := database.One[staleView](ctx, tx.SQL(), `select id, owner, name, '' as done, '{}'::text[] as in_use_by, sheet_id, in_use_by is not null as reported
from sheetdrop.sheet_view where stale_at <= now() order by stale_at limit 1 for update skip locked`)
	if err != nil {
		return nil, fmt.Errorf("find a view to refresh: %w", err)
	}
	if found == nil {
		return nil, nil
	}
	wanted, err := sheetToShow(ctx, tx, found.ID)
	if err != nil {
		return nil, err
	}
	view := &found.Refreshed
	view.Done, err = bringInLine(ctx, tx, view.ID, found.SheetID, wanted)
	switch {
	case errors.Is(err, ErrInUse):
		return view, postponeInUse(ctx, tx, view, found.Reported)
	case errors.Is(err, ErrRead):
		view.Done = InUse
		return view, postpone(ctx, tx, view.ID, againLocked)
	case err != nil: // others are not to wait for it
		view.Done, view.Err = Failed, fmt.Errorf("view %s: %w", view.ID, err)
		return view, postpone(ctx, tx, view.ID, againLater)
	}
	return view, nil
}

// shown is what a view is to show.
type shown struct {
	There bool   // nobody else has dropped the view
	Sheet *int64 // nil where nothing is left to show
}

// sheetToShow returns what a locked view is to show. It must be a statement of its own: what it sees is what there is behind the lock, and
// what comes later marks the view again.
func sheetToShow(ctx context.Context, tx postgres.Tx, id uuid.UUID) (shown, error) {
	found, err := database.One[shown](ctx, tx.SQL(), `select `+thereSQL+` as there, coalesce(
  case when not v.pinned then `+newestReadingSQL("v.file_id", "v.sheet_number")+` end,
  (select s.id from sheetdrop.sheet s join sheetdrop.task t on t.id = s.task_id join sheetdrop.source_file f on f.id = t.source_file_id
   where s.id = v.sheet_id and f.deleted_at is null)) as sheet
from sheetdrop.sheet_view v where v.id = $1`, id)
	if err != nil {
		return shown{}, fmt.Errorf("find what view %s is to show: %w", id, err)
	}
	return *found, nil
}

// bringInLine changes the view in a transaction of its own within this one, which survives a refusal.
func bringInLine(ctx context.Context, outer postgres.Tx, id uuid.UUID, shows int64, wanted shown) (done string, err error) {
	err = pgx.BeginFunc(ctx, outer.SQL(), func(tx pgx.Tx) (err error) {
		if !wanted.There || wanted.Sheet == nil {
			done = Dropped
			return drop(ctx, tx, id, wanted.There)
		}
		done = Kept
		if *wanted.Sheet != shows {
			done = Pointed
			if _, err = tx.Exec(ctx, `update sheetdrop.sheet_view set sheet_id = $2 where id = $1`, id, *wanted.Sheet); err == nil {
				_, err = tx.Exec(ctx, `select sheetdrop.view_replace($1)`, id)
			}
		}
		if err == nil {
			_, err = tx.Exec(ctx, `update sheetdrop.sheet_view set stale_at = null, in_use_by = null where id = $1`, id)
		}
		return err
	})
	return done, changeError("change view", err)
}

// postpone has the view looked at again after a while.
func postpone(ctx context.Context, tx postgres.Tx, id uuid.UUID, pause time.Duration) error {
	if _, err := tx.SQL().Exec(ctx, `update sheetdrop.sheet_view set stale_at = now() + $2::interval where id = $1`, id, pause); err != nil {
		return fmt.Errorf("postpone view %s: %w", id, err)
	}
	return nil
}

// postponeInUse notes what depends on a view that could not be changed. InUseBy is set the first time only.
func postponeInUse(ctx context.Context, tx postgres.Tx, view *Refreshed, reported bool) error {
	view.Done = InUse
	err := tx.SQL().QueryRow(ctx, `update sheetdrop.sheet_view v set stale_at = now() + $2::interval, in_use_by = `+dependantsSQL+`
where v.id = $1 returning in_use_by`, view.ID, againLater).Scan(&view.InUseBy)
	if err != nil {
		return fmt.Errorf("postpone view %s: %w", view.ID, err)
	}
	if reported {
		view.InUseBy = nil
	}
	return nil
}
