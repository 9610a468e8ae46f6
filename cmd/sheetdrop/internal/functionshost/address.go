package functionshost

import (
	"net"
	"strconv"

	"sheetdrop/cmd/sheetdrop/internal/words"
)

// usualAddress is where `func` serves HTTP functions if no port is given, and what the documentation uses.
const usualAddress = "127.0.0.1:7071"

// Address returns the address of a port on this machine. For port 0 it is that of the last time or, the first time, the usual one, or any
// that is free: then progress is told, because the commands of the documentation would reach another program.
func Address(progress func(format string, args ...any), port, last int) (string, error) {
	if port != 0 {
		return at(port), nil
	}
	wanted := usualAddress
	if last != 0 {
		wanted = at(last)
	}
	if listener, err := net.Listen("tcp", wanted); err == nil {
		return wanted, listener.Close()
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", words.Errorf("no port is free: %w", err)
	}
	progress("%s is taken by another program: the API is served at %s", wanted, listener.Addr())
	return listener.Addr().String(), listener.Close()
}

func at(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
