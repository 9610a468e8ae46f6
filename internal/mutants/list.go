package main

import "slices"

// mutant is one mistake: in a file, a text that occurs once is replaced by another one.
type mutant struct {
	loses    string // what users or operators would lose by it
	file     string
	old, new string
	tests    string // arguments of go test, packages of one module; one of these tests must fail
}

// mutants are the recorded mistakes. Some of them have been made; each was once found by none of the tests, or would do
// the most harm.
var mutants = slices.Concat(protocolMutants, apiMutants, uploadMutants, engineMutants, deploymentMutants, clientMutants, viewMutants,
	targetMutants, targetRowMutants, adoptionMutants, loadMutants, undoMutants, watchMutants, embedMutants, webhookMutants,
	whyMutants, doctorMutants, metricsMutants, traceMutants)
