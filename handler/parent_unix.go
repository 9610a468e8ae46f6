//go:build unix

package main

import (
	"os"
	"time"
)

// awaitParentEnd returns when the process with that id has ended, which was this one's parent. An orphan gets another parent: process 1, or
// a subreaper. So any change tells; that the parent is process 1 does not, as in a container that may be the host.
func awaitParentEnd(parent int) {
	for range time.Tick(time.Second) {
		if os.Getppid() != parent {
			return
		}
	}
}
