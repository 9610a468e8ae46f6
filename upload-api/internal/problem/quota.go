package problem

import (
	"errors"
	"time"

	"sheetdrop/internal/postgres"
)

// openTasksPause is the Retry-After of a request that is refused because too many tasks are open.
const openTasksPause = 30 * time.Second

// OfQuota returns the problem for a *postgres.QuotaError; other errors, and nil, are returned unchanged.
func OfQuota(err error) error {
	over, ok := errors.AsType[*postgres.QuotaError](err)
	switch {
	case !ok:
		return err
	case over.What == postgres.OpenTasks:
		return New(TooManyOpen, "This request would exceed your limit of %d open tasks. Please wait for some of them to end.",
			over.Limit).after(openTasksPause)
	default:
		return New(QuotaExceeded, "This request would exceed your limit of %d %s a day. The next day begins at midnight UTC.", over.Limit,
			over.What).after(over.Ends)
	}
}
