// Package watch finds the files in a folder that have been written completely, and has each of them handled once.
//
// The folder is polled rather than watched by the system's events: a shared folder, into which people drop files from other machines, has
// none, and an event says that something was written, not that nothing more will be.
package watch

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/upload"
)

// Folder is a folder that is watched.
type Folder struct {
	Path   string
	Every  time.Duration // how often it is looked at
	Settle time.Duration // how long a file must not have changed to be taken for complete
	Once   bool          // end when all files that were there have been handled
	Skip   func(Seen) bool

	// Handle handles complete files, oldest first. A file that it leaves where it is is handled again, after it has settled again.
	Handle func(ctx context.Context, files []Seen) error

	settling map[string]settling
}

// Seen is a version of a file.
type Seen struct {
	Path    string    `json:"path"`
	Size    int64     `json:"size"` // in bytes
	Changed time.Time `json:"changed"`
}

// settling is a version of a file that may be complete.
type settling struct {
	Seen
	since time.Time
}

// most is how many files are handled at once: what comes meanwhile waits for no more than these.
const most = 100

// Run watches the folder until ctx ends, or Handle returns an error.
func (f *Folder) Run(ctx context.Context) error {
	f.settling = map[string]settling{}
	for {
		complete, waiting, err := f.look()
		if err != nil {
			return err
		}
		if len(complete) > 0 {
			if err := f.Handle(ctx, complete[:min(len(complete), most)]); err != nil {
				return err
			}
			for _, seen := range complete[:min(len(complete), most)] {
				delete(f.settling, seen.Path)
			}
		}
		if f.Once && waiting == 0 && len(complete) <= most {
			return nil
		}
		if len(complete) > most {
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(f.Every):
		}
	}
}

// look returns the files that are complete, oldest first, and the number of those that may not be yet.
func (f *Folder) look() (complete []Seen, waiting int, err error) {
	entries, err := os.ReadDir(f.Path)
	if err != nil {
		return nil, 0, err
	}
	present := map[string]settling{}
	for _, entry := range entries {
		info, err := entry.Info() // an error is of a file that has just gone
		if err != nil || !info.Mode().IsRegular() || upload.IsTemporary(entry.Name()) {
			continue
		}
		now := settling{Seen{filepath.Join(f.Path, entry.Name()), info.Size(), info.ModTime()}, time.Now()}
		if f.Skip != nil && f.Skip(now.Seen) {
			continue
		}
		if before, known := f.settling[now.Path]; known && before.Same(now.Seen) {
			now.since = before.since
		}
		present[now.Path] = now
		if time.Since(now.since) >= f.Settle && now.Size > 0 {
			complete = append(complete, now.Seen)
		} else if now.Size > 0 {
			waiting++
		}
	}
	f.settling = present
	slices.SortFunc(complete, func(a, b Seen) int {
		return cmp.Or(a.Changed.Compare(b.Changed), cmp.Compare(a.Path, b.Path))
	})
	return complete, waiting, nil
}

// Same reports whether two versions of a file are the same.
func (s Seen) Same(other Seen) bool { return s.Size == other.Size && s.Changed.Equal(other.Changed) }

// Unchanged reports whether a file is still there as it was.
func (s Seen) Unchanged() bool {
	info, err := os.Stat(s.Path)
	return err == nil && s.Same(Seen{s.Path, info.Size(), info.ModTime()})
}
