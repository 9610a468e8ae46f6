// Package crash holds the crash matrix: for each effect that the handler has outside of itself, a commit or a call of storage, and for each
// of three ways in which it can go wrong there, the whole program is run, breaks at that very place, is started again by the host, and must
// have kept every promise of ARCHITECTURE.md. All of it is tests: `go -C verify test ./crash`.
package crash
