package main

import (
	"slices"

	"sheetdrop/bench/claims"
	"sheetdrop/bench/compare"
	"sheetdrop/bench/growth"
	"sheetdrop/bench/latency"
	"sheetdrop/bench/loading"
	"sheetdrop/bench/memory"
	"sheetdrop/bench/reading"
	"sheetdrop/bench/relay"
	"sheetdrop/bench/rowsout"
	"sheetdrop/bench/testbed"
	"sheetdrop/bench/tracing"
	"sheetdrop/bench/uploads"
)

// comparisons are all that there are, in the order in which they run. How rows get into targets is measured where that is, see
// docs/benchmarks.md.
func comparisons(s *testbed.Testbed) []compare.Comparison {
	return slices.Concat(
		uploads.Comparisons(s), relay.Comparisons(s), claims.Comparisons(s), latency.Comparisons(s), loading.Comparisons(s),
		rowsout.Comparisons(s), memory.Comparisons(s), reading.Comparisons(s), growth.Comparisons(s), tracing.Comparisons(s),
	)
}
