package funchost

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"
	"time"
)

// receiveLease is for how long a received message is hidden; it is renewed while the call runs.
const receiveLease = 10 * time.Minute

// queueOptions are host.json's extensions.queues, scaled.
type queueOptions struct {
	batchSize         int
	newBatchThreshold int // the next batch is received when at most so many calls run
	maxDequeueCount   int
	retryDelay        time.Duration // how long a message is hidden after a failure ("visibilityTimeout")
	lease             time.Duration
	pollBackoff       pollBackoff
	base64            bool
}

// queues reads and checks extensions.queues.
func (f hostFile) queues(scale timeScale) (queueOptions, error) {
	q := f.Extensions.Queues
	o := queueOptions{
		batchSize:       valueOr(q.BatchSize, 16),
		maxDequeueCount: valueOr(q.MaxDequeueCount, 5),
		retryDelay:      scale.of(time.Duration(valueOr(q.VisibilityTimeout, 0))),
		lease:           wholeSeconds(scale.of(receiveLease)),
	}
	o.newBatchThreshold = valueOr(q.NewBatchThreshold, o.batchSize/2*runtime.NumCPU())
	longest := time.Duration(valueOr(q.MaxPollingInterval, timeSpan(time.Minute)))
	o.pollBackoff = pollBackoff{step: scale.of(shortestPoll), longest: scale.of(longest)}
	encoding := strings.ToLower(cmp.Or(q.MessageEncoding, "base64"))
	o.base64 = encoding == "base64"
	switch {
	case o.batchSize < 1 || o.batchSize > 32:
		return o, fmt.Errorf("extensions.queues.batchSize %d is not in 1–32", o.batchSize)
	case o.newBatchThreshold < 0:
		return o, fmt.Errorf("extensions.queues.newBatchThreshold %d is negative", o.newBatchThreshold)
	case o.maxDequeueCount < 1:
		return o, fmt.Errorf("extensions.queues.maxDequeueCount %d is below 1", o.maxDequeueCount)
	case longest < shortestPoll:
		return o, fmt.Errorf("extensions.queues.maxPollingInterval %v is below %v", longest, shortestPoll)
	case encoding != "base64" && encoding != "none":
		return o, fmt.Errorf("extensions.queues.messageEncoding %q is neither base64 nor none", encoding)
	}
	return o, nil
}

// wholeSeconds rounds up: storage keeps visibility in seconds.
func wholeSeconds(d time.Duration) time.Duration {
	return (d + time.Second - 1).Truncate(time.Second)
}

func seconds(d time.Duration) int32 { return int32(wholeSeconds(d) / time.Second) }
