package e2e_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

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

// How many files of 10 kB a second are answered with 202, sixteen clients at once.
func BenchmarkUploadsAtOnce(b *testing.B) {
	app := e2e.Start(b, e2e.Options{})
	const clients, files = 16, 800
	content := csv(700, 10)
	for round := 0; b.Loop(); round++ {
		var group errgroup.Group
		began := time.Now()
		for client := range clients {
			group.Go(func() error {
				for file := range files / clients {
					app.Upload(b, "list.csv", fmt.Appendf(bytes.Clone(content), "%d,%d %d\n", round, client, file))
				}
				return nil
			})
		}
		_ = group.Wait()
		b.ReportMetric(files/time.Since(began).Seconds(), "files/s")
	}
}

// How many rows a second of a file of 500,000 times ten cells reach the database, from the first byte of the upload to COMPLETED.
func BenchmarkRowsToCompleted(b *testing.B) {
	app := e2e.Start(b, e2e.Options{})
	const rows = 500_000
	var content bytes.Buffer
	for i := range rows {
		fmt.Fprintf(&content, "%d,A-%d,2024-01-%02d,%d.25,a text,some more of it,%d,yes,09:05,東京都\n", i, i%977, i%28+1, i%9000, i%31)
	}
	for b.Loop() {
		began := time.Now()
		if done := app.Await(b, app.Upload(b, "list.csv", content.Bytes()).ID); done.Status != "COMPLETED" {
			b.Fatalf("task: %+v", done)
		}
		b.ReportMetric(rows/time.Since(began).Seconds(), "rows/s")
	}
}
