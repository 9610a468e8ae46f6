// Package chaos holds the soak: the whole program runs under random faults, while callers upload files at a steady
// rate, and must have kept every promise of ARCHITECTURE.md in the end. All of it is tests: `go test ./internal/chaos
// -run Soak -timeout 0 -args -minutes 30 -seed 1`. The packages below make single faults.
package chaos
