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

// lease is a connection to the keeper. While it is open, the services run.
type lease struct {
	run  string // the keeper's run folder
	mu   sync.Mutex
	conn *net.TCPConn
	in   *bufio.Reader
}

// ports are those of the services; 0 for one that has never run.
type ports struct {
	Postgres int `json:"postgres"`
	Blob     int `json:"blob"`
	Queue    int `json:"queue"`
}

// request asks the keeper to start or stop services; nil leaves a service as it is.
type request struct {
	Action   string `json:"action"`
	Postgres any    `json:"postgres,omitempty"`
	Azurite  any    `json:"azurite,omitempty"`
}

// connect gets a lease from the keeper that wrote this state. Another process may use its port by now: only a process
// that knows the process id, after it has received the token, is the keeper.
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

// ask sends one line and reads the line of the response.
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

// do sends a request to the keeper and returns when it has been carried out.
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

// await returns true when the keeper has ended, and with it the services, and why, if it has said so; or false when ctx ends. Nothing is
// asked meanwhile.
func (l *lease) await(ctx context.Context) (reason string, ended bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	stop := context.AfterFunc(ctx, func() { l.conn.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	line, _ := l.in.ReadBytes('\n') // it says nothing unasked but why a service has ended
	if ctx.Err() == nil {
		var told struct{ Error string }
		_ = json.Unmarshal(line, &told) // or it has ended without a word
		return told.Error, true
	}
	l.conn.SetReadDeadline(time.Time{})
	return "", false
}

// end returns the lease and waits for the keeper to confirm: at once if it continues, otherwise when it has stopped the
// services.
func (l *lease) end() error {
	defer l.conn.Close()
	if err := l.conn.CloseWrite(); err != nil {
		return nil // the keeper has ended
	}
	l.conn.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := io.Copy(io.Discard, l.in); errors.Is(err, os.ErrDeadlineExceeded) {
		return errors.New("the keeper of PostgreSQL and Azurite does not end")
	}
	return nil
}
