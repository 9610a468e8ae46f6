package receive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/undo"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/target"
	"sheetdrop/upload-api/internal/problem"
)

// findCorrected has a file of corrections go into the target into which the load went whose rejects it corrects, and returns that load; nil
// where the options name none. Whether it can still be corrected says NeedCorrected.
func (g *Given) findCorrected(ctx context.Context, db *postgres.DB, owner string) (*undo.Corrected, error) {
	given, err := sheetOptions(g.Options)
	text, _, ok := given.CorrectedSheet()
	if err != nil || !ok {
		return nil, err
	}
	if g.Target != nil {
		return nil, problem.Option(problem.InvalidOption, "corrects",
			"Corrected rejects go where the others of their file went: name no target, and none of its options.")
	}
	taskID, err := uuid.Parse(text)
	if err != nil {
		return nil, noSheet(given.Corrects)
	}
	found, err := undo.FindCorrected(ctx, db.SQL(), owner, taskID)
	if found != nil {
		g.Target = &target.Request{Name: found.TargetID.String(), Series: found.Series, Corrects: found.ID}
	}
	return found, err
}

// sheetOptions decodes parse options without a target; nil stands for none.
func sheetOptions(options json.RawMessage) (given sheet.Options, err error) {
	if len(options) == 0 {
		return given, nil
	}
	if err := json.Unmarshal(options, &given); err != nil {
		return given, fmt.Errorf("decode options: %w", err)
	}
	return given, nil
}

// NeedCorrected returns the problem of options that name a sheet to correct which the owner does not have, or whose load does not count any
// more. The worker looks again: it may be deleted, or undone, meanwhile.
func NeedCorrected(ctx context.Context, tx postgres.Tx, owner string, options json.RawMessage) error {
	given, err := correcting(options)
	if given == nil {
		return err
	}
	text, number, _ := given.CorrectedSheet()
	taskID, err := uuid.Parse(text)
	if err != nil {
		return noSheet(given.Corrects)
	}
	found, err := tx.CorrectedSheet(ctx, owner, taskID, number)
	switch {
	case errors.Is(err, postgres.ErrNotFound):
		return noSheet(given.Corrects)
	case err == nil && found.InTarget:
		return needLoad(ctx, tx, owner, taskID)
	}
	return err
}

// correcting returns whole options that name a sheet to correct, without the target in them, and nil for others.
func correcting(options json.RawMessage) (*sheet.Options, error) {
	if len(options) == 0 {
		return nil, nil
	}
	options, _, err := target.SplitOptions(options)
	if err != nil {
		return nil, err
	}
	given, err := sheetOptions(options)
	if _, _, corrects := given.CorrectedSheet(); err != nil || !corrects {
		return nil, err
	}
	return &given, nil
}

func noSheet(corrects string) *problem.Problem {
	return problem.New(problem.NotFound, "There is no sheet %s whose rejects can be corrected: name a sheet of a COMPLETED task of your own.", corrects)
}

// needLoad returns the problem of a load whose rejects are not corrected any more.
func needLoad(ctx context.Context, tx postgres.Tx, owner string, taskID uuid.UUID) error {
	load, err := undo.FindCorrected(ctx, tx.SQL(), owner, taskID)
	if err != nil {
		return err
	}
	if load == nil {
		return postgres.ErrNotFound
	}
	if en, ja := load.Refusal(); en != "" {
		return problem.New(problem.CannotCorrect, "corrects: %s", en).At(problem.Fault{Location: "corrects", Message: en, MessageJA: ja})
	}
	return nil
}
