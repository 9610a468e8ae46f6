package e2e_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"sheetdrop/verify/e2e"
)

// What metrics cost that are scraped and pushed each second, in pairs of rounds with and without them: files a second that sixteen clients get
// accepted and parsed, and rows a second of one file, as medians of the quotients of each pair.
func BenchmarkMetrics(b *testing.B) {
	without, with := e2e.Start(b, e2e.Options{}), startScraped(b)
	var uploads, rows []float64
	for round := 0; b.Loop(); round++ {
		uploads = append(uploads, pair(round, without, with, func(app *e2e.App) { uploadAtOnce(b, app, round) }))
		rows = append(rows, pair(round, without, with, func(app *e2e.App) { loadRows(b, app, round) }))
	}
	b.ReportMetric(100*(median(uploads)-1), "%uploads")
	b.ReportMetric(100*(median(rows)-1), "%rows")
	b.Logf("longer with metrics, by pair: uploads %.3f, rows %.3f", uploads, rows)
}

// startScraped runs an app whose metrics somebody reads each second, until the benchmark ends, and somebody gets each second.
func startScraped(b *testing.B) *e2e.App {
	b.Helper()
	port := unusedPort(b)
	pushed := receive(b)
	app := e2e.Start(b, e2e.Options{Settings: map[string]string{
		"METRICS_PORT": port, "OTEL_METRICS_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT": pushed.url, "OTEL_METRIC_EXPORT_INTERVAL": "1000",
	}})
	var scraping sync.WaitGroup
	b.Cleanup(scraping.Wait)
	scraping.Go(func() {
		for {
			select {
			case <-b.Context().Done():
				return
			case <-time.After(time.Second):
			}
			if answer, err := http.Get("http://127.0.0.1:" + port + "/metrics"); err == nil {
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
			}
		}
	})
	return app
}

// pair is how much longer the work takes with metrics. What comes first alternates.
func pair(round int, without, with *e2e.App, work func(*e2e.App)) float64 {
	took := map[*e2e.App]time.Duration{}
	apps := []*e2e.App{without, with}
	if round%2 == 1 {
		slices.Reverse(apps)
	}
	for _, app := range apps {
		began := time.Now()
		work(app)
		took[app] = time.Since(began)
	}
	return took[with].Seconds() / took[without].Seconds()
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
