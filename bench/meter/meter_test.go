package meter_test

import (
	"os"
	"os/exec"
	"testing"

	"sheetdrop/bench/meter"
)

// What a program takes that a measured process has started counts as that process's.
func TestChildrenCount(t *testing.T) {
	shell := exec.Command("sh", "-c", `read go; (i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done); echo done; cat`)
	in, err := shell.StdinPipe()
	must(t, err)
	out, err := shell.StdoutPipe()
	must(t, err)
	must(t, shell.Start())
	var m meter.Meter
	remove := m.Add("shell", shell.Process.Pid)
	end := m.Begin()
	_, err = in.Write([]byte("\n"))
	must(t, err)
	_, err = out.Read(make([]byte, 5)) // it has counted
	must(t, err)
	usage := end()
	if usage.CPU["shell"] <= 0 {
		t.Errorf("the shell took %g s, want more than 0", usage.CPU["shell"])
	}
	if usage.Peak["shell"] <= 0 || usage.Peak["client"] <= usage.Peak["shell"] {
		t.Errorf("peaks %v: the shell has some memory, and this test more", usage.Peak)
	}
	remove()
	must(t, in.Close())
	must(t, shell.Wait())
	if _, still := m.Begin()().CPU["shell"]; still {
		t.Error("a process that was removed is measured")
	}
	if meter.Peak(os.Getpid()) <= 0 {
		t.Error("no peak of this process")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
