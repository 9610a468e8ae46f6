package trigger

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"

	"sheetdrop/internal/funchost/internal/timing"
)

// messageLease keeps a message hidden while its call runs.
type messageLease struct {
	stop    context.CancelFunc
	receipt chan string // receives the latest pop receipt when renewal has stopped
}

// holdLease renews the message's invisibility at half of its time. It stops silently when the lease is lost: the message
// then runs again beside this call. Any other error ends the host.
func (t *queueTrigger) holdLease(l Life, m *azqueue.DequeuedMessage) *messageLease {
	ctx, stop := context.WithCancel(l.Calls)
	held := &messageLease{stop: stop, receipt: make(chan string, 1)}
	go func() {
		receipt := *m.PopReceipt
		for {
			timing.Sleep(ctx, t.options.Lease/2)
			if ctx.Err() != nil {
				break
			}
			// Not ctx: a renewal cut off half-way would leave us with a pop receipt that no longer counts.
			renewed, err := t.hide(l.Calls, m, receipt, t.options.Lease)
			if err != nil {
				t.settle(l, err)
				<-ctx.Done()
				break
			}
			receipt = renewed
		}
		held.receipt <- receipt
	}()
	return held
}

// release ends the renewal and returns the pop receipt that settles the message.
func (l *messageLease) release() string {
	l.stop()
	return <-l.receipt
}
