package worker

import (
	"fmt"
	"net"
	"testing"
)

// The system assigns the handler's port to no other program, and the handler can listen on it, once.
func TestReservedPortIsGivenToNobodyElse(t *testing.T) {
	t.Parallel()
	port, release, err := ReservePort()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	address := fmt.Sprintf("127.0.0.1:%d", port)
	if conn, err := net.Dial("tcp", address); err == nil {
		t.Errorf("%v accepts although nobody listens", conn.RemoteAddr())
	}
	for range 2 { // a restarted handler listens again
		handler, err := net.Listen("tcp4", address)
		if err != nil {
			t.Fatal(err)
		}
		if second, err := net.Listen("tcp4", address); err == nil {
			t.Errorf("two listen on %v", second.Addr())
		}
		_ = handler.Close()
	}
}
