package doctor

import (
	"context"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/postgres/overview"
)

// upkeep is how the whole stands, as the database tells it or, where that is out of reach, the server.
type upkeep struct {
	overview.Now
	overview.Upkeep
	neededSchema int64 // by the server; 0 where the database has told
}

// now is the database's clock.
func (u *upkeep) now() time.Time { return u.Upkeep.Now }

// readUpkeep asks the database, or else the server; nil, and why, where neither can tell.
func (e *examination) readUpkeep(ctx context.Context) (*upkeep, Finding) {
	if e.isSettled("schema.version") {
		return e.upkeepOfDatabase(ctx)
	}
	if e.isSettled("api.signin") {
		return e.upkeepOfServer(ctx)
	}
	if id := e.firstProblem(); id != "" {
		return nil, behind(id)
	}
	if e.HasDatabase {
		return nil, skipped(e.findings["schema.version"].Found)
	}
	return nil, skipped(words.In("neither the database is known nor an operator signed in: --database or --profile names one"))
}

func (e *examination) upkeepOfDatabase(ctx context.Context) (*upkeep, Finding) {
	if e.upkeep != nil {
		return e.upkeep, Finding{}
	}
	u := &upkeep{}
	err := e.db.Read(ctx, func(q database.Querier) (err error) {
		if u.Now, err = overview.Read(ctx, q); err != nil {
			return err
		}
		u.Upkeep, err = overview.ReadUpkeep(ctx, q)
		return err
	})
	if err != nil {
		return nil, unreadable(err)
	}
	e.upkeep = u
	return u, Finding{}
}

func (e *examination) upkeepOfServer(ctx context.Context) (*upkeep, Finding) {
	if e.told == nil {
		o, err := e.Server.Overview(ctx)
		if err != nil {
			if id := e.firstProblem(); id != "" { // of which this is a consequence
				return nil, behind(id)
			}
			return nil, unreadable(err)
		}
		e.told = told(o)
	}
	return e.told, Finding{}
}

// told returns what a server tells its operators. One of an older version tells nothing of its upkeep.
func told(o client.Overview) *upkeep {
	k := o.Upkeep
	return &upkeep{
		Now: overview.Now{
			Pending: o.Tasks.Pending, Processing: o.Tasks.Processing, Failed: o.Tasks.Failed, OldestPending: o.Tasks.OldestPending,
			OutboxFailed: o.Outbox.Failed, OutboxPending: o.Outbox.Pending, OutboxOldestDue: o.Outbox.OldestDue, DeadLetters: o.DeadLetters,
		},
		Upkeep: overview.Upkeep{
			Now: k.Now, SchemaVersion: k.SchemaVersion, MaintainedAt: k.MaintainedAt, ExpiredLeases: k.ExpiredLeases,
			LastRejection: k.LastRejection, NewDeadLetters: k.NewDeadLetters, InternalFailures: k.InternalFailures,
			OldestDeletedFile: k.OldestDeletedFile, DeadDeliveries: k.DeadDeliveries, RecoveringSince: k.RecoveringSince,
		},
		neededSchema: k.NeededSchema,
	}
}

// older reports how long a time is over, and whether that is more than a limit; nil is never.
func (u *upkeep) older(than *time.Time, limit time.Duration) (time.Duration, bool) {
	if than == nil {
		return 0, false
	}
	age := u.now().Sub(*than)
	return age.Round(time.Second), age > limit
}

func (e *examination) stateTimer(ctx context.Context) Finding {
	u, why := e.readUpkeep(ctx)
	if u == nil {
		return why
	}
	if u.now().IsZero() {
		return skipped(words.In("the server is older than this program, and does not tell; --database names the database"))
	}
	if age, late := u.older(&u.MaintainedAt, e.Thresholds.Timer); late {
		return problem(words.Sprintf("The timer has not done its work for %s.", age),
			words.In("Nobody reclaims the tasks of dead workers, sends what was not sent at once, or deletes."),
			words.In("Does the host run the function outbox-relay? Look at RELAY_SCHEDULE, at the host's storage (AzureWebJobsStorage), and for errors of maintenance in its log."))
	}
	return fine(words.In("The timer runs."))
}

// known returns what a check finds that needs state.timer, which has read the upkeep, or could not.
func (e *examination) known(ctx context.Context, judge func(*upkeep) Finding) Finding {
	if e.findings["state.timer"].State == Warning {
		return behind("state.timer")
	}
	u, why := e.readUpkeep(ctx)
	if u == nil {
		return why
	}
	return judge(u)
}

func (e *examination) stateRecovery(ctx context.Context) Finding {
	return e.known(ctx, func(u *upkeep) Finding {
		if u.RecoveringSince != nil {
			return problem(words.Sprintf("The database was restored to an earlier moment; that was noticed at %s.", u.RecoveringSince.Format(time.RFC3339)),
				words.In("Files of the time between are lost until they are recovered, and no blob without a file is deleted."),
				words.In("`sheetdrop recover` lists them, `sheetdrop recover --all` recovers them, and `sheetdrop recover --end` ends it."))
		}
		return fine(words.In("No recovery is open."))
	})
}

