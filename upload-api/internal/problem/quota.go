package problem

import (
	"errors"
	"time"

	"sheetdrop/internal/postgres"
)

// openPause is after how long it is worth trying again where too many tasks have not ended, or too many uploads.
const openPause = 30 * time.Second

// OfQuota returns the problem of a *postgres.QuotaError; other errors, and nil, stay as they are.
func OfQuota(err error) error {
	over, ok := errors.AsType[*postgres.QuotaError](err)
	switch {
	case !ok:
		return err
	case over.What == postgres.OpenTasks:
		return New(TooManyOpen, "With these you would have more than %d tasks that have not ended. Please wait for some to end.",
			over.Limit).after(openPause)
	case over.What == postgres.OpenUploads:
		return New(TooManyUploads, "With this one you would have more than %d uploads that are not completed. Complete some; those that are "+
			"given up count for some 20 minutes more.", over.Limit).after(openPause)
	default:
		return New(QuotaExceeded, "With these you would have more than %d %s today. The next day begins at midnight UTC.", over.Limit,
			over.What).after(over.Ends)
	}
}
