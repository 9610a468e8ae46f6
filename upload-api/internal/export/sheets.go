package export

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
)

// Sheet is a sheet that a task found.
type Sheet struct {
	Number   int             `json:"number" doc:"The sheet's number, from 1, in file order."`
	Name     string          `json:"name"`
	Visible  bool            `json:"visible"`
	Dialect  sheet.Dialect   `json:"dialect" doc:"The dialect that was detected or chosen for the sheet."`
	Columns  []sheet.Column  `json:"columns"`
	Warnings []sheet.Warning `json:"warnings" doc:"Cells that were loaded but may not mean what their writer intended."`
	task.Counts
}

// SheetInput identifies a sheet of a task.
type SheetInput struct {
	ID     uuid.UUID `path:"id" format:"uuid"`
	Number int       `path:"number" minimum:"1" maximum:"2147483647" doc:"The sheet's number, from 1."`
}

// SheetsInput identifies a task and a page of its sheets.
type SheetsInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
	ListInput
}

// Sheets lists the sheets that a task found. A FAILED task can have sheets too: with rejects and without rows.
func (e *Exporter) Sheets(ctx context.Context, owner string, in *SheetsInput) (*huma.StreamResponse, error) {
	if _, err := e.endedTask(ctx, owner, in.ID, task.Completed, task.Failed); err != nil {
		return nil, err
	}
	list := listing[Sheet, int]{
		name: fmt.Sprintf("sheets/%s", in.ID),
		head: `{"items":[`,
		read: func(ctx context.Context, after, limit int) ([]Sheet, bool, error) {
			found, more, err := e.DB.Sheets(ctx, in.ID, after, limit)
			if err != nil {
				return nil, false, err
			}
			shown, err := showSheets(found)
			return shown, more, err
		},
		place: func(s Sheet) int { return s.Number },
		json:  asJSON(func(s Sheet) Sheet { return s }),
	}
	return answerList(ctx, e, owner, list, PageInput{ListInput: in.ListInput}, 0)
}

func showSheets(found []postgres.Sheet) ([]Sheet, error) {
	shown := make([]Sheet, len(found))
	for i, s := range found {
		var err error
		if shown[i], err = showSheet(s); err != nil {
			return nil, err
		}
	}
	return shown, nil
}

func showSheet(s postgres.Sheet) (Sheet, error) {
	shown := Sheet{Number: s.Number, Name: s.Name, Visible: s.Visible, Counts: s.Counts}
	if err := json.Unmarshal(s.Dialect, &shown.Dialect); err != nil {
		return shown, fmt.Errorf("dialect of sheet %d: %w", s.ID, err)
	}
	if err := json.Unmarshal(s.Warnings, &shown.Warnings); err != nil {
		return shown, fmt.Errorf("warnings of sheet %d: %w", s.ID, err)
	}
	var err error
	shown.Columns, err = columnsOf(s)
	return shown, err
}

// columnsOf decodes the columns that the engine wrote.
func columnsOf(s postgres.Sheet) ([]sheet.Column, error) {
	columns := []sheet.Column{}
	if err := json.Unmarshal(s.Columns, &columns); err != nil {
		return nil, fmt.Errorf("columns of sheet %d: %w", s.ID, err)
	}
	return columns, nil
}
