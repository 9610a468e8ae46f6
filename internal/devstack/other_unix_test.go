//go:build unix

package devstack

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// asOtherUser is a command that runs this test binary as a user without rights, who owns that home; as ourselves, who
// have none, if we are not root.
func asOtherUser(t *testing.T, home string) *exec.Cmd {
	t.Helper()
	if os.Geteuid() != 0 {
		return exec.Command(os.Args[0])
	}
	uid, gid := nobody()
	for _, dir := range []string{home, filepath.Join(home, ".cache"), filepath.Join(home, ".cache", "sheetdrop")} {
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	program, err := os.ReadFile(os.Args[0]) // which lies in a folder of ours alone
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(home, "devstack.test")
	if err := os.WriteFile(binary, program, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary)
	cmd.Dir = home
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	return cmd
}