func (e *examination) stateLeases(ctx context.Context) Finding {
	return e.known(ctx, func(u *upkeep) Finding {
		if u.ExpiredLeases > 0 {
			return problem(words.Sprintf("%d tasks have a lease that ended minutes ago, and nobody has reclaimed it.", u.ExpiredLeases),
				words.In("Their workers are dead, and they do not go on."),
				words.In("Look for errors of the step `expired leases` in the handler's log."))
		}
		return fine(words.In("No lease has expired and was left."))
	})
}

func (e *examination) stateOutbox(ctx context.Context) Finding {
	return e.known(ctx, func(u *upkeep) Finding {
		age, late := u.older(u.OutboxOldestDue, e.Thresholds.Outbox)
		if !late {
			return fine(words.Sprintf("%d messages wait in the outbox.", u.OutboxPending))
		}
		found := words.Sprintf("A message has been due for %s and was not sent.", age)
		if u.LastRejection != "" {
			found = words.Sprintf("A message has been due for %s and was not sent: %s", age, u.LastRejection)
		}
		return problem(found, words.In("New files wait, and bytes of deleted files stay."),
			words.In("`sheetdrop outbox` lists what waits, with the reasons: usually the queue refuses messages for want of a role."))
	})
}

func (e *examination) stateFailed(ctx context.Context) Finding {
	return e.known(ctx, func(u *upkeep) Finding {
		if u.OutboxFailed > 0 {
			return warning(words.Sprintf("%d messages of the outbox are FAILED.", u.OutboxFailed), words.In("Nobody sends them until you say so."),
				words.In("`sheetdrop outbox --status=FAILED` says why. Once that is settled: sheetdrop redrive --all-failed"))
		}
		return fine(words.In("No message was given up."))
	})
}

func (e *examination) stateTasks(ctx context.Context) Finding {
	return e.known(ctx, func(u *upkeep) Finding {
		if age, late := u.older(u.OldestPending, e.Thresholds.PendingTask); late {
			return warning(words.Sprintf("%d tasks wait, one of them for %s.", u.Pending, age),
				words.In("Too few workers run, or the task waits for its turn in a target."),
				words.In("`sheetdrop tasks --all --status=PENDING` lists them. Allow more instances (maximumInstanceCount) where all workers are busy."))
		}
		return fine(words.Sprintf("%d tasks wait, %d run.", u.Pending, u.Processing))
	})
}

func (e *examination) stateDeadLetters(ctx context.Context) Finding {
	return e.known(ctx, func(u *upkeep) Finding {
		if u.NewDeadLetters > 0 {
			return warning(words.Sprintf("Dead letters of the last day: %d.", u.NewDeadLetters),
				words.In("The worker has failed five times with each of these messages. A task that one names goes on by a new message; this warning ends a day after the last one."),
				words.In("`sheetdrop dead-letters` lists them; `invocation failed` in the log says why the worker failed."))
		}
		return fine(words.In("There are no dead letters of the last day."))
	})
}

func (e *examination) stateFailures(ctx context.Context) Finding {
	return e.known(ctx, func(u *upkeep) Finding {
		if u.InternalFailures > 0 {
			return warning(words.Sprintf("%d files FAILED in the last day, and not for their content.", u.InternalFailures),
				words.In("Their owners wait for rows that do not come."),
				words.In("`sheetdrop tasks --all --status=FAILED` lists them. Once the cause is settled: sheetdrop redrive --tasks --all-failed"))
		}
		return fine(words.In("Nothing FAILED but for its file."))
	})
}

func (e *examination) statePurge(ctx context.Context) Finding {
	return e.known(ctx, func(u *upkeep) Finding {
		if age, late := u.older(u.OldestDeletedFile, e.Thresholds.Purge); late {
			return warning(words.Sprintf("A file that was deleted %s ago still has its rows or its bytes.", age),
				words.In("Deletion does not keep up, and the database and the store grow."),
				words.In("Look for errors of the steps `deleted files` and `deleted rows` in the handler's log; a shorter RELAY_PERIOD gives them more time."))
		}
		return fine(words.In("What was deleted is removed."))
	})
}

func (e *examination) stateWebhooks(ctx context.Context) Finding {
	return e.known(ctx, func(u *upkeep) Finding {
		if u.DeadDeliveries > 0 {
			return warning(words.Sprintf("%d events of webhooks were given up in the last day.", u.DeadDeliveries),
				words.In("Their receivers have not answered for days, or refuse them."),
				words.In("The owners see why, and send them again: GET /api/webhooks/{id}/deliveries. Does WEBHOOK_HOSTS name the host?"))
		}
		return fine(words.In("No event was given up."))
	})
}
