package devstack

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"sync"
	"time"
)

// lease is a connection to the keeper. While it is open, the parts run.
type lease struct {
	run  string // the keeper's run folder
	mu   sync.Mutex
	conn *net.TCPConn
	in   *bufio.Reader
}

// ports are where the parts answer; 0 for one that has never run.
type ports struct {
	Postgres int `json:"postgres"`
	Blob     int `json:"blob"`
	Queue    int `json:"queue"`
}

// request asks the keeper to start or stop parts; those that are nil stay as they are.
type request struct {
	Action   string `json:"action"`
	Postgres any    `json:"postgres,omitempty"`
	Azurite  any    `json:"azurite,omitempty"`
}

// connect gets a lease from the keeper that wrote this state. Another process may have its port by now: only the one
// that knows the process id, having been told the token, is the keeper.
func connect(ctx context.Context, s *state) (*lease, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)))
	if err != nil {
		return nil, err
	}
	l := &lease{run: s.Run, conn: conn.(*net.TCPConn), in: bufio.NewReader(conn)}
	var greeting struct {
		Keeper int `json:"keeper"`
	}
	err = l.ask(ctx, map[string]string{"token": s.Token}, &greeting)
	if err == nil && greeting.Keeper != s.PID {
		err = errors.New("another program has the keeper's port")
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return l, nil
}

// ask sends one line and reads the line that answers it.
func (l *lease) ask(ctx context.Context, question, answer any) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	line, err := json.Marshal(question)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { l.conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if _, err = l.conn.Write(append(line, '\n')); err == nil {
		line, err = l.in.ReadBytes('\n')
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("the keeper is gone: %w", err)
	}
	return json.Unmarshal(line, answer)
}

// do has the keeper carry out a request and returns when that is done.
func (l *lease) do(ctx context.Context, r request) (ports, error) {
	var answer struct {
		ports
		Error string `json:"error"`
	}
	if err := l.ask(ctx, r, &answer); err != nil {
		return ports{}, err
	}
	if answer.Error != "" {
		return ports{}, errors.New(answer.Error)
	}
	return answer.ports, nil
}

// end gives the lease back and waits for the keeper to take it: at once if it goes on, else when it has stopped the
// parts.
func (l *lease) end() error {
	defer l.conn.Close()
	if err := l.conn.CloseWrite(); err != nil {
		return nil // it is gone
	}
	l.conn.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := io.Copy(io.Discard, l.in); errors.Is(err, os.ErrDeadlineExceeded) {
		return errors.New("the keeper of PostgreSQL and Azurite does not end")
	}
	return nil
}
