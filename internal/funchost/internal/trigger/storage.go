package trigger

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

// clientOptions make a storage client try as long as the real host's: six times within 24.8 s (0.8 s and twice as much
// each time; the pause after the n-th try is delay × (2ⁿ − 1) here), each try for at most 100 s.
// Source: Azure.Core's RetryOptions with Azure.Storage's defaults.
func (h Host) clientOptions() azcore.ClientOptions {
	const pauses = 1 + 3 + 7 + 15 + 31
	return azcore.ClientOptions{
		Transport: h.Storage,
		Retry: policy.RetryOptions{
			MaxRetries:    5,
			RetryDelay:    h.Scale.Of(24800*time.Millisecond) / pauses,
			MaxRetryDelay: h.Scale.Of(time.Minute),
			TryTimeout:    max(h.Scale.Of(100*time.Second), 20*time.Second), // a busy machine is no black hole
		},
	}
}

// answered reports whether storage has refused a request with one of the statuses.
func answered(err error, statuses ...int) bool {
	answer, ok := errors.AsType[*azcore.ResponseError](err)
	if !ok {
		return false
	}
	return slices.Contains(statuses, answer.StatusCode)
}

// answeredByFault reports whether storage answered with an internal error of its own.
func answeredByFault(err error) bool {
	answer, ok := errors.AsType[*azcore.ResponseError](err)
	return ok && answer.StatusCode >= http.StatusInternalServerError
}
