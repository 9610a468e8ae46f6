package devstack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// home is the folder through which the users of one stack find each other: it has a lock and the state of the keeper.
type home struct {
	dir     string
	durable bool          // data is in dir; otherwise it is in the keeper's run folder and deleted with it
	grace   time.Duration // how long the keeper waits for another user
	flock   *flock.Flock
}

// state is what a keeper records about itself.
type state struct {
	PID   int       `json:"pid"`
	Port  int       `json:"port"`
	Token string    `json:"token"` // proves that a client may read the state
	Run   string    `json:"run"`   // a new folder for every keeper, with its logs and the data of a temporary stack
	Parts []process `json:"parts"`
}

// process is a running service.
type process struct {
	PID    int    `json:"pid"`
	Mark   string `json:"mark"`   // one of its arguments, which no other program has
	Signal string `json:"signal"` // shuts it down in order
}

// shareGrace is how long the shared stack outlives its last user: the test packages of one run follow each other.
const shareGrace = 2 * time.Second

// openHome creates the folder. That of a private stack is the keeper's run folder. That of the shared one has the
// keeper's version in its name, so that checkouts of different age do not share it.
func openHome(cache string, o Options) (*home, error) {
	h := &home{}
	var err error
	switch {
	case o.Private:
		h.dir, err = makeRunFolder()
	case o.Dir != "":
		h.durable = true
		h.dir, err = filepath.Abs(o.Dir)
	default:
		h.grace = shareGrace
		version := sha256.Sum256([]byte(keeperScript + manifest(azuriteFolder, lockFile) + manifest(postgresFolder, lockFile)))
		h.dir = filepath.Join(cache, "stack-"+hex.EncodeToString(version[:4]))
	}
	if err != nil {
		return nil, err
	}
	h.flock = flock.New(filepath.Join(h.dir, "stack.lock"))
	return h, os.MkdirAll(h.dir, 0o755)
}

// runFolder returns the folder of a new keeper.
func (h *home) runFolder() (string, error) {
	if h.grace == 0 && !h.durable {
		return h.dir, nil
	}
	return makeRunFolder()
}

// lock excludes other users of the same home until unlock.
func (h *home) lock(ctx context.Context) error {
	if _, err := h.flock.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return fmt.Errorf("wait for another user of %s: %w", h.dir, err)
	}
	return nil
}

func (h *home) unlock() { h.flock.Unlock() }

func (h *home) stateFile() string { return filepath.Join(h.dir, "stack.json") }

// readState returns the state that the last keeper wrote, or nil. Its file is replaced atomically.
func (h *home) readState() (*state, error) {
	text, err := os.ReadFile(h.stateFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var s state
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return nil, fmt.Errorf("read the keeper's state: %w", err)
	}
	return &s, nil
}

// join gets a lease from the keeper. If there is none, it calls starting and starts one. The lock must be held.
func (h *home) join(ctx context.Context, node node, starting func()) (*lease, error) {
	old, err := h.readState()
	if err != nil {
		return nil, err
	}
	if old != nil {
		if lease, err := connect(ctx, old); err == nil {
			return lease, nil
		}
		if err := endLeftovers(ctx, old); err != nil {
			return nil, err
		}
		if err := os.Remove(h.stateFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	starting()
	started, err := h.startKeeper(ctx, node)
	if err != nil {
		return nil, err
	}
	return connect(ctx, started)
}
