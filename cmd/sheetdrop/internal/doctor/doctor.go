// Package doctor examines a sheetdrop, one thing after the other, and names what is wrong first. It changes nothing: what it does to a
// database runs in transactions that are read-only, and of storage it reads properties alone.
package doctor

import (
	"context"
	"strings"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/postgres/inspect"
)

// State is what came out of a check.
type State string

// The states of a check.
const (
	OK      State = "ok"
	Warning State = "warning" // it works, and will not for ever or not for everything
	Problem State = "problem"
	Skipped State = "skipped" // it could not be checked
)

// Finding is what came out of a check, in the user's language.
type Finding struct {
	ID      string `json:"id"`
	State   State  `json:"state"`
	Found   string `json:"found"`             // of a skipped check: why it could not be made
	Means   string `json:"means,omitempty"`   // what follows from it
	Next    string `json:"next,omitempty"`    // what to do
	Because string `json:"because,omitempty"` // of a skipped check: the id of the check that has to be settled first
}

func fine(found string) Finding { return Finding{State: OK, Found: found} }

func warning(found, means, next string) Finding {
	return Finding{State: Warning, Found: found, Means: means, Next: next}
}

func problem(found, means, next string) Finding {
	return Finding{State: Problem, Found: found, Means: means, Next: next}
}

func skipped(why string) Finding { return Finding{State: Skipped, Found: why} }

// Subject is what is examined. What is not known is left out, and the checks that need it are skipped.
type Subject struct {
	Server   *server.Server // nil if no server is known
	SignedIn bool           // the server's requests have a token

	HasDatabase bool
	Database    string // the address; "" takes the PG* variables

	Storage *azure.Settings // nil if it is not known

	Settings *Settings // nil if they are not known
	Local    *Local    // nil unless it is a sheetdrop of this machine

	Thresholds Thresholds
}

// Check is one of the checks.
type Check struct {
	ID       string // stable
	Question string // that it answers, in English, for the documentation
	needs    []string
	run      func(*examination, context.Context) Finding
}

// examination is a subject with what was learned of it so far.
type examination struct {
	Subject
	made     []Finding
	findings map[string]Finding // the same, by their ids
	db       *inspect.Database
	refusal  *inspect.Refusal // why there is no connection
	server   inspect.Server   // the database's
	schema   inspect.Schema
	blobs    *azure.Blobs
	queue    *azure.Queue
	clocks   []clock
	upkeep   *upkeep // as the database tells it; nil until it is read
	told     *upkeep // as the server tells it
	handler  *handlerAnswer
}

// checkTimeout is of one check; none of them waits for anything but an answer.
const checkTimeout = 40 * time.Second

// Examine makes all checks in order, and returns what each has found.
func Examine(ctx context.Context, s Subject) ([]Finding, error) {
	e := &examination{Subject: s, findings: map[string]Finding{}}
	defer func() {
		if e.db != nil {
			e.db.Close(context.WithoutCancel(ctx))
		}
	}()
	for _, c := range Checks {
		if s.Local == nil && strings.HasPrefix(c.ID, "local.") {
			continue
		}
		f := e.make(ctx, c)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f.ID = c.ID
		e.findings[c.ID] = f
		e.made = append(e.made, f)
	}
	return e.made, nil
}

// make makes a check, unless one that it needs was not settled: then it would name a consequence.
func (e *examination) make(ctx context.Context, c Check) Finding {
	for _, need := range c.needs {
		switch before := e.findings[need]; {
		case before.State == Problem:
			return behind(need)
		case before.State == Skipped && before.Because != "":
			return before
		case before.State == Skipped:
			return Finding{State: Skipped, Found: before.Found}
		}
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	return c.run(e, ctx)
}

// behind is the finding of a check that would name a consequence of what another one has found.
func behind(id string) Finding {
	return Finding{State: Skipped, Found: words.Sprintf("%s has to be settled first", id), Because: id}
}

// isSettled reports whether a check was made and has found no problem.
func (e *examination) isSettled(id string) bool {
	state := e.findings[id].State
	return state == OK || state == Warning
}

// firstProblem returns the id of the first check that has found one, "" if none has.
func (e *examination) firstProblem() string {
	for _, f := range e.made {
		if f.State == Problem {
			return f.ID
		}
	}
	return ""
}

// unreadable is the finding of a check whose question was not answered: skipped where whoever asks has no right to, a warning otherwise.
func unreadable(err error) Finding {
	found := words.Sprintf("it could not be read: %v", azure.Brief(err))
	if database.HasState(err, database.InsufficientPrivilege) || azure.RefusalOf(err) == azure.Forbidden {
		return skipped(found)
	}
	return warning(found, "", words.In("Ask again. If that remains, the log of whoever was asked says more."))
}
