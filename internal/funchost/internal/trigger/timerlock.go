package trigger

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/lease"

	"sheetdrop/internal/funchost/internal/timing"
)

const (
	lockPeriod      = time.Minute      // for which a host has the lock, and after which others try again
	shortestLock    = 15 * time.Second // storage knows no shorter lease
	shortestRenewal = time.Second
)

// timerLock lets one host of several run a timer: a lease on a blob, renewed while the host lives. The lock of a
// host that was killed lasts for up to a minute, and others try only once a minute.
// Source: SingletonListener, SingletonManager and BlobLeaseDistributedLockManager of the WebJobs SDK.
type timerLock struct {
	container *container.Client
	blob      *blockblob.Client
	period    time.Duration // of the lease
	recovery  time.Duration // between two attempts while another host has the lock
	scale     timing.Scale
	log       *slog.Logger
}

func newTimerLock(h Host, function string) (*timerLock, error) {
	client, err := h.hostContainer()
	if err != nil {
		return nil, fmt.Errorf("the timer's lock: %w", err)
	}
	scale := h.Scale
	return &timerLock{
		container: client, blob: client.NewBlockBlobClient(fmt.Sprintf("locks/%s/Host.Functions.%s.Listener", h.ID, function)),
		period: timing.WholeSeconds(max(scale.Of(lockPeriod), shortestLock)), recovery: scale.Of(lockPeriod), scale: scale, log: h.Log,
	}, nil
}

// acquire takes the lock; nil without an error means that another host has it.
func (t *timerLock) acquire(ctx context.Context) (*lease.BlobClient, error) {
	held, err := lease.NewBlobClient(t.blob, nil)
	if err != nil {
		return nil, err
	}
	properties, err := t.blob.GetProperties(ctx, nil)
	if answered(err, http.StatusNotFound) {
		err = t.create(ctx)
	}
	if err != nil {
		return nil, err
	}
	if state := properties.LeaseState; state != nil && *state == lease.StateTypeLeased {
		return nil, nil
	}
	if _, err = held.AcquireLease(ctx, timing.Seconds(t.period), nil); answered(err, http.StatusConflict) {
		return nil, nil
	}
	return held, err
}

func (t *timerLock) create(ctx context.Context) error {
	err := uploadTo(ctx, t.container, t.blob, nil)
	if answered(err, http.StatusConflict, http.StatusPreconditionFailed) { // made, or leased, by another host
		return nil
	}
	return err
}

// await returns the lock as soon as it is free, or nil when the listeners stop. After a failure at the start it tries again in 2 s, later
// in up to two minutes; once another host was seen to have the lock, it tries once a period whatever happens.
func (t *timerLock) await(l Life) *lease.BlobClient {
	retry := pollBackoff{step: t.scale.Of(2 * time.Second), longest: t.scale.Of(2 * time.Minute)}
	for started := false; l.Listening.Err() == nil; {
		held, err := t.acquire(l.Listening)
		switch {
		case held != nil:
			return held
		case err == nil:
			started = true
			timing.Sleep(l.Listening, t.recovery)
		case started:
			timing.Sleep(l.Listening, t.recovery)
		default:
			t.log.Error("The listener for the timer was unable to start.", "exception", brief(err))
			timing.Sleep(l.Listening, retry.next())
		}
	}
	return nil
}

// keep renews the lock until ctx ends, and gives it up then. A transient error makes it try sooner; any other
// error, a lost lock among them, ends the host.
func (t *timerLock) keep(ctx context.Context, l Life, held *lease.BlobClient) {
	regular := t.period / 2
	for wait := regular; ; {
		timing.Sleep(ctx, wait)
		if ctx.Err() != nil {
			break
		}
		_, err := held.RenewLease(l.Calls, nil)
		switch {
		case err == nil:
			wait = regular
		case answeredByFault(err):
			t.log.Warn("Singleton lock renewal failed", "error", brief(err))
			wait = max(wait/2, shortestRenewal)
		default:
			l.Crash(err)
			<-ctx.Done()
		}
	}
	if _, err := held.ReleaseLease(l.Calls, nil); err != nil && !answered(err, http.StatusNotFound, http.StatusConflict) {
		t.log.Warn("Singleton lock release failed", "error", brief(err))
	}
}
