//go:build crashpoints

package crashpoint

import (
	"regexp"
	"runtime"
	"slices"
	"strings"
)

const (
	module = "sheetdrop/"
	own    = module + "internal/crashpoint."
	wire   = module + "internal/azure.redacted." // through which all calls to storage go
	pauses = module + "internal/backoff."        // which calls what others give it
)

// stores are the packages through which everything goes that leaves the process.
var stores = []string{module + "internal/postgres.", module + "internal/postgres/database.", module + "internal/azure."}

// name says which effect is about to happen, by the call stack: the function that wants it, and the method of a store that it called,
// as in "outbox-relay.Relay.settle Settle". What a store does in a goroutine of its own has only the latter.
func name() string {
	pcs := make([]uintptr, 100)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	method := ""
	for {
		frame, more := frames.Next()
		switch {
		case !strings.HasPrefix(frame.Function, module), hasPrefix(frame.Function, own, wire, pauses):
		case hasPrefix(frame.Function, stores...):
			method = plain(frame.Function)
		case method != "" && !slices.Contains(through, plain(frame.Function)):
			return plain(frame.Function) + " " + method[strings.LastIndexByte(method, '.')+1:]
		}
		if !more {
			return method
		}
	}
}

func hasPrefix(function string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(function, prefix) })
}

var closure = regexp.MustCompile(`(\.func\d+|\.gowrap\d+|\.\d+|-range\d+)+$`)

// plain is a function's name without its folder's path, the marks of a pointer, and the numbers of closures in it.
func plain(function string) string {
	function = function[strings.LastIndexByte(function, '/')+1:]
	return closure.ReplaceAllString(strings.NewReplacer("(*", "", ")", "", "[...]", "").Replace(function), "")
}
