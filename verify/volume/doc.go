// Package volume holds the long runs: many messages, long outages, much history, old transactions, large files, and what these may cost or
// lose. All of it is tests. `go test` runs each in a small form, which counts and does not time; with `-args -full` each has its whole size
// and measures: `go -C verify test ./volume -run SizeStaysFlat -v -timeout 0 -args -full`. The figures are in docs/reliability.md.
package volume
