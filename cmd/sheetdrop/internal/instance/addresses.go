package instance

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Addresses are those of the services of a running `sheetdrop local`, for other programs. Its file is local.json.
type Addresses struct {
	APIURL           string `json:"api_url"`     // ends in /api
	HostPID          int    `json:"host_pid"`    // the handler's parent, which remains when
	HandlerPID       int    `json:"handler_pid"` // the handler is restarted
	DatabaseURL      string `json:"database_url"`
	BlobURL          string `json:"blob_url"`
	QueueURL         string `json:"queue_url"`
	ConnectionString string `json:"connection_string"`
}

func addressFile(data string) string { return filepath.Join(data, "local.json") }

// ReadAddresses returns the addresses of the instance that runs on a data folder. It is an error if none runs, or is not ready yet.
func ReadAddresses(data string) (a Addresses, err error) {
	text, err := os.ReadFile(addressFile(data))
	if err != nil {
		return a, err
	}
	return a, json.Unmarshal(text, &a)
}

func lockFile(data string) string { return filepath.Join(data, "local.lock") }

// lookAgain is the pause before a data folder that seems to be taken is tried again: IsTaken holds the lock for a moment.
const lookAgain = 20 * time.Millisecond

// IsTaken reports whether an instance has a data folder: it is starting, running or ending.
func IsTaken(data string) (bool, error) {
	if _, err := os.Stat(lockFile(data)); err != nil { // which the lock would make
		return false, nil //nolint:nilerr // nobody has had it yet
	}
	lock := flock.New(lockFile(data))
	free, err := lock.TryRLock()
	return err == nil && !free, errors.Join(err, lock.Close())
}

// publication maintains local.json. The file exists while everything is ready, and is replaced atomically.
type publication struct {
	path string

	mu        sync.Mutex
	current   Addresses
	published bool
}

// publish writes the file.
func (p *publication) publish(a Addresses) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current.HandlerPID != 0 { // that of the latest handlerStarted
		a.HandlerPID = p.current.HandlerPID
	}
	p.current, p.published = a, true
	return p.write()
}

// handlerStarted updates the process id of the handler.
func (p *publication) handlerStarted(pid int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.current.HandlerPID = pid
	if !p.published {
		return nil
	}
	return p.write()
}

// withdraw removes the file.
func (p *publication) withdraw() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.published = false
	if err := os.Remove(p.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (p *publication) write() error {
	text, err := json.MarshalIndent(p.current, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(p.path+".new", append(text, '\n'), 0o600); err != nil { // it has a password
		return err
	}
	return os.Rename(p.path+".new", p.path)
}
