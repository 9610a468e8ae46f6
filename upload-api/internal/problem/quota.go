package problem

import (
	"errors"
	"time"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/webhookstore"
)

// openPause is the Retry-After of a request that is refused because too many tasks or uploads are open.
const openPause = 30 * time.Second

// OfQuota returns the problem for a *postgres.QuotaError; other errors, and nil, are returned unchanged.
func OfQuota(err error) error {
	over, ok := errors.AsType[*postgres.QuotaError](err)
	switch {
	case !ok:
		return err
	case over.What == postgres.OpenTasks:
		return New(TooManyOpen, "This request would exceed your limit of %d open tasks. Please wait for some of them to end.",
			over.Limit).after(openPause)
	case over.What == postgres.OpenTargets:
		return New(TooManyTargets, "You already have %d targets, which is the limit. Drop one that is not needed any more.", over.Limit)
	case over.What == webhookstore.QuotaWebhooks:
		return New(TooManyWebhooks, "You already have %d webhooks, which is the limit. Delete one that is not needed any more.", over.Limit)
	case over.What == postgres.OpenUploads:
		return New(TooManyUploads, "With this one you would have more than %d uploads that are not completed. Complete some; those that are "+
			"aborted count for some 20 minutes more.", over.Limit).after(openPause)
	default:
		return New(QuotaExceeded, "This request would exceed your limit of %d %s a day. The next day begins at midnight UTC.", over.Limit,
			over.What).after(over.Ends)
	}
}
