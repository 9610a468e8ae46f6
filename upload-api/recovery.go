package upload

import (
	"context"
	"time"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
)

// Recovery is the time after a restore of the database in which no blob without a file is deleted.
type Recovery struct {
	NoticedAt  time.Time `json:"noticed_at"`
	RestoredTo time.Time `json:"restored_to" doc:"Nothing that was committed before is lost."`
}

// BeginRecovery says to which moment the database was restored.
type BeginRecovery struct {
	RestoredTo time.Time `json:"restored_to"`
}

// recoveries are the operations of a recovery.
type recoveries struct {
	operations
	blobs *azure.Blobs
}

type recoveryOutput struct{ Body Recovery }

// beginRecovery is for a restore that the relay cannot notice: nothing that was lost came before its next run.
func (r *recoveries) beginRecovery(ctx context.Context, in *struct{ Body BeginRecovery }) (*recoveryOutput, error) {
	_, err := r.actOnMany(ctx, task.NewID(), actBeginRecovery, in.Body, func(ctx context.Context, tx postgres.Tx) (int64, error) {
		begun, err := tx.BeginRecovery(ctx, in.Body.RestoredTo)
		if err == nil && !begun {
			err = problem.New(problem.Busy, "The relay is at work, and may be deleting blobs. Please try again.")
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

// endRecovery lets the sweep delete what has no file by now.
func (r *recoveries) endRecovery(ctx context.Context, _ *struct{}) (*changedOutput, error) {
	done, err := r.actOnMany(ctx, task.NewID(), actEndRecovery, struct{}{}, func(ctx context.Context, tx postgres.Tx) (int64, error) {
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

// recovery returns the one that is under way.
func (r *recoveries) recovery(ctx context.Context) (*postgres.Recovery, error) {
	recovery, err := r.db.Recovery(ctx)
	if err == nil && recovery == nil {
		err = noRecovery()
	}
	return recovery, err
}

func noRecovery() *problem.Problem {
	return problem.New(problem.NoRecovery,
		"No recovery is under way: the relay has noticed no restore of the database, and nobody has begun one.")
}
