//go:build unix

package devstack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// passableData returns the folder of the data that belongs at path: path itself or, if other users cannot reach it (for
// example below root's home), a folder that they can reach, with path as a symbolic link to it. So removing path's
// folder resets the data wherever it is.
func passableData(path string) (string, error) {
	target, err := os.Readlink(path)
	switch {
	case err == nil:
		err := trusted(filepath.Dir(target))
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return target, err
		}
		if err := os.Remove(path); err != nil { // the link's target was removed
			return "", err
		}
	case passable(filepath.Dir(path)):
		return path, nil
	}
	parent := "/var/tmp" // survives a restart of the machine, unlike /tmp
	if !passable(parent) {
		parent = os.TempDir()
	}
	dir, err := os.MkdirTemp(parent, "sheetdrop-data-")
	if err != nil {
		return "", err
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return "", err
	}
	target = filepath.Join(dir, "postgres")
	if err := os.Symlink(target, path); err != nil {
		return "", errors.Join(err, os.Remove(dir))
	}
	return target, nil
}

// trusted returns an error for a folder that is not ours, or that others may write to: they could have put anything
// there.
func trusted(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if uid, _ := owner(info); !info.IsDir() || uid != os.Geteuid() || info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("the folder of PostgreSQL's data, %s, is not ours alone: remove it", dir)
	}
	return nil
}
