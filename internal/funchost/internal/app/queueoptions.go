package app

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"
	"time"

	"sheetdrop/internal/funchost/internal/timing"
)

const (
	receiveLease = 10 * time.Minute       // for which a received message is hidden; it is renewed while the call runs
	shortestPoll = 100 * time.Millisecond // the first delay after an empty poll, and the unit of the later ones
)

// QueueOptions are host.json's extensions.queues, scaled.
type QueueOptions struct {
	BatchSize         int
	NewBatchThreshold int // the next batch is received when at most so many calls run
	MaxDequeueCount   int
	RetryDelay        time.Duration // for which a message is hidden after a failure ("visibilityTimeout")
	Lease             time.Duration // for which a received message is hidden, in whole seconds
	ShortestPoll      time.Duration
	LongestPoll       time.Duration
	Base64            bool
}

// queues reads and checks extensions.queues.
func (f hostFile) queues(scale timing.Scale) (QueueOptions, error) {
	q := f.Extensions.Queues
	o := QueueOptions{
		BatchSize:       ValueOr(q.BatchSize, 16),
		MaxDequeueCount: ValueOr(q.MaxDequeueCount, 5),
		RetryDelay:      scale.Of(time.Duration(ValueOr(q.VisibilityTimeout, 0))),
		Lease:           timing.WholeSeconds(scale.Of(receiveLease)),
	}
	o.NewBatchThreshold = ValueOr(q.NewBatchThreshold, o.BatchSize/2*runtime.NumCPU())
	longest := time.Duration(ValueOr(q.MaxPollingInterval, timing.Span(time.Minute)))
	o.ShortestPoll, o.LongestPoll = scale.Of(shortestPoll), scale.Of(longest)
	encoding := strings.ToLower(cmp.Or(q.MessageEncoding, "base64"))
	o.Base64 = encoding == "base64"
	switch {
	case o.BatchSize < 1 || o.BatchSize > 32:
		return o, fmt.Errorf("extensions.queues.batchSize %d is not in 1–32", o.BatchSize)
	case o.NewBatchThreshold < 0:
		return o, fmt.Errorf("extensions.queues.newBatchThreshold %d is negative", o.NewBatchThreshold)
	case o.MaxDequeueCount < 1:
		return o, fmt.Errorf("extensions.queues.maxDequeueCount %d is below 1", o.MaxDequeueCount)
	case longest < shortestPoll:
		return o, fmt.Errorf("extensions.queues.maxPollingInterval %v is below %v", longest, shortestPoll)
	case encoding != "base64" && encoding != "none":
		return o, fmt.Errorf("extensions.queues.messageEncoding %q is neither base64 nor none", encoding)
	}
	return o, nil
}
