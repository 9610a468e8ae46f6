package problem

import (
	"errors"
	"time"

	"sheetdrop/internal/postgres"
)

// openTasksPause is after how long it is worth trying again where too many tasks have not ended.
const openTasksPause = 30 * time.Second

// OfQuota returns the problem of a *postgres.QuotaError; other errors, and nil, stay as they are.
func OfQuota(err error) error {
	over, ok := errors.AsType[*postgres.QuotaError](err)
	switch {
	case !ok:
		return err
	case over.What == postgres.OpenTasks:
		return New(TooManyOpen, "With these you would have more than %d tasks that have not ended. Please wait for some to end.",
			over.Limit).after(openTasksPause)
	default:
		return New(QuotaExceeded, "With these you would have more than %d %s today. The next day begins at midnight UTC.", over.Limit,
			over.What).after(over.Ends)
	}
}
