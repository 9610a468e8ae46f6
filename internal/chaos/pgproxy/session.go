package pgproxy

import (
	"bufio"
	"net"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgproto3"
)

// session is one client's connection and the one to the server that belongs to it.
type session struct {
	proxy          *Proxy
	client, server net.Conn
	statements     map[string]string // text by name of the prepared statements
	silent         atomic.Bool       // nothing is passed on any more, and nobody is told
	answersEnded   chan struct{}     // closed when the server will send no more

	// The server ends its answer to each question, the start of the session being the first, with one ReadyForQuery, and has committed by
	// then what stood outside a transaction. Counting both tells which answer belongs to which question.
	mu              sync.Mutex
	asked, answered int
	secret          int    // the question whose answer the client must not see, as the count of asked; 0: none
	onSecret        func() // called when that answer has come, just before the session is broken
}

func newSession(p *Proxy, client, server net.Conn) *session {
	return &session{proxy: p, client: client, server: server, statements: map[string]string{}, answersEnded: make(chan struct{})}
}

// run passes messages both ways until either side ends.
func (s *session) run() {
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(s.answersEnded)
		s.passAnswers()
		s.close()
	})
	s.passQuestions()
	if s.keepsSecret() {
		<-s.answersEnded // the server has to get to the end of it, whether its client is there or not
	}
	s.close()
	wg.Wait()
}

func (s *session) passQuestions() {
	in, out := bufio.NewReader(s.client), bufio.NewWriter(s.server)
	m, err := readStartup(in)
	for err == nil {
		if s.silent.Load() {
			m, err = readMessage(in)
			continue
		}
		if !s.apply(s.faultAt(m)) {
			return
		}
		s.countQuestion(m)
		if err = m.write(out); err == nil && in.Buffered() == 0 {
			err = out.Flush()
		}
		if err == nil {
			m, err = readMessage(in)
		}
	}
	_ = out.Flush()
}

// faultAt returns the fault that strikes at this message, or nil.
func (s *session) faultAt(m message) *fault {
	switch m.kind {
	case 'Q':
		var q pgproto3.Query
		if q.Decode(m.body) == nil {
			return s.proxy.strike(q.String)
		}
	case 'P': // prepares; a B executes
		var p pgproto3.Parse
		if p.Decode(m.body) == nil {
			s.statements[p.Name] = p.Query
		}
	case 'B':
		var b pgproto3.Bind
		if b.Decode(m.body) == nil {
			return s.proxy.strike(s.statements[b.PreparedStatement])
		}
	}
	return nil
}

// apply does what the fault asks for, and reports whether its message may then be passed on.
func (s *session) apply(f *fault) bool {
	switch {
	case f == nil:
	case f.moment == before:
		s.proxy.countCut()
		s.reset()
		return false
	case f.moment == after:
		s.keepSecret(s.proxy.countCut)
	case f.moment == late:
		s.keepSecret(func() {})
		s.proxy.countCut()
		f.held.session = s
		close(f.held.caught)
		reset(s.client)
		select {
		case <-f.held.release:
		case <-s.answersEnded:
			return false
		}
	}
	return true
}

// keepSecret withholds the answer to the question that is about to be passed on, and breaks the session when the answer is complete.
func (s *session) keepSecret(then func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.secret, s.onSecret = s.asked+1, then
}

func (s *session) keepsSecret() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.secret != 0
}

// countQuestion counts the messages that the server answers with a ReadyForQuery.
func (s *session) countQuestion(m message) {
	if m.kind == startup || m.kind == 'Q' || m.kind == 'S' || m.kind == 'F' {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked++
	}
}

func (s *session) passAnswers() {
	in, out := bufio.NewReader(s.server), bufio.NewWriter(s.client)
	for {
		m, err := readMessage(in)
		if err != nil {
			return
		}
		secret, complete := s.countAnswer(m)
		switch {
		case s.silent.Load():
			continue
		case secret && complete:
			_ = out.Flush() // earlier answers are no secret
			s.onSecret()
			s.reset()
			return
		case secret:
			continue
		}
		if m.write(out) != nil || in.Buffered() == 0 && out.Flush() != nil {
			return
		}
	}
}

// countAnswer reports whether the message belongs to an answer that must not be passed on, and whether it completes an answer.
func (s *session) countAnswer(m message) (secret, complete bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	secret = s.secret != 0 && s.answered == s.secret-1
	complete = m.kind == 'Z'
	if complete {
		s.answered++
	}
	return secret, complete
}

func (s *session) close() {
	_ = s.client.Close()
	_ = s.server.Close()
}

// reset breaks both sides: each gets a RST, and what was still on its way is lost.
func (s *session) reset() {
	reset(s.client)
	reset(s.server)
}

func reset(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}
