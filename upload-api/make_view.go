package upload

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/sheetview"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/viewname"
)

// viewMaking makes a view of a sheet in a transaction, which may be run again.
type viewMaking struct {
	ViewRequest
	name     string // of the view, as SQL reads it; "" for any that the sheet has, or else the first free one of those
	numbered string // behind this one, which is made of the file's
	fileID   uuid.UUID
	view     sheetview.New
	existing sheetview.View // that was found under the name, or of the sheet
}

// run returns ErrNothingDone where the view is there already.
func (m *viewMaking) run(ctx context.Context, tx postgres.Tx) error {
	if _, err := tx.LockFile(ctx, m.view.Owner, m.fileID); err != nil {
		return err
	}
	err := sheetview.Lock(ctx, tx, m.view.Owner)
	if err != nil {
		return err
	}
	m.existing, err = sheetview.Named(ctx, tx.SQL(), m.view.Owner, m.name, m.view.SheetID)
	if errors.Is(err, postgres.ErrNotFound) {
		return m.create(ctx, tx)
	}
	if err != nil {
		return err
	}
	return m.change(ctx, tx)
}

// viewNameOf makes a view's name of the file's and, in a workbook of several sheets, of the sheet's.
func viewNameOf(file task.SourceFile, t task.Task, sheet postgres.Sheet) string {
	if t.Summary != nil && len(t.Summary.Sheets) > 1 {
		return viewname.Of(file.Name, sheet.Name)
	}
	return viewname.Of(file.Name, "")
}

func (m *viewMaking) create(ctx context.Context, tx postgres.Tx) error {
	used, views, err := sheetview.NamesInUse(ctx, tx, m.view.Owner)
	if err != nil {
		return err
	}
	if views >= sheetview.Max {
		return problem.New(problem.TooManyViews, "You have %d views, as many as an owner may have. Drop some that you do not need any more.", views)
	}
	name := m.name
	for n := 1; name == ""; n++ {
		if free := viewname.Numbered(m.numbered, n); !used[free] {
			name = free
		}
	}
	if used[name] {
		return problem.New(problem.ViewNameTaken, "Your schema has something else of the name %s, which is no view of a sheet. Choose another name.", name)
	}
	m.view.Name = name
	return sheetview.Create(ctx, tx, m.view)
}

// change has the existing view show the sheet, if that is wanted and it does not yet. One that somebody has dropped in SQL is made again.
func (m *viewMaking) change(ctx context.Context, tx postgres.Tx) error {
	pointed := m.view
	pointed.ID = m.existing.ID
	if m.existing.Gone {
		return sheetview.Point(ctx, tx, pointed)
	}
	if m.existing.SheetID == m.view.SheetID {
		if m.Pinned == nil || *m.Pinned == m.existing.Pinned {
			return operation.ErrNothingDone
		}
		return sheetview.Pin(ctx, tx, m.existing.ID, *m.Pinned)
	}
	if !m.Replace {
		return problem.New(problem.ViewNameTaken,
			"%s shows sheet %d of %s. Send \"replace\": true to have it show this one, or choose another name.",
			m.existing.SQLName, m.existing.SheetNumber, m.existing.FileName)
	}
	return sheetview.Point(ctx, tx, pointed)
}
