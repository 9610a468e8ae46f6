package metrics

import (
	"errors"
	"regexp"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// instruments count and measure what this process does.
type instruments struct {
	requests metric.Float64Histogram

	uploads, uploadBytes metric.Int64Counter
	uploadTime           metric.Float64Histogram

	sends, trips metric.Int64Counter

	running                     metric.Int64UpDownCounter
	runs, ends, reclaimed       metric.Int64Counter
	rows, bytes, rejects        metric.Int64Counter
	runTime, parseTime          metric.Float64Histogram
	loadTime, timeUntilComplete metric.Float64Histogram

	destinations, outcomes, statuses, codes, ways, routes *vocabulary // of the labels
}

// seconds are the bounds of all durations: from a health check to a run that takes all of its function's time.
var seconds = metric.WithExplicitBucketBoundaries(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800)

func newInstruments(meter metric.Meter) (instruments, error) {
	var i instruments
	m := maker{meter: meter}
	i.requests = m.seconds("http.server.request.duration", "Duration of HTTP requests, by route.")

	i.uploads = m.counter("sheetdrop.uploads", "{file}", "Files that were accepted.")
	i.uploadBytes = m.counter("sheetdrop.upload.size", "By", "Bytes of the files that were accepted.")
	i.uploadTime = m.seconds("sheetdrop.upload.duration", "From the beginning of a request with files to its COMMIT. Not of files that went straight to the blob store.")

	i.sends = m.counter("sheetdrop.outbox.sends", "{message}", "Messages of the outbox that were sent, or were to be.")
	i.trips = m.counter("sheetdrop.outbox.breaker.trips", "{trip}", "How often a service failed so many times in a row that a run of the relay left its messages.")

	i.running = m.upDown("sheetdrop.task.runs.active", "{run}", "Runs of tasks that are under way in this process.")
	i.runs = m.counter("sheetdrop.task.runs", "{run}", "Runs of tasks that have ended, and whether they count against their task.")
	i.ends = m.counter("sheetdrop.task.ends", "{task}", "Tasks that runs and reclaimed leases have ended.")
	i.reclaimed = m.counter("sheetdrop.task.leases.reclaimed", "{lease}", "Leases of dead workers that were taken back, by what became of their tasks.")
	i.runTime = m.seconds("sheetdrop.task.run.duration", "Duration of runs.")
	i.timeUntilComplete = m.seconds("sheetdrop.task.completion.duration", "From a task's being accepted to COMPLETED.")

	i.rows = m.counter("sheetdrop.parse.rows", "{row}", "Records of files whose task was COMPLETED.")
	i.bytes = m.counter("sheetdrop.parse.size", "By", "Bytes of files whose task was COMPLETED.")
	i.rejects = m.counter("sheetdrop.parse.rejects", "{record}", "Rejected records of files whose task was COMPLETED, by their first reason.")
	i.parseTime = m.seconds("sheetdrop.parse.duration", "Reading a file and sending its rows to the database, of COMPLETED tasks.")
	i.loadTime = m.seconds("sheetdrop.load.duration", "Making the rows visible, up to COMMIT, of COMPLETED tasks.")

	i.destinations, i.outcomes, i.statuses = &vocabulary{most: 8}, &vocabulary{most: 32}, &vocabulary{most: 8}
	i.codes, i.ways, i.routes = &vocabulary{most: 128}, &vocabulary{most: 8}, &vocabulary{most: 128}
	return i, m.err
}

// maker makes instruments, and keeps what went wrong.
type maker struct {
	meter metric.Meter
	err   error
}

func (m *maker) counter(name, unit, text string) metric.Int64Counter {
	c, err := m.meter.Int64Counter(name, metric.WithUnit(unit), metric.WithDescription(text))
	m.err = errors.Join(m.err, err)
	return c
}

func (m *maker) upDown(name, unit, text string) metric.Int64UpDownCounter {
	c, err := m.meter.Int64UpDownCounter(name, metric.WithUnit(unit), metric.WithDescription(text))
	m.err = errors.Join(m.err, err)
	return c
}

func (m *maker) seconds(name, text string) metric.Float64Histogram {
	h, err := m.meter.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(text), seconds)
	m.err = errors.Join(m.err, err)
	return h
}

// vocabulary is the words that a label has had. The words are the program's own, and few: this is for the case that one day they are not.
type vocabulary struct {
	most  int
	mu    sync.RWMutex
	known map[string]bool
}

// other stands for all words beyond a vocabulary.
const other = "other"

// plain is what the words of the program look like.
var plain = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_/{}., -]{0,79}$`)

// label returns a label with the word, or with other where it can be none of the program, or there are too many.
func (v *vocabulary) label(key, word string) attribute.KeyValue {
	return attribute.String(key, v.admit(word))
}

func (v *vocabulary) admit(word string) string {
	v.mu.RLock()
	known := v.known[word]
	v.mu.RUnlock()
	if known {
		return word
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.known == nil {
		v.known = map[string]bool{}
	}
	if !v.known[word] && (len(v.known) >= v.most || !plain.MatchString(word)) {
		return other
	}
	v.known[word] = true
	return word
}
