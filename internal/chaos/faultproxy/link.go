package faultproxy

import (
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// link is a client's connection and the one to the server that belongs to it.
type link struct {
	client, server net.Conn
	closed         chan struct{}
	closing        sync.Once
	asked          atomic.Bool // bytes have gone to the server since its last answer began
	hung           atomic.Bool // bytes have been lost
}

// run passes bytes both ways, as the current fault lets them, until either side ends.
func (l *link) run(current func() fault) {
	var answers sync.WaitGroup
	answers.Go(func() { l.pass(l.server, l.client, current) })
	l.pass(l.client, l.server, current)
	answers.Wait()
}

func (l *link) pass(from, to net.Conn, current func() fault) {
	defer l.close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 && !l.send(to, buffer[:n], current()) || err != nil {
			return
		}
	}
}

// send reports whether the link lives on.
func (l *link) send(to net.Conn, chunk []byte, f fault) bool {
	answer := to == l.client
	switch {
	case f == hang:
		l.hung.Store(true)
		return true
	case f == reset:
		l.reset()
		return false
	case f == delay && answer && l.asked.Load():
		l.wait(100*time.Millisecond + rand.N(200*time.Millisecond)) //nolint:gosec // no secret
	case f == throttle && answer:
		const bytesPerSecond = 3_000_000
		l.wait(time.Duration(len(chunk)) * time.Second / bytesPerSecond)
	}
	l.asked.Store(!answer)
	_, err := to.Write(chunk)
	return err == nil
}

// wait returns after that time, or when the link is closed.
func (l *link) wait(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-l.closed:
	}
}

// reset breaks both sides: each gets a RST, and what was still on its way is lost.
func (l *link) reset() {
	for _, side := range []net.Conn{l.client, l.server} {
		if tcp, ok := side.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
	}
	l.close()
}

func (l *link) close() {
	l.closing.Do(func() {
		close(l.closed)
		_ = l.client.Close()
		_ = l.server.Close()
	})
}
