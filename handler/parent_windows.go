package main

import "os"

// waitForParentExit returns when the process with that id has exited. Where it may not be watched, nothing is lost: on Windows the host runs
// the handler in a job object, and both exit together.
func waitForParentExit(parent int) {
	process, err := os.FindProcess(parent)
	if err == nil {
		_, err = process.Wait()
	}
	if err != nil {
		select {}
	}
}
