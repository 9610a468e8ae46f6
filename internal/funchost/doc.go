// Package funchost is a small Azure Functions host (v4) for custom handlers, for development and tests on machines
// without Microsoft's `func`. It reads an app root (host.json, <function>/function.json), runs the handler process and
// drives it as the real host does: HTTP by proxy, timers and storage queues by the JSON envelope.
//
// It keeps the real host's rules where a handler can notice them: readiness polls, the restart table, SIGKILL without
// notice, spooled uploads, double-encoded values, the lease, back-off and poison rules of the queue extension, one-shot
// timers. Where the real host would end its process so that the platform replaces the instance, this one starts a new
// job host at once in the same process: the embedding program never ends because the handler died.
//
// Left out on purpose: keys (every caller is let in, as `func start` does), forward mode and envelopes for HTTP, output
// bindings, extension bundles, drain mode, the admin API, the scale controller, and the blob lease that lets only one
// of several hosts run a timer. A timer may therefore tick in two hosts at once, which the real lease does not exclude
// either.
//
// On Linux the handler dies with the host even when the host is killed; elsewhere a killed host leaves an orphan, as
// the real one does.
package funchost
