package upload

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"
)

// state is what is kept of a direct upload until it is completed, so that a later run can go on with it. It has no secret: only who began
// an upload can find it by its key.
type state struct {
	Key     string    `json:"idempotency_key"`
	Upload  uuid.UUID `json:"upload_id"` // nil until the server has answered
	File    string    `json:"file"`      // as fingerprint returns it
	SHA256  string    `json:"sha256"`    // of its bytes, as promised; "" if an older version has begun
	Options string    `json:"options"`   // as JSON, or ""
}

// newState returns that of an upload that has not begun.
func newState(file, sha256, options string) state {
	return state{Key: rand.Text(), File: file, SHA256: sha256, Options: options}
}

// stateFile is where the state of one file's upload to one server is kept. The zero value keeps nothing.
type stateFile struct{ path string }

// staleAfter is when a state that was left is of no use any more: a server keeps uploads for a day.
const staleAfter = 7 * 24 * time.Hour

// openState returns the place for a file's state in the user's cache folder, and removes stale states of others.
func openState(server, path string) (stateFile, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return stateFile{}, err
	}
	folder, err := os.UserCacheDir()
	if err != nil {
		return stateFile{}, err
	}
	folder = filepath.Join(folder, "sheetdrop", "uploads")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return stateFile{}, err
	}
	name := sha256.Sum256([]byte(server + "\x00" + path))
	return stateFile{filepath.Join(folder, hex.EncodeToString(name[:])+".json")}, removeStale(folder)
}

func removeStale(folder string) error {
	entries, err := os.ReadDir(folder)
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && time.Since(info.ModTime()) > staleAfter {
			_ = os.Remove(filepath.Join(folder, entry.Name())) // or the next run does
		}
	}
	return err
}

// read returns the state that was kept; found is false where there is none, or none that can be read.
func (f stateFile) read() (s state, found bool) {
	text, err := os.ReadFile(f.path)
	return s, err == nil && json.Unmarshal(text, &s) == nil && s.Key != ""
}

func (f stateFile) write(s state) error {
	if f.path == "" {
		return nil
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	to, err := os.CreateTemp(filepath.Dir(f.path), "new-*") // readable by the user alone
	if err != nil {
		return err
	}
	_, err = to.Write(text)
	if err = errors.Join(err, to.Close()); err == nil {
		err = os.Rename(to.Name(), f.path)
	}
	if err != nil {
		_ = os.Remove(to.Name())
	}
	return err
}

// remove makes a later run start anew. A state that stays does no harm: its upload is completed, or can be gone on with.
func (f stateFile) remove() { _ = os.Remove(f.path) }

// sampleBytes is how much of a file's beginning and of its end fingerprint reads.
const sampleBytes = 1 << 20

// fingerprint tells versions of a file apart by its size, the time of its last change, its beginning and its end: what a program that
// rewrites a file in its place, and even restores that time, would hardly leave as it was. The whole of a large file would take as long to
// read as to send. It is errChanged if the file has another size than that.
func fingerprint(file *os.File, size int64) (string, error) {
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	if info.Size() != size {
		return "", errChanged
	}
	sum := sha256.New()
	if err := json.NewEncoder(sum).Encode([]any{size, info.ModTime().UnixNano()}); err != nil {
		return "", err
	}
	for _, start := range []int64{0, max(0, size-sampleBytes)} {
		if _, err := io.Copy(sum, io.NewSectionReader(file, start, sampleBytes)); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
