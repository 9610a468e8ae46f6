package upload

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"sheetdrop/internal/postgres"
)

// openTasksPause is after how long it is worth trying again where too many tasks have not ended.
const openTasksPause = 30 * time.Second

// countUsage counts what this transaction accepts for the caller, and refuses it where that is more than the caller's quota. It comes last in the
// transaction, and not where a request finds what an earlier one has done: a repetition uses nothing.
func (h *Handler) countUsage(ctx context.Context, tx postgres.Tx, used postgres.Usage) error {
	return quotaProblem(tx.CountUsage(ctx, callerOf(ctx).Owner, used, h.settings.Quota))
}

// needQuota refuses an upload before its body is read where nothing of the caller's day is left.
func (h *Handler) needQuota(ctx context.Context, key string) error {
	if h.settings.Quota == (postgres.Quota{}) {
		return nil
	}
	return quotaProblem(h.db.DayLeft(ctx, callerOf(ctx).Owner, key, h.settings.Quota))
}

// quotaProblem makes a problem of what is over a quota; other errors stay as they are.
func quotaProblem(err error) error {
	over, ok := errors.AsType[*postgres.QuotaError](err)
	switch {
	case !ok:
		return err
	case over.What == postgres.OpenTasks:
		return problem(TooManyOpen, "With these you would have more than %d tasks that have not ended. Please wait for some to end.", over.Limit).after(openTasksPause)
	default:
		return problem(QuotaExceeded, "With these you would have more than %d %s today. The next day begins at midnight UTC.", over.Limit, over.What).after(over.Ends)
	}
}

// after says when it is worth trying again, in whole seconds.
func (p *Problem) after(pause time.Duration) *Problem {
	p.header = http.Header{"Retry-After": {strconv.Itoa(max(1, int(math.Ceil(pause.Seconds()))))}}
	return p
}
