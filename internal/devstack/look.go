package devstack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// IsProcess reports whether a process runs.
func IsProcess(pid int) bool { return pid > 0 && len(arguments(pid)) > 0 }

// Leftovers lists the services on a folder of data that still run although their keeper was killed. It changes nothing: Open ends them.
func Leftovers(dir string) (left []string, err error) {
	s, err := (&home{dir: dir}).readState()
	if err != nil || s == nil || isRunning(s.PID, s.Run) {
		return nil, err
	}
	for _, part := range s.Parts {
		if isRunning(part.PID, part.Mark) {
			left = append(left, fmt.Sprintf("%s (%d)", filepath.Base(part.Mark), part.PID))
		}
	}
	return left, nil
}

// KeptPorts returns the ports at which the services of a folder of data listened the last time, without those that never did.
func KeptPorts(dir string) (ports []int, err error) {
	h := &home{dir: dir, durable: true}
	for _, file := range []string{postgresPortFile, blobPortFile, queuePortFile} {
		port, failed := h.keptPort(file)
		ports, err = append(ports, port), errors.Join(err, failed)
	}
	return slices.DeleteFunc(ports, func(port int) bool { return port == 0 }), err
}

// FreeBytes returns how much the disk of a folder has left for this user; of a folder that is not there yet, that of the one above.
func FreeBytes(dir string) (int64, error) {
	for {
		_, err := os.Stat(dir)
		if err == nil {
			return freeBytes(dir)
		}
		if above := filepath.Dir(dir); errors.Is(err, fs.ErrNotExist) && above != dir {
			dir = above
			continue
		}
		return 0, err
	}
}
