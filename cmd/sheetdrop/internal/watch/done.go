package watch

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Folders below the watched one, for files that have been handled.
const (
	Done   = "done"
	Failed = "failed"
)

// Move moves a file into a folder below its own, under another name if its own is taken there, and returns where it is now. A file that has
// changed in the meantime stays, and moved is empty.
func Move(file Seen, folder string) (moved string, err error) {
	path := file.Path
	to := filepath.Join(filepath.Dir(path), folder)
	if err := os.MkdirAll(to, 0o755); err != nil {
		return "", err
	}
	name := filepath.Base(path)
	ending := filepath.Ext(name)
	for n := 1; ; n++ {
		moved = filepath.Join(to, name)
		if n > 1 {
			moved = filepath.Join(to, fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ending), n, ending))
		}
		taken, err := os.OpenFile(moved, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644) // so that two that move at once take two names
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		if err := errors.Join(taken.Close(), os.Rename(path, moved)); err != nil {
			return "", errors.Join(err, os.Remove(moved))
		}
		if !(Seen{moved, file.Size, file.Changed}).Unchanged() {
			return "", putBack(moved, path)
		}
		return moved, nil
	}
}

// putBack returns a file to where it was, unless there is a newer one.
func putBack(moved, path string) error {
	if err := os.Link(moved, path); err != nil {
		return err
	}
	return os.Remove(moved)
}

// Record keeps which files of a folder have been handled, where they stay in it.
type Record struct {
	path    string
	handled map[string]Seen
}

// OpenRecord returns the record of a folder and a server, which is in the user's cache folder.
func OpenRecord(folder, server string) (*Record, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, "sheetdrop", "watch")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	name := sha256.Sum256([]byte(server + "\x00" + folder))
	r := &Record{filepath.Join(dir, hex.EncodeToString(name[:])+".json"), map[string]Seen{}}
	text, err := os.ReadFile(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &r.handled)
	}
	return r, err
}

// Has reports whether this version of a file was handled.
func (r *Record) Has(s Seen) bool {
	handled, known := r.handled[filepath.Base(s.Path)]
	return known && handled.Same(s)
}

// Add records that a version of a file was handled, and forgets files that are gone.
func (r *Record) Add(s Seen) error {
	r.handled[filepath.Base(s.Path)] = s
	for name := range r.handled {
		if _, err := os.Stat(filepath.Join(filepath.Dir(s.Path), name)); errors.Is(err, fs.ErrNotExist) {
			delete(r.handled, name)
		}
	}
	text, err := json.Marshal(r.handled)
	if err != nil {
		return err
	}
	if err := os.WriteFile(r.path+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(r.path+".new", r.path)
}
