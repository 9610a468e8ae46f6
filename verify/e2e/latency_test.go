package e2e_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sheetdrop/verify/e2e"
)

// How long a file of ten rows takes from the upload's first byte to COMPLETED, where nothing else happens: the host's queue listener has
// slowed down to its longest pause before each.
func BenchmarkUploadToCompleted(b *testing.B) {
	app := e2e.Start(b, e2e.Options{})
	content := csv(10, 10)
	var took []time.Duration
	for b.Loop() {
		b.StopTimer()
		<-time.After(3*time.Second + rand.N(time.Second))
		b.StartTimer()
		began := time.Now()
		if done := app.Await(b, app.Upload(b, "list.csv", content).ID); done.Status != "COMPLETED" {
			b.Fatalf("task: %+v", done)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2].Seconds(), "p50-s")
	b.ReportMetric(took[len(took)-1].Seconds(), "max-s")
}
