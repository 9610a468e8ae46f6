//go:build unix

package devstack

import (
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// ownSession protects a child from the signals of our terminal.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// endInOrder sends the signal that shuts a program down in order.
func endInOrder(pid int, signal string) error { return unix.Kill(pid, unix.SignalNum(signal)) }

// needsOtherUser reports whether PostgreSQL has to run as another user, because it refuses to run as root.
func needsOtherUser() bool { return os.Geteuid() == 0 }

// useOtherUser makes PostgreSQL run as the owner of its data, or as nobody if there is none yet, with data in a folder
// that this user can reach.
func (p *postgresPart) useOtherUser() error {
	var err error
	if p.Data, err = passableData(p.Data); err != nil {
		return err
	}
	uid, gid := nobody()
	if info, err := os.Stat(p.Data); err == nil {
		uid, gid = owner(info)
	}
	p.UID, p.GID = &uid, &gid
	return nil
}

// nobody returns the user without rights.
func nobody() (uid, gid int) {
	if u, err := user.Lookup("nobody"); err == nil {
		uid, _ = strconv.Atoi(u.Uid)
		gid, _ = strconv.Atoi(u.Gid)
	}
	if uid == 0 || gid == 0 {
		return 65534, 65534
	}
	return uid, gid
}

func owner(info os.FileInfo) (uid, gid int) {
	stat := info.Sys().(*syscall.Stat_t)
	return int(stat.Uid), int(stat.Gid)
}

// passable reports whether every user can traverse the folder and its parents.
func passable(dir string) bool {
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm()&0o001 == 0 {
		return false
	}
	return dir == filepath.Dir(dir) || passable(filepath.Dir(dir))
}

// freeBytes returns what the disk of a folder has left.
func freeBytes(dir string) (int64, error) {
	var disk unix.Statfs_t
	if err := unix.Statfs(dir, &disk); err != nil {
		return 0, &os.PathError{Op: "statfs", Path: dir, Err: err}
	}
	return int64(float64(disk.Bavail) * float64(disk.Bsize)), nil // their types differ from system to system
}
