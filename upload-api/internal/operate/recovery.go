package operate

import (
	"context"
	"time"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/problem"
)

// Recovery is the period after a restore of the database in which no blob without a file is deleted.
type Recovery struct {
	NoticedAt  time.Time `json:"noticed_at"`
	RestoredTo time.Time `json:"restored_to" doc:"The restore point: nothing committed before it is lost."`
}

// BeginRecovery says to which point in time the database was restored.
type BeginRecovery struct {
	RestoredTo time.Time `json:"restored_to"`
}

// recoveries has the operations of a recovery.
type recoveries struct {
	operation.Base
	blobs *azure.Blobs
}

type recoveryOutput struct{ Body Recovery }

// beginRecovery is for a restore that maintenance cannot notice because no run of it was lost: the restore point is
// later than its last one.
func (r *recoveries) beginRecovery(ctx context.Context, in *struct{ Body BeginRecovery }) (*recoveryOutput, error) {
	_, err := r.ActOnMany(ctx, task.NewID(), actBeginRecovery, in.Body, func(ctx context.Context, tx postgres.Tx) (int64, error) {
		begun, err := tx.BeginRecovery(ctx, in.Body.RestoredTo)
		if err == nil && !begun {
			err = problem.New(problem.Busy, "Maintenance is running and may be deleting blobs. Please try again.")
		}
		return 1, err
	})
	if err != nil {
		return nil, err
	}
	recovery, err := r.recovery(ctx)
	if err != nil {
		return nil, err
	}
	return &recoveryOutput{Recovery{recovery.NoticedAt, recovery.RestoredTo}}, nil
}

// endRecovery lets maintenance delete the blobs that still have no file.
func (r *recoveries) endRecovery(ctx context.Context, _ *struct{}) (*changedOutput, error) {
	done, err := r.ActOnMany(ctx, task.NewID(), actEndRecovery, struct{}{}, func(ctx context.Context, tx postgres.Tx) (int64, error) {
		ended, err := tx.EndRecovery(ctx)
		if err == nil && !ended {
			err = noRecovery()
		}
		return 1, err
	})
	if err != nil {
		return nil, err
	}
	return &changedOutput{changedBy(done)}, nil
}

// recovery returns the recovery in progress.
func (r *recoveries) recovery(ctx context.Context) (*postgres.Recovery, error) {
	recovery, err := r.DB.Recovery(ctx)
	if err == nil && recovery == nil {
		err = noRecovery()
	}
	return recovery, err
}

func noRecovery() *problem.Problem {
	return problem.New(problem.NoRecovery,
		"No recovery is in progress: no restore of the database was noticed, and nobody has begun a recovery.")
}
