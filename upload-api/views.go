package upload

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/sheetview"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/viewname"
)

// The actions on a view, as recorded.
const (
	actDropView = "drop_view"
	actMakeView = "make_view"
)

// View is a typed view of a sheet in responses.
type View struct {
	ID          uuid.UUID  `json:"id" format:"uuid"`
	Name        string     `json:"name"`
	SQL         string     `json:"sql" doc:"The statement that reads the sheet, such as select * from data.orders"`
	FileID      uuid.UUID  `json:"file_id" format:"uuid"`
	FileName    string     `json:"file_name"`
	TaskID      *uuid.UUID `json:"task_id" format:"uuid" nullable:"true" doc:"The reading that it shows; null once that has been deleted."`
	SheetNumber int        `json:"sheet_number"`
	Pinned      bool       `json:"pinned" doc:"Whether it stays with this reading; else it follows the newest one of its file."`
	InUseBy     []string   `json:"in_use_by,omitempty" doc:"What depends on it, if that has kept it from following its file, or from going with it."`
	CreatedAt   time.Time  `json:"created_at"`
}

// ViewRequest says which view a sheet is to have.
type ViewRequest struct {
	Name    string `json:"name,omitempty" doc:"Letters, digits and _, 63 bytes at most. If it is missing it is made of the file's name, and numbered if it is taken."`
	Replace bool   `json:"replace,omitempty" doc:"Have the view of that name show this sheet, if it shows another one."`
	Pinned  *bool  `json:"pinned,omitempty" doc:"Whether it stays with this reading. If it is missing: only if the file has a newer one."`
}

type makeViewInput struct {
	export.SheetInput
	Body *ViewRequest
}

type makeViewOutput struct {
	Status int
	Body   View
}

type viewOutput struct{ Body View }

// ViewInput identifies a view. Its name may have characters that the host changes in a path.
type ViewInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

// views are the operations on typed views of sheets.
type views struct {
	operation.Base
	exporter *export.Exporter
}

func (v *views) getViews(ctx context.Context, in *export.ListInput) (*export.ListOutput[View], error) {
	before, err := export.DecodeCursor(in.Cursor, "views", uuid.Max)
	if err != nil {
		return nil, err
	}
	found, more, err := sheetview.List(ctx, v.DB, caller.Of(ctx).Owner, before, in.PageSize())
	if err != nil {
		return nil, err
	}
	return export.AnswerPage(ctx, found, more, "views", func(f sheetview.View) uuid.UUID { return f.ID }, showView), nil
}

func (v *views) getView(ctx context.Context, in *ViewInput) (*viewOutput, error) {
	found, err := sheetview.Find(ctx, v.DB, caller.Of(ctx).Owner, in.ID)
	if err != nil {
		return nil, err
	}
	return &viewOutput{showView(found)}, nil
}

// dropView drops a view that nothing depends on.
func (v *views) dropView(ctx context.Context, in *ViewInput) (*struct{}, error) {
	owner := caller.Of(ctx).Owner
	_, err := v.ActOn(ctx, task.NewID(), actDropView, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		if err := sheetview.Lock(ctx, tx, owner); err != nil {
			return err
		}
		return sheetview.Drop(ctx, tx, owner, in.ID)
	})
	return nil, v.explain(ctx, in.ID, err)
}

// makeView makes a view of a sheet, finds the one that is there, or has one show this sheet.
func (v *views) makeView(ctx context.Context, in *makeViewInput) (*makeViewOutput, error) {
	wanted := cmp.Or(in.Body, &ViewRequest{})
	name, err := checkViewName(wanted.Name)
	if err != nil {
		return nil, err
	}
	owner := caller.Of(ctx).Owner
	ended, sheet, err := v.exporter.LoadedSheet(ctx, owner, in.SheetInput)
	if err != nil {
		return nil, err
	}
	of, err := v.DB.File(ctx, owner, ended.SourceFileID)
	if err != nil {
		return nil, err
	}
	m := &viewMaking{ViewRequest: *wanted, name: name, numbered: viewNameOf(of.File, ended, sheet), fileID: of.File.ID, view: sheetview.New{
		ID: task.NewID(), Owner: owner, SheetID: sheet.ID, Pinned: wanted.Pinned,
	}}
	if wanted.Replace && name == "" {
		m.name = m.numbered
	}
	recorded, err := v.ActOn(ctx, m.view.ID, actMakeView, in.ID, m.run)
	if err != nil && !errors.Is(err, operation.ErrNothingDone) {
		return nil, v.explain(ctx, m.existing.ID, err)
	}
	found, err := sheetview.Find(ctx, v.DB, owner, recorded)
	if err == nil {
		return &makeViewOutput{http.StatusCreated, showView(found)}, nil
	}
	if errors.Is(err, postgres.ErrNotFound) {
		found, err = sheetview.Named(ctx, v.DB.SQL(), owner, m.name, sheet.ID)
	}
	return &makeViewOutput{http.StatusOK, showView(found)}, err
}

func checkViewName(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	checked, err := viewname.Check(name)
	if err != nil {
		return "", problem.New(problem.InvalidBody, "The name cannot be that of a view: %v.", err).
			At(problem.Fault{Location: "body.name", Message: err.Error()})
	}
	return checked, nil
}

// explain returns the problem for an error of changing a view; others, and nil, are returned unchanged.
func (v *views) explain(ctx context.Context, id uuid.UUID, err error) error {
	if errors.Is(err, sheetview.ErrRead) {
		return problem.New(problem.Busy, "Somebody reads the view just now, so it cannot be changed. Please try again.")
	}
	if errors.Is(err, sheetview.ErrNotAView) {
		return problem.New(problem.ViewNameTaken, "Your schema has something else of that name by now, which is no view. Choose another name.")
	}
	if !errors.Is(err, sheetview.ErrInUse) {
		return err
	}
	dependants, err := sheetview.Dependants(ctx, v.DB, id)
	if err != nil {
		return err
	}
	inUse := problem.New(problem.InUseBy,
		"The view is left as it is, because others were built on it and would be lost. Drop them first, or use another name.")
	faults := make([]problem.Fault, len(dependants))
	for i, name := range dependants {
		faults[i] = problem.Fault{Location: "view", Message: name}
	}
	return inUse.At(faults...)
}

func showView(v sheetview.View) View {
	return View{
		ID: v.ID, Name: v.Name, SQL: selectFrom(v.SQLName), FileID: v.FileID, FileName: v.FileName, TaskID: v.TaskID, SheetNumber: v.SheetNumber,
		Pinned: v.Pinned, InUseBy: v.InUseBy, CreatedAt: v.CreatedAt,
	}
}

func selectFrom(sqlName string) string { return "select * from " + sqlName }
