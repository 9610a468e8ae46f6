package operate

import (
	"context"
	"time"

	"sheetdrop/internal/postgres/overview"
)

// Overview is how the whole stands, for operators.
type Overview struct {
	Tasks       TaskCounts   `json:"tasks"`
	Outbox      OutboxCounts `json:"outbox"`
	DeadLetters int64        `json:"dead_letters" doc:"Messages that the queue gave up delivering; counted up to 10,000."`
	Hours       []Hour       `json:"hours" doc:"The last 24 hours, the current one last."`
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
	now, err := overview.Read(ctx, o.DB)
	if err != nil {
		return nil, err
	}
	hours, err := overview.Hours(ctx, o.DB)
	if err != nil {
		return nil, err
	}
	return &overviewOutput{showOverview(now, hours)}, nil
}

func showOverview(now overview.Now, hours []overview.Hour) Overview {
	shown := Overview{
		Tasks:       TaskCounts{now.Pending, now.Processing, now.Failed, now.OldestPending},
		Outbox:      OutboxCounts{now.OutboxPending, now.OutboxFailed, now.OutboxOldestDue},
		DeadLetters: now.DeadLetters,
		Hours:       make([]Hour, len(hours)),
	}
	for i, h := range hours {
		shown.Hours[i] = Hour(h)
	}
	return shown
}
