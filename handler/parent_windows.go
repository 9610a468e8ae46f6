package main

import "os"

// waitForParentExit returns when the process with this id has exited. If watching it is not permitted, nothing is lost:
// on Windows the host runs the handler in a job object, and both exit together.
func waitForParentExit(parent int) {
	process, err := os.FindProcess(parent)
	if err == nil {
		_, err = process.Wait()
	}
	if err != nil {
		select {}
	}
}
