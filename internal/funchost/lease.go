package funchost

import (
	"context"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"
)

// messageLease keeps a message hidden while its call runs.
type messageLease struct {
	stop    context.CancelFunc
	receipt chan string // gets the latest pop receipt when renewal has stopped
}

// holdLease renews the message's invisibility at half of its time. After a storage error it tries sooner and sooner; it
// stops silently when the lease is lost.
func (t *queueTrigger) holdLease(life context.Context, m *azqueue.DequeuedMessage) *messageLease {
	ctx, stop := context.WithCancel(life)
	l := &messageLease{stop: stop, receipt: make(chan string, 1)}
	go func() {
		receipt := *m.PopReceipt
		regular := t.options.lease / 2
		shortest := timeScale(t.host.config.TimeScale).of(time.Minute)
		for wait := regular; ; {
			sleep(ctx, wait)
			if ctx.Err() != nil {
				break
			}
			// Not ctx: a renewal cut off half-way would leave us with a pop receipt that no longer counts.
			renewed, err := t.hide(life, m, receipt, t.options.lease)
			switch {
			case err == nil:
				receipt, wait = renewed, regular
			case lostLease(err):
				<-ctx.Done()
			default:
				wait = max(wait/2, min(shortest, regular))
			}
		}
		l.receipt <- receipt
	}()
	return l
}

// release ends the renewal and returns the pop receipt that settles the message.
func (l *messageLease) release() string {
	l.stop()
	return <-l.receipt
}
