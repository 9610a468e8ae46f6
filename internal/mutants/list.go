package main

import "slices"

// mutant is one mistake: in a file, a text that stands there once is replaced by another one.
type mutant struct {
	loses    string // what somebody would lose by it
	file     string
	old, new string
	tests    string // arguments of go test, of which a test must fail: packages of one module
}

// mutants are the kept mistakes. Some of them have been made; each was once found by none of the tests, or would hurt most.
var mutants = slices.Concat(protocolMutants, apiMutants, uploadMutants, engineMutants, deploymentMutants, clientMutants)
