package receive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/target"
	"sheetdrop/upload-api/internal/problem"
)

// NeedCorrected returns the problem of options that name a sheet to correct which the owner does not have. The worker looks again: the
// sheet may be deleted meanwhile.
func NeedCorrected(ctx context.Context, tx postgres.Tx, owner string, options json.RawMessage) error {
	if len(options) == 0 {
		return nil
	}
	options, into, err := target.SplitOptions(options)
	if err != nil {
		return err
	}
	var given sheet.Options
	if err := json.Unmarshal(options, &given); err != nil {
		return fmt.Errorf("decode options: %w", err)
	}
	text, number, ok := given.CorrectedSheet()
	if !ok {
		return nil
	}
	if into != nil {
		return problem.Option(problem.InvalidOption, "corrects", "Corrected rejects go into the sheet that they are of, not into a target.")
	}
	taskID, err := uuid.Parse(text)
	if err == nil {
		_, err = tx.CorrectedSheet(ctx, owner, taskID, number)
	}
	if errors.Is(err, postgres.ErrNotFound) {
		return problem.New(problem.NotFound, "There is no sheet %s whose rejects can be corrected: name a sheet of a COMPLETED task of your own.", given.Corrects)
	}
	return err
}
