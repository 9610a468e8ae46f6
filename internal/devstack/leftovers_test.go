package devstack

import (
	"net"
	"os"
	"testing"
	"time"
)

// After a restart of the machine the ids and ports of an old state belong to others: those are left alone.
func TestOldState(t *testing.T) {
	t.Parallel()
	s := &state{PID: os.Getpid(), Run: t.TempDir(), Parts: []process{{os.Getpid(), "/tmp/sheetdrop-1/postgres", "SIGKILL"}}}
	if err := endLeftovers(t.Context(), s); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(s.Run); err != nil {
		t.Errorf("a folder that is no run folder is gone: %v", err)
	}
}

// A program that happens to have the keeper's port is not taken for it, whatever it answers.
func TestOtherProgramHasThePort(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"", "HTTP/1.1 400 Bad Request\r\n\r\n", "{}\n", `{"keeper":1}` + "\n"} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			conn.SetDeadline(time.Now().Add(time.Minute))
			conn.Read(make([]byte, 1024))
			conn.Write([]byte(answer))
		}()
		lease, err := connect(t.Context(), &state{PID: os.Getpid(), Port: listener.Addr().(*net.TCPAddr).Port, Token: "t"})
		if err == nil {
			lease.end()
			t.Errorf("%q is taken for a keeper", answer)
		}
		listener.Close()
	}
}
