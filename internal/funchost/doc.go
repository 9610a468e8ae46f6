// Package funchost is a small Azure Functions host (v4) for custom handlers, for development and tests on machines
// without Microsoft's `func`. It reads an app root (host.json, <function>/function.json), runs the handler process and
// drives it as the real host does: HTTP by proxy, timers and storage queues by the JSON envelope.
//
// It keeps the real host's rules where a handler can notice them: readiness polls, the restart table, SIGKILL without
// notice, double-encoded values, the lease, back-off and poison rules of the queue extension, one-shot timers of which
// one host has the lock. It ends where the real one ends: when storage forbids a step or cannot be reached, when a
// handler has died three times, when the timer's lock is lost. HTTP requests then get thirty seconds and the other calls
// ten, while connections are refused; calls that take longer leave a handler without a host. Then another host starts at the
// same address, as the platform would start one: the embedding program never ends because its handler died. Only Stop
// kills a handler whose calls take too long, since it leaves nothing behind.
//
// What the real host sends, does and says was recorded; the recordings in testdata are replayed by the tests, which
// list what still differs. Of HTTP they hold which requests it refuses, how it rewrites paths, queries and headers, that
// it sends a request without body again, up to forty times under one invocation id, when the handler dies of it, that
// it reads a body of known length before it calls the handler, that it sends a body to its end before it reads the
// answer, and how a broken answer ends. The memory that the real host takes for bodies is not taken but accounted for
// (Host.Memory).
//
// What differs of times: a pause in storage's tries grows by another formula to the same sum, the two seconds between a
// request's timeout and the end of its handler are not waited for, and while storage is away from the start the API is
// served for longer than the three seconds in 25 that were measured.
//
// Left out on purpose: keys (every caller is let in, as `func start` does), forward mode and envelopes for HTTP, upgraded
// connections (WebSocket), Kestrel's least data rate for answers, the end by lack of memory, output bindings,
// extension bundles, drain mode, the admin API and the scale controller.
//
// A handler whose host is gone, on Unix at least, finds that it has another parent; it has to end by itself.
package funchost
