// Package page has the tests of the page in a real browser, over the whole program. Pictures of its states are among the artifacts of the
// tests (go test -artifacts).
package page
