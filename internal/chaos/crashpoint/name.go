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
	own    = module + "internal/chaos/crashpoint."
	wire   = module + "internal/azure.discreet." // through which all calls to storage go
)

// stores are the packages through which everything goes that leaves the process.
var stores = [...]string{module + "internal/postgres.", module + "internal/postgres/database.", module + "internal/azure."}

// name says which effect is about to happen, by the call stack: the function that wants it, and the method of a store that it called,
// as in "outbox-relay.Relay.settle Settle". What a store does in a goroutine of its own has only the latter.
func name() string {
	pcs := make([]uintptr, 100)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	method := ""
	for {
		frame, more := frames.Next()
		switch {
		case !strings.HasPrefix(frame.Function, module), strings.HasPrefix(frame.Function, own), strings.HasPrefix(frame.Function, wire):
		case inStore(frame.Function):
			method = plain(frame.Function)
		case method != "" && !slices.Contains(through, plain(frame.Function)):
			return plain(frame.Function) + " " + method[strings.LastIndexByte(method, '.')+1:]
		}
		if !more {
			return method
		}
	}
}

func inStore(function string) bool {
	for _, store := range stores {
		if strings.HasPrefix(function, store) {
			return true
		}
	}
	return false
}

var closure = regexp.MustCompile(`(\.func\d+|\.gowrap\d+|\.\d+|-range\d+)+$`)

// plain is a function's name without its folder's path, the marks of a pointer, and the numbers of closures in it.
func plain(function string) string {
	function = function[strings.LastIndexByte(function, '/')+1:]
	return closure.ReplaceAllString(strings.NewReplacer("(*", "", ")", "", "[...]", "").Replace(function), "")
}
