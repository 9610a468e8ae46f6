package main

import "os"

// awaitParentEnd returns when the process with that id has ended. Where it may not be watched, nothing is lost: on Windows the host keeps
// the handler in a job object, which ends with it.
func awaitParentEnd(parent int) {
	process, err := os.FindProcess(parent)
	if err == nil {
		_, err = process.Wait()
	}
	if err != nil {
		select {}
	}
}
