package funchost

import (
	"fmt"
	"os"
	"syscall"
)

// reservePort finds a free port for the handler and keeps it from everybody who asks the system for any port, until
// release. The real host releases it before the handler binds it; where many hosts and servers start at once, as in
// tests, another server would get it, and the host would take that one's answers for the handler's.
//
// It works by a bound socket that does not listen: with SO_REUSEADDR, which Go's listeners set too, Linux lets one
// socket listen on such a port, and hands the port to nobody by itself.
func reservePort() (port int, release func(), err error) {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, nil, fmt.Errorf("a port for the handler: %w", os.NewSyscallError("socket", err))
	}
	release = func() { _ = syscall.Close(socket) }
	address, err := bindAnyPort(socket)
	if err != nil {
		release()
		return 0, nil, fmt.Errorf("a port for the handler: %w", err)
	}
	return address.Port, release, nil
}

func bindAnyPort(socket int) (*syscall.SockaddrInet4, error) {
	if err := syscall.SetsockoptInt(socket, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
		return nil, os.NewSyscallError("setsockopt", err)
	}
	if err := syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return nil, os.NewSyscallError("bind", err)
	}
	bound, err := syscall.Getsockname(socket)
	if err != nil {
		return nil, os.NewSyscallError("getsockname", err)
	}
	return bound.(*syscall.SockaddrInet4), nil
}
