package flap

import (
	"net/http"
	"strings"
)

// step is something that the host does on storage; the handler's own requests go another way.
type step struct {
	name    string
	is      func(s *scene, r *http.Request) bool
	provoke func(s *scene) // brings it about during the fault, where uploads alone do not
	rare    bool           // one failure is all that there is for a long time
	whole   bool           // the handler's requests fail, too, and from the start on
	slow    bool           // at its real pace the host comes to it after five minutes; no load can be held for so long
}

// steps are all there are of a host with a queue trigger and a timer that ticks more than once a minute.
var steps = []step{
	{name: "receive", is: func(s *scene, r *http.Request) bool { return r.Method == http.MethodGet && s.onMessages(r) }},
	{name: "renew a message", is: func(s *scene, r *http.Request) bool { return s.hides(r, s.lease) }, provoke: (*scene).holdParsing, slow: true},
	{name: "delete a message", is: func(s *scene, r *http.Request) bool {
		return r.Method == http.MethodDelete && s.onMessages(r) && !s.isBad(r)
	}},
	{name: "release a message", is: func(s *scene, r *http.Request) bool { return s.hides(r, s.retry) }, provoke: (*scene).sendBad},
	{name: "copy to the poison queue", is: (*scene).copies, provoke: (*scene).sendBad},
	{name: "create the poison queue", is: (*scene).creates, provoke: (*scene).sendBad, rare: true},
	{name: "delete a poisoned message", is: func(s *scene, r *http.Request) bool { return r.Method == http.MethodDelete && s.isBad(r) }, provoke: (*scene).sendBad},
	{name: "look at the timer's lock", is: func(_ *scene, r *http.Request) bool { return r.Method == http.MethodHead }, provoke: (*scene).restart, rare: true},
	{name: "create the timer's lock", is: func(_ *scene, r *http.Request) bool {
		return r.Method == http.MethodPut && r.URL.Query().Get("comp") == ""
	},
		provoke: (*scene).startElsewhere, rare: true},
	{name: "acquire the timer's lock", is: leaseAction("acquire"), provoke: (*scene).restart, rare: true},
	{name: "renew the timer's lock", is: leaseAction("renew"), rare: true},
	{name: "release the timer's lock", is: leaseAction("release"), provoke: (*scene).restartUntilFailure, rare: true},
	{name: "all of them", is: all, provoke: (*scene).restart},
	{name: "all of them and the handler's, from the start", is: all, whole: true}, // as long as no role has been assigned
}

func all(*scene, *http.Request) bool { return true }

func leaseAction(action string) func(*scene, *http.Request) bool {
	return func(_ *scene, r *http.Request) bool { return r.Header.Get("X-Ms-Lease-Action") == action }
}

// onMessages says that a request is about messages of the parse queue.
func (s *scene) onMessages(r *http.Request) bool {
	return strings.Contains(r.URL.Path, "/"+s.Storage.Queue+"/messages")
}

func (s *scene) copies(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.Contains(r.URL.Path, "/"+s.Storage.Queue+"-poison/messages")
}

func (s *scene) creates(r *http.Request) bool {
	return r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/"+s.Storage.Queue+"-poison")
}

// hides says that a request sets for how long a message is invisible, in seconds.
func (s *scene) hides(r *http.Request, seconds string) bool {
	return r.Method == http.MethodPut && s.onMessages(r) && r.URL.Query().Get("visibilitytimeout") == seconds
}

func (s *scene) isBad(r *http.Request) bool {
	id, _ := s.bad.Load().(string)
	return id != "" && strings.Contains(r.URL.Path, id)
}
