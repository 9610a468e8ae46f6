//go:build unix

package devstack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// ownSession keeps the signals of our terminal away from a child.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// needsOtherUser says whether PostgreSQL has to run as another user, as it refuses to run as root.
func needsOtherUser() bool { return os.Geteuid() == 0 }

// passable says whether every user can pass through the folder and those above it.
func passable(dir string) bool {
	for {
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm()&0o001 == 0 {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
		dir = filepath.Dir(dir)
	}
}

// useOtherUser has PostgreSQL run as the owner of its data, or as nobody if there is none yet. A data folder that this
// user could not reach is replaced by a link to one in a place that it can.
func (p *postgresPart) useOtherUser() error {
	uid, gid := 65534, 65534
	if nobody, err := user.Lookup("nobody"); err == nil {
		uid, _ = strconv.Atoi(nobody.Uid)
		gid, _ = strconv.Atoi(nobody.Gid)
	}
	if target, err := os.Readlink(p.Data); err == nil {
		if err := trusted(filepath.Dir(target)); errors.Is(err, fs.ErrNotExist) {
			if err := os.Remove(p.Data); err != nil { // somebody tidied up
				return err
			}
		} else if err != nil {
			return fmt.Errorf("the data of PostgreSQL is not where it should be: %w", err)
		}
	}
	if _, err := os.Lstat(p.Data); err != nil && !passable(filepath.Dir(p.Data)) {
		parent := "/var/tmp" // outlives a restart of the machine, unlike /tmp
		if !passable(parent) {
			parent = os.TempDir()
		}
		dir, err := os.MkdirTemp(parent, "sheetdrop-data-")
		if err != nil {
			return err
		}
		if err := os.Chmod(dir, 0o755); err != nil {
			return err
		}
		if err := os.Symlink(filepath.Join(dir, "postgres"), p.Data); err != nil {
			return err
		}
	}
	if target, err := os.Readlink(p.Data); err == nil {
		p.Data = target
	}
	if info, err := os.Stat(p.Data); err == nil {
		if owner := info.Sys().(*syscall.Stat_t); owner.Uid != 0 {
			uid, gid = int(owner.Uid), int(owner.Gid)
		}
	}
	p.UID, p.GID = &uid, &gid
	return nil
}

// trusted says whether a folder is ours and nobody else's to write to, so that nobody can have put anything into it.
func trusted(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	owner := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || int(owner.Uid) != os.Geteuid() || info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s is not a folder of ours alone", dir)
	}
	return nil
}
