//go:build crashpoints

package crashpoint

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// What the process is asked to do, by its environment. All that it tells and is told later are files in a folder.
var (
	folder       = os.Getenv("CRASHPOINT_DIR")
	mode, target = cut(os.Getenv("CRASHPOINT"))                        // "before NAME", "after NAME" or "lost NAME"
	held         = os.Getenv("CRASHPOINT_HOLD")                        // the effect that waits for the file "release"
	through      = strings.Split(os.Getenv("CRASHPOINT_THROUGH"), ",") // functions that only do what they are given
)

// errLost is what a broken connection gives.
var errLost error = &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}

func cut(crash string) (mode, name string) {
	mode, name, _ = strings.Cut(crash, " ")
	return mode, name
}

// reach is called right before an effect.
func reach(ctx context.Context, name string) {
	if name == held {
		await(ctx, "release")
	}
	note(name)
	if fires("before", name) {
		die()
	}
}

// passed is called right after an effect.
func passed(name string) {
	if fires("after", name) {
		die()
	}
}

// loses reports whether the effect's answer is to be lost.
func loses(name string) bool { return fires("lost", name) }

// fires is true for the first process, of all that share the folder, that comes to the place: the file says that it is taken.
func fires(when, name string) bool {
	if when != mode || name != target {
		return false
	}
	fired, err := os.OpenFile(filepath.Join(folder, "fired"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return false
	}
	_ = fired.Close()
	return true
}

// die ends the process as the platform does: nothing deferred runs.
func die() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {}
}

func await(ctx context.Context, file string) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for ctx.Err() == nil {
		if _, err := os.Stat(filepath.Join(folder, file)); err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

var noted sync.Map

// note writes the name of each effect down, once a process, so that a test can find those that it does not know.
func note(name string) {
	if _, known := noted.LoadOrStore(name, true); known || folder == "" {
		return
	}
	reached, err := os.OpenFile(filepath.Join(folder, "reached"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	_, _ = reached.WriteString(name + "\n")
	_ = reached.Close()
}
