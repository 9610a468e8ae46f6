package functionshost

import (
	"fmt"
	"net"
	"strconv"
)

// usualAddress is where `func` serves HTTP functions if no port is given, and what the documentation uses.
const usualAddress = "127.0.0.1:7071"

// Address returns the address of a port on this machine. For port 0 it is the usual one, or any that is free: then progress is told,
// because the commands of the documentation would reach another program.
func Address(progress func(format string, args ...any), port int) (string, error) {
	if port != 0 {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), nil
	}
	if listener, err := net.Listen("tcp", usualAddress); err == nil {
		return usualAddress, listener.Close()
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("no port is free: %w", err)
	}
	progress("%s is taken by another program: the API is served at %s", usualAddress, listener.Addr())
	return listener.Addr().String(), listener.Close()
}
