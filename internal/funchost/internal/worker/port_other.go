//go:build !linux

package worker

import (
	"fmt"
	"net"
)

// ReservePort finds a free port for the handler. As with the real host, another program may take it before the handler
// does.
func ReservePort() (port int, release func(), err error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, nil, fmt.Errorf("a port for the handler: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, func() {}, nil
}

// ReserveAddress checks that no program listens on a TCP address; with port 0 it finds one. Another program may take it later.
func ReserveAddress(address string) (reserved string, release func(), err error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return "", nil, err
	}
	defer l.Close()
	return l.Addr().String(), func() {}, nil
}
