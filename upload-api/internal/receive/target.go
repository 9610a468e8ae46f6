package receive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/sheet"
	"sheetdrop/upload-api/internal/problem"
)

// NeedTarget returns the problem of options that name a sheet to correct which the owner does not have. The worker looks again: the
// sheet may be deleted meanwhile.
func NeedTarget(ctx context.Context, tx postgres.Tx, owner string, options json.RawMessage) error {
	var given sheet.Options
	if err := json.Unmarshal(options, &given); len(options) > 0 && err != nil {
		return fmt.Errorf("decode options: %w", err)
	}
	text, number, ok := given.CorrectedSheet()
	if !ok {
		return nil
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
