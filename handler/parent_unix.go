//go:build unix

package main

import (
	"os"
	"time"
)

// waitForParentExit returns when the process with this id, which was this one's parent, has exited. An orphan gets
// another parent, process 1 or a subreaper, so any change counts; a parent that is process 1 from the start does not,
// because in a container that may be the host.
func waitForParentExit(parent int) {
	for range time.Tick(time.Second) {
		if os.Getppid() != parent {
			return
		}
	}
}
