package operate

import (
	"context"
	"time"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/overview"
)

// Overview is how the whole stands, for operators.
type Overview struct {
	Tasks       TaskCounts   `json:"tasks"`
	Outbox      OutboxCounts `json:"outbox"`
	DeadLetters int64        `json:"dead_letters" doc:"Messages that the queue gave up delivering; counted up to 10,000."`
	Hours       []Hour       `json:"hours" doc:"The last 24 hours, the current one last."`
	Upkeep      Upkeep       `json:"upkeep"`
}

// Upkeep is whether what has to happen by itself happens.
type Upkeep struct {
	Now               time.Time  `json:"now" doc:"The database's clock."`
	SchemaVersion     int64      `json:"schema_version" doc:"The newest migration that the database has."`
	NeededSchema      int64      `json:"needed_schema" doc:"The schema version that this server needs."`
	MaintainedAt      time.Time  `json:"maintained_at" doc:"When the timer last reclaimed expired leases."`
	ExpiredLeases     int64      `json:"expired_leases" doc:"Tasks whose lease ended more than two minutes ago and was not reclaimed; counted up to 10,000."`
	LastRejection     string     `json:"last_rejection" doc:"Why the message that is due and has waited longest was not sent the last time."`
	NewDeadLetters    int64      `json:"new_dead_letters" doc:"Of the last day; counted up to 10,000."`
	InternalFailures  int64      `json:"internal_failures" doc:"Files whose newest task FAILED within the last day, not for their content; counted up to 10,000."`
	OldestDeletedFile *time.Time `json:"oldest_deleted_file" doc:"When the file was deleted whose content has waited longest to be removed; null if none waits."`
	DeadDeliveries    int64      `json:"dead_deliveries" doc:"Events of webhooks that were given up within the last day; counted up to 10,000."`
	RecoveringSince   *time.Time `json:"recovering_since" doc:"When a restore of the database was noticed from which nobody has ended the recovery; null if there is none."`
}

// TaskCounts are the tasks of all owners that have not ended, and those that FAILED.
type TaskCounts struct {
	Pending       int64      `json:"pending"`
	Processing    int64      `json:"processing"`
	Failed        int64      `json:"failed" doc:"Files whose newest task is FAILED; counted up to 10,000."`
	OldestPending *time.Time `json:"oldest_pending" doc:"Since when the one that has waited longest has waited; null if none waits."`
}

// OutboxCounts are the messages that have not been sent.
type OutboxCounts struct {
	Pending   int64      `json:"pending"`
	Failed    int64      `json:"failed" doc:"They are not sent until an operator says so."`
	OldestDue *time.Time `json:"oldest_due" doc:"When the message that is due and has waited longest was due; null if none is."`
}

// Hour is what happened in one hour to tasks that were made within the last 24.
type Hour struct {
	Begin     time.Time `json:"begin"`
	Accepted  int64     `json:"accepted"`
	Completed int64     `json:"completed"`
	Failed    int64     `json:"failed"`
	Rows      int64     `json:"rows" doc:"Loaded."`
	Bytes     int64     `json:"bytes" doc:"Of the files of COMPLETED tasks."`
}

type overviewOutput struct{ Body Overview }

// getOverview returns how the whole stands.
func (o *operators) getOverview(ctx context.Context, _ *struct{}) (*overviewOutput, error) {
	now, err := overview.Read(ctx, o.DB.SQL())
	if err != nil {
		return nil, err
	}
	hours, err := overview.Hours(ctx, o.DB)
	if err != nil {
		return nil, err
	}
	upkeep, err := overview.ReadUpkeep(ctx, o.DB.SQL())
	if err != nil {
		return nil, err
	}
	return &overviewOutput{showOverview(now, hours, upkeep)}, nil
}

func showOverview(now overview.Now, hours []overview.Hour, u overview.Upkeep) Overview {
	shown := Overview{
		Tasks:       TaskCounts{now.Pending, now.Processing, now.Failed, now.OldestPending},
		Outbox:      OutboxCounts{now.OutboxPending, now.OutboxFailed, now.OutboxOldestDue},
		DeadLetters: now.DeadLetters,
		Hours:       make([]Hour, len(hours)),
		Upkeep: Upkeep{u.Now, u.SchemaVersion, postgres.NeededSchema, u.MaintainedAt, u.ExpiredLeases, u.LastRejection, u.NewDeadLetters,
			u.InternalFailures, u.OldestDeletedFile, u.DeadDeliveries, u.RecoveringSince},
	}
	for i, h := range hours {
		shown.Hours[i] = Hour(h)
	}
	return shown
}
