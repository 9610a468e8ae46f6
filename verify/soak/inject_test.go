//go:build linux

package soak

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"sheetdrop/internal/chaos/faultproxy"
)

// breakThings injects each fault at its time, and returns when all are repaired.
func (s *soak) breakThings(t *testing.T, faults []fault) {
	byName := map[string]kind{}
	for _, k := range kinds {
		byName[k.name] = k
		for _, target := range k.targets {
			s.resources[target] = new(sync.Mutex)
		}
	}
	var mending sync.WaitGroup
	defer mending.Wait()
	for _, f := range faults {
		if !s.pause(t, time.Until(s.began.Add(f.at))) {
			return
		}
		mending.Go(func() {
			defer s.occupy(f.target)()
			f.at = time.Since(s.began) // later than planned, where it had to wait
			entry := s.journal.begin(f, s.busyNow(t))
			err := byName[f.kind].inject(t, s, f)
			s.journal.end(entry, time.Since(s.began), err)
			if err != nil && !errors.Is(err, errMissed) && t.Context().Err() == nil {
				t.Errorf("seed %d: %s: %v", s.seed, f, err)
			}
		})
	}
}

// occupy waits until nothing is wrong with a resource any more, and takes it: on a machine that has much to do a fault may last longer than the
// schedule has thought.
func (s *soak) occupy(target string) (leave func()) {
	resources := slices.Sorted(slices.Values(resourcesOf(target)))
	for _, r := range resources {
		s.resources[r].Lock()
	}
	return func() {
		for _, r := range resources {
			s.resources[r].Unlock()
		}
	}
}

// errMissed says that there was nothing that the fault could have hit.
var errMissed = errors.New("missed")

// pause waits as the schedule says; false where the test is over.
func (s *soak) pause(t *testing.T, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-t.Context().Done():
		return false
	}
}

// busyNow reports whether anything is at work that a fault could hurt.
func (s *soak) busyNow(t *testing.T) bool {
	if s.underWay.Load() > 0 {
		return true
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	var busy bool
	err := s.sql.QueryRow(ctx, `select exists (select from sheetdrop.task where status = 'PROCESSING')`).Scan(&busy)
	return err == nil && busy
}

func (s *soak) signal(f fault, signal os.Signal) (*os.Process, error) {
	handler, err := s.instances[f.target].handler()
	if err == nil {
		err = handler.Signal(signal)
	}
	if errors.Is(err, errDown) || errors.Is(err, os.ErrProcessDone) {
		err = errMissed
	}
	return handler, err
}

func killHandler(_ *testing.T, s *soak, f fault) error {
	_, err := s.signal(f, syscall.SIGKILL)
	return err
}

// killTwoTasks kills a handler in the middle of two loads at least.
func killTwoTasks(t *testing.T, s *soak, f fault) error {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), f.length)
	defer cancel()
	for {
		var loads int
		err := s.sql.QueryRow(ctx, `select count(*) from pg_stat_activity where application_name = $1 and xact_start is not null
and (query like 'copy %' or state = 'idle in transaction')`, applicationOf(f.target)).Scan(&loads)
		if err == nil && loads >= 2 {
			_, err := s.signal(f, syscall.SIGKILL)
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return errMissed
		}
	}
}

func stopHandler(_ *testing.T, s *soak, f fault) error {
	_, err := s.signal(f, syscall.SIGTERM)
	return err
}

func freezeHandler(t *testing.T, s *soak, f fault) error {
	handler, err := s.signal(f, syscall.SIGSTOP)
	if err != nil {
		return err
	}
	s.pause(t, f.length)
	err = handler.Signal(syscall.SIGCONT)
	if errors.Is(err, os.ErrProcessDone) {
		return nil // its host has ended meanwhile, as it does where storage is away, and has taken it along
	}
	return err
}

// shiftClock sets a handler's clock an hour forward or, for an even number of milliseconds, back.
func shiftClock(t *testing.T, s *soak, f fault) error {
	by := "1h"
	if f.length/time.Millisecond%2 == 0 {
		by = "-1h"
	}
	i := s.instances[f.target]
	if err := i.setShift(by); err != nil {
		return err
	}
	s.pause(t, f.length)
	return i.setShift("0s")
}

// setShift replaces the file, so that nobody reads half of it.
func (i *instance) setShift(by string) error {
	if err := os.WriteFile(i.shift+".new", []byte(by), 0o600); err != nil {
		return err
	}
	return os.Rename(i.shift+".new", i.shift)
}

func killHost(t *testing.T, s *soak, f fault) error {
	i := s.instances[f.target]
	i.kill()
	s.pause(t, f.length)
	return i.comeBack(t.Context())
}

func stopHost(t *testing.T, s *soak, f fault) error {
	i := s.instances[f.target]
	i.stop(t.Context())
	s.pause(t, f.length)
	return i.comeBack(t.Context())
}

func stopPostgres(t *testing.T, s *soak, f fault) error { return s.restartPostgres(t, f, false) }

func crashPostgres(t *testing.T, s *soak, f fault) error { return s.restartPostgres(t, f, true) }

func (s *soak) restartPostgres(t *testing.T, f fault, immediate bool) error {
	if err := s.stack.StopPostgres(t.Context(), immediate); err != nil {
		return err
	}
	s.pause(t, f.length)
	return s.stack.StartPostgres(t.Context())
}

// refuseWrites makes the server read-only, as one is that has been demoted, or that has run out of space in the platform's eyes.
func refuseWrites(t *testing.T, s *soak, f fault) error {
	set := func(sql string) error {
		if _, err := s.sql.Exec(t.Context(), sql); err != nil {
			return err
		}
		_, err := s.sql.Exec(t.Context(), `select pg_reload_conf()`)
		return err
	}
	if err := set(`alter system set default_transaction_read_only = on`); err != nil {
		return err
	}
	s.pause(t, f.length)
	return set(`alter system reset default_transaction_read_only`)
}

// stopStorage ends all connections first. Azurite waits for those that are open, and is killed where that takes too long: then it has lost what
// it had acknowledged, which no storage may.
func stopStorage(t *testing.T, s *soak, f fault) error {
	blobs, queue := s.links["blobs"], s.links["queue"]
	blobs.Cut()
	defer blobs.Restore(t)
	queue.Cut()
	defer queue.Restore(t)
	began := time.Now()
	if err := s.stack.StopStorage(t.Context()); err != nil {
		return err
	}
	if took := time.Since(began); took > 19*time.Second {
		return fmt.Errorf("storage took %s to stop: it was killed", took)
	}
	s.pause(t, f.length)
	return s.stack.StartStorage(t.Context())
}

func cutLink(t *testing.T, s *soak, f fault) error {
	return s.disturb(t, f, func(p *faultproxy.Proxy) { p.Cut() })
}

func resetLink(t *testing.T, s *soak, f fault) error {
	return s.disturb(t, f, func(p *faultproxy.Proxy) { p.Reset() })
}

func hangLink(t *testing.T, s *soak, f fault) error {
	return s.disturb(t, f, func(p *faultproxy.Proxy) { p.Hang() })
}

func delayLink(t *testing.T, s *soak, f fault) error {
	return s.disturb(t, f, func(p *faultproxy.Proxy) { p.Delay() })
}

func (s *soak) disturb(t *testing.T, f fault, disturbance func(*faultproxy.Proxy)) error {
	link := s.links[f.target]
	disturbance(link)
	s.pause(t, f.length)
	link.Restore(t)
	return nil
}
