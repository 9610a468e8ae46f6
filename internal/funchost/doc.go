// Package funchost is a small Azure Functions host (v4) for custom handlers, for development and tests on machines
// without Microsoft's `func`. It reads an app root (host.json, <function>/function.json), runs the handler process and
// drives it as the real host does: HTTP by proxy, timers and storage queues by the JSON envelope.
//
// It keeps the real host's rules where a handler can notice them: readiness polls, the restart table, SIGKILL without
// notice, double-encoded values, the lease, back-off and poison rules of the queue extension, one-shot timers.
//
// HTTP is held to recordings of a real host (testdata/http.jsonl, TestRecordedRequests): which requests it refuses, how it
// rewrites paths, queries and headers, that it sends a request without body again, up to forty times under one invocation
// id, when the handler dies of it, that it reads a body of known length before it calls the handler, that it sends a body
// to its end before it reads the answer, and how a broken answer ends. The few differences are listed there. The memory
// that the real host would take for bodies is not taken but accounted for (Host.Memory).
//
// Where the real host would end its process so that the platform replaces the instance, this one starts a new
// job host at once in the same process: the embedding program never ends because the handler died.
//
// Left out on purpose: keys (every caller is let in, as `func start` does), forward mode and envelopes for HTTP, upgraded
// connections (WebSocket), Kestrel's least data rate of 240 bytes a second, the end by lack of memory, output bindings,
// extension bundles, drain mode, the admin API, the scale controller, and the blob lease that lets only one of several
// hosts run a timer. A timer may therefore tick in two hosts at once, which the real lease does not exclude either.
//
// On Linux the handler dies with the host even when the host is killed; elsewhere a killed host leaves an orphan, as
// the real one does.
package funchost
