//go:build unix

package devstack

import (
	"golang.org/x/sys/unix"
)

// endInOrder sends the signal by which a program ends in order.
func endInOrder(pid int, signal string) error {
	return unix.Kill(pid, unix.SignalNum(signal))
}
