package pgproxy

import (
	"strings"
	"testing"
)

// moment is when a fault strikes, as seen from the statement that it waits for.
type moment int

const (
	before moment = iota // the server never gets it
	after                // the server has executed it, the client never hears of it
	late                 // the server gets it only after the client was cut off
)

// fault is one that was ordered and has yet to strike, left times.
type fault struct {
	moment  moment
	matches func(sql string) bool
	left    int
	held    *HeldCommit // of a late one
}

// CutBeforeCommit breaks the connection of each of the next n COMMITs instead of passing it to the server, which rolls back.
func (p *Proxy) CutBeforeCommit(n int) { p.order(&fault{moment: before, matches: isCommit, left: n}) }

// CutAfterCommit passes the next n COMMITs to the server and breaks each connection when the server has answered, without passing the
// answer on: the commit surely took effect and its client cannot know.
func (p *Proxy) CutAfterCommit(n int) { p.order(&fault{moment: after, matches: isCommit, left: n}) }

// CutBeforeStatement is CutBeforeCommit for the next n executions of a statement whose text contains the given text.
func (p *Proxy) CutBeforeStatement(containing string, n int) {
	p.order(&fault{moment: before, matches: contains(containing), left: n})
}

// CutAfterStatement is CutAfterCommit for the next n executions of a statement whose text contains the given text, outside a transaction
// (inside one, breaking the connection undoes it).
func (p *Proxy) CutAfterStatement(containing string, n int) {
	p.order(&fault{moment: after, matches: contains(containing), left: n})
}

// HoldCommit breaks the client's side of the connection at the next COMMIT, and keeps COMMIT and the server's side until Release. So the
// server executes it after its client has given up.
func (p *Proxy) HoldCommit() *HeldCommit { return p.hold(isCommit) }

// HoldStatement is HoldCommit for the next execution of a statement whose text contains the given text, outside a transaction.
func (p *Proxy) HoldStatement(containing string) *HeldCommit { return p.hold(contains(containing)) }

func (p *Proxy) hold(matches func(sql string) bool) *HeldCommit {
	held := &HeldCommit{t: p.t, caught: make(chan struct{}), release: make(chan struct{})}
	p.order(&fault{moment: late, matches: matches, left: 1, held: held})
	return held
}

// HeldCommit is a COMMIT, or a statement that commits by itself, that is on its way for as long as the test likes.
type HeldCommit struct {
	t       testing.TB
	caught  chan struct{} // the COMMIT has come, over session
	session *session
	release chan struct{}
}

// Release passes the COMMIT to the server and returns when the server has executed it. It may be called once, after the client has felt
// the break.
func (h *HeldCommit) Release() {
	select {
	case <-h.caught:
		close(h.release)
		<-h.session.answersEnded
	default:
		h.t.Error("pgproxy: no COMMIT has come that could be released")
	}
}

func (p *Proxy) order(f *fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, f)
}

// strike notes a statement, and returns the first ordered fault that waits for it, counting it as used; or nil.
func (p *Proxy) strike(sql string) *fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.statements = append(p.statements, sql)
	for _, f := range p.faults {
		if f.left > 0 && f.matches(sql) {
			f.left--
			return f
		}
	}
	return nil
}

func isCommit(sql string) bool {
	return strings.EqualFold(strings.TrimRight(strings.TrimSpace(sql), "; "), "commit")
}

func contains(text string) func(string) bool {
	return func(sql string) bool { return strings.Contains(sql, text) }
}
