package blocks

import (
	"context"
	"sync"
	"time"

	"sheetdrop/internal/clock"
)

// shortestLife is how long an address is used at least, unless it is refused: the clock by which its caller counts its life may be wrong.
const shortestLife = time.Minute

// addresses keeps the address that is valid. It is safe for concurrent use.
type addresses struct {
	renew func(context.Context) (Address, error)

	mu      sync.Mutex
	current Address // none where URL is empty
	age     func() time.Duration
}

// get returns an address of whose life half is left.
func (a *addresses) get(ctx context.Context) (url string, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.current.URL != "" && a.age() < max(shortestLife, a.current.Life/2) {
		return a.current.URL, nil
	}
	age := clock.Start()
	if a.current, err = a.renew(ctx); err != nil {
		return "", err
	}
	a.age = age
	return a.current.URL, nil
}

// discard makes the next call of get renew the address, unless that has been done since.
func (a *addresses) discard(url string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.current.URL == url {
		a.current = Address{}
	}
}
