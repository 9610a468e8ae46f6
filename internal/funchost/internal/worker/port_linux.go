package worker

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"syscall"
)

// ReservePort finds a free port for the handler. Until release the system assigns it to no program that binds to any port. The real host
// releases it before the handler binds it; where many hosts and servers start at once, as in tests, another server would get it, and the
// host would take that one's answers for the handler's.
func ReservePort() (port int, release func(), err error) {
	address, release, err := ReserveAddress("127.0.0.1:0")
	if err != nil {
		return 0, nil, fmt.Errorf("a port for the handler: %w", err)
	}
	_, text, _ := net.SplitHostPort(address)
	port, err = strconv.Atoi(text)
	return port, release, err
}

// ReserveAddress reserves a TCP address without listening on it; with port 0 it finds one. An address on which a program
// listens already is an error.
//
// It works by a bound socket that does not listen: with SO_REUSEADDR, which Go's listeners set too, Linux lets one
// socket listen on such a port, and hands the port to nobody by itself.
func ReserveAddress(address string) (reserved string, release func(), err error) {
	resolved, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return "", nil, err
	}
	family, wanted := socketAddress(resolved)
	socket, err := syscall.Socket(family, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return "", nil, os.NewSyscallError("socket", err)
	}
	release = func() { _ = syscall.Close(socket) }
	port, err := bindReusable(socket, wanted)
	if err != nil {
		release()
		return "", nil, fmt.Errorf("%s: %w", address, err)
	}
	return (&net.TCPAddr{IP: resolved.IP, Port: port}).String(), release, nil
}

func socketAddress(a *net.TCPAddr) (family int, address syscall.Sockaddr) {
	if ip := a.IP.To4(); ip != nil {
		return syscall.AF_INET, &syscall.SockaddrInet4{Addr: [4]byte(ip), Port: a.Port}
	}
	return syscall.AF_INET6, &syscall.SockaddrInet6{Addr: [16]byte(a.IP.To16()), Port: a.Port}
}

func bindReusable(socket int, address syscall.Sockaddr) (port int, err error) {
	if err := syscall.SetsockoptInt(socket, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
		return 0, os.NewSyscallError("setsockopt", err)
	}
	if err := syscall.Bind(socket, address); err != nil {
		return 0, os.NewSyscallError("bind", err)
	}
	bound, err := syscall.Getsockname(socket)
	if err != nil {
		return 0, os.NewSyscallError("getsockname", err)
	}
	switch a := bound.(type) {
	case *syscall.SockaddrInet4:
		return a.Port, nil
	case *syscall.SockaddrInet6:
		return a.Port, nil
	}
	return 0, fmt.Errorf("an address of the kind %T", bound)
}
