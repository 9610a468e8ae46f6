package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// addresses are where the parts of a running `sheetdrop local` are, for other programs. They stand in local.json.
type addresses struct {
	APIURL           string `json:"api_url"`     // ends in /api
	HostPID          int    `json:"host_pid"`    // the handler's parent, which stays
	HandlerPID       int    `json:"handler_pid"` // changes when the host starts the handler again
	DatabaseURL      string `json:"database_url"`
	BlobURL          string `json:"blob_url"`
	QueueURL         string `json:"queue_url"`
	ConnectionString string `json:"connection_string"`
}

func addressFile(data string) string { return filepath.Join(data, "local.json") }

func readAddresses(path string) (a addresses, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return a, err
	}
	return a, json.Unmarshal(text, &a)
}

// publication keeps local.json: it is there from when everything is ready until the end, and is replaced as a whole.
type publication struct {
	path string

	mu        sync.Mutex
	current   addresses
	published bool
}

// publish makes the addresses known.
func (p *publication) publish(a addresses) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current.HandlerPID != 0 { // handlerStarted knows better
		a.HandlerPID = p.current.HandlerPID
	}
	p.current, p.published = a, true
	return p.write()
}

// handlerStarted notes the process id of a new handler.
func (p *publication) handlerStarted(pid int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.current.HandlerPID = pid
	if !p.published {
		return nil
	}
	return p.write()
}

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
	if err := os.WriteFile(p.path+".new", append(text, '\n'), 0o600); err != nil { // it may hold a key
		return err
	}
	return os.Rename(p.path+".new", p.path)
}
