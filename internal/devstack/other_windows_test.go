package devstack

import (
	"os"
	"os/exec"
	"testing"
)

// asOtherUser runs this test binary as ourselves.
func asOtherUser(*testing.T, string) *exec.Cmd { return exec.Command(os.Args[0]) }
