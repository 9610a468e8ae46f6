package e2e_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sheetdrop/verify/e2e"
)

// What metrics cost that are scraped and pushed four times a minute, in pairs of rounds with and without them: how much more of the processor the handler
// takes for files that sixteen clients send and for a file of many rows, as the median of the quotients of each pair. The time that passes says
// little on a machine that others use.
func BenchmarkMetrics(b *testing.B) {
	without, with := e2e.Start(b, e2e.Options{}), startScraped(b)
	var uploads, rows []float64
	for round := 0; b.Loop(); round++ {
		uploads = append(uploads, pair(b, round, without, with, func(app *e2e.App) { uploadAtOnce(b, app, round) }))
		rows = append(rows, pair(b, round, without, with, func(app *e2e.App) { loadRows(b, app, round) }))
	}
	b.ReportMetric(100*(median(uploads)-1), "%uploads")
	b.ReportMetric(100*(median(rows)-1), "%rows")
	b.Logf("with metrics to without, by pair: uploads %.3f, rows %.3f", uploads, rows)
}

// startScraped runs an app whose metrics are read and pushed until the benchmark ends.
func startScraped(b *testing.B) *e2e.App {
	b.Helper()
	port := unusedPort(b)
	pushed := receive(b)
	app := e2e.Start(b, e2e.Options{Settings: map[string]string{
		"METRICS_PORT": port, "OTEL_METRICS_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT": pushed.url, "OTEL_METRIC_EXPORT_INTERVAL": "15000",
	}})
	var scraping sync.WaitGroup
	b.Cleanup(scraping.Wait)
	scraping.Go(func() {
		for {
			select {
			case <-b.Context().Done():
				return
			case <-time.After(15 * time.Second):
			}
			if answer, err := http.Get("http://127.0.0.1:" + port + "/metrics"); err == nil {
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
			}
		}
	})
	return app
}

// pair is how many times as much of the processor the handler takes with metrics. What comes first alternates.
func pair(b *testing.B, round int, without, with *e2e.App, work func(*e2e.App)) float64 {
	b.Helper()
	took := map[*e2e.App]float64{}
	apps := []*e2e.App{without, with}
	if round%2 == 1 {
		slices.Reverse(apps)
	}
	for _, app := range apps {
		before := processorTime(b, app.Host.HandlerPID())
		work(app)
		took[app] = processorTime(b, app.Host.HandlerPID()) - before
	}
	return took[with] / took[without]
}

// processorTime is what a process has taken, in ticks of the system: the fields utime and stime of its stat, behind its name.
func processorTime(b *testing.B, pid int) float64 {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	user, wrong := strconv.ParseFloat(fields[11], 64)
	system, err := strconv.ParseFloat(fields[12], 64)
	if err := errors.Join(wrong, err); err != nil {
		b.Fatal(err)
	}
	return user + system
}

func median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

func uploadAtOnce(b *testing.B, app *e2e.App, round int) {
	const clients, files = 16, 320
	content := csv(700, 10)
	var group sync.WaitGroup
	for client := range clients {
		group.Go(func() {
			for file := range files / clients {
				app.Upload(b, "list.csv", fmt.Appendf(bytes.Clone(content), "%d,%d %d\n", round, client, file))
			}
		})
	}
	group.Wait()
	app.Database.Await(b, `select not exists (select from sheetdrop.task where status in ('PENDING', 'PROCESSING'))`)
}

func loadRows(b *testing.B, app *e2e.App, round int) {
	content := fmt.Appendf(csv(200_000, 40), "%d,last\n", round)
	if done := app.Await(b, app.Upload(b, "list.csv", content).ID); done.Status != "COMPLETED" {
		b.Errorf("task: %+v", done)
	}
}
