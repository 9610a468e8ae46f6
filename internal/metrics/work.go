package metrics

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// always is the context of what is counted: to end a call does not undo what it did.
var always = context.Background()

func with(labels ...attribute.KeyValue) metric.MeasurementOption {
	return metric.WithAttributes(labels...)
}

// Ways of an upload.
const (
	InRequest  = "request" // its bytes, or an address from which they were fetched
	ToTheStore = "direct"  // its bytes went straight to the blob store
)

// Uploaded counts files that were accepted together. took is how long their request took; 0: nobody measured.
func (r *Recorder) Uploaded(way string, files int, bytes int64, took time.Duration) {
	if r == nil {
		return
	}
	label := with(r.ways.label("way", way))
	r.uploads.Add(always, int64(files), label)
	r.uploadBytes.Add(always, bytes, label)
	if took > 0 {
		r.uploadTime.Record(always, took.Seconds(), label)
	}
}

// What became of a message of the outbox.
const (
	Sent     = "sent"
	Failed   = "failed"   // its service did, and it is tried again
	Rejected = "rejected" // it is at fault itself
	Unknown  = "unknown"  // left to a newer version
)

// UnknownDestination is that of messages which only a newer version can send.
const UnknownDestination = other

// Send counts an attempt to send a message.
func (r *Recorder) Send(destination, outcome string) {
	if r == nil {
		return
	}
	r.sends.Add(always, 1, with(r.destinations.label("destination", destination), r.outcomes.label("outcome", outcome)))
}

// Tripped counts a breaker that has opened.
func (r *Recorder) Tripped(destination string) {
	if r == nil {
		return
	}
	r.trips.Add(always, 1, with(r.destinations.label("destination", destination)))
}

// Reclaimed counts the lease of a dead worker, and what its task has become.
func (r *Recorder) Reclaimed(status, code string) {
	if r == nil {
		return
	}
	r.reclaimed.Add(always, 1, with(r.statuses.label("status", status)))
	r.ended(status, code)
}

// Began counts a run that begins; the returned function counts that it has ended.
func (r *Recorder) Began() (ended func()) {
	if r == nil {
		return func() {}
	}
	r.running.Add(always, 1)
	return func() { r.running.Add(always, -1) }
}

// Run is a run of a task that has ended.
type Run struct {
	Outcome string // as in the log
	Counted bool   // against the task
	Status  string // of the task afterwards; "" where somebody else holds it
	Code    string // why it is FAILED
	Took    time.Duration
}

// Ran counts a run.
func (r *Recorder) Ran(run Run) {
	if r == nil {
		return
	}
	outcome := r.outcomes.label("outcome", run.Outcome)
	r.runs.Add(always, 1, with(outcome, attribute.Bool("counted", run.Counted)))
	r.runTime.Record(always, run.Took.Seconds(), with(outcome))
	r.ended(run.Status, run.Code)
}

// ended counts a task that has ended. Of one that waits again nothing is counted.
func (r *Recorder) ended(status, code string) {
	switch status {
	case "FAILED":
		r.ends.Add(always, 1, with(r.statuses.label("status", status), r.codes.label("code", code)))
	case "COMPLETED", "CANCELLED":
		r.ends.Add(always, 1, with(r.statuses.label("status", status)))
	}
}

// Load is what a COMPLETED task has brought.
type Load struct {
	Loaded, Rejected, Skipped int64
	Bytes                     int64
	Rejects                   map[string]int64 // records by their first reason
	Parsed, Committed         time.Duration    // how long reading took, and making the rows visible
	Since                     time.Duration    // the task was accepted
}

// Loaded counts the rows of a COMPLETED task.
func (r *Recorder) Loaded(l Load) {
	if r == nil {
		return
	}
	for outcome, n := range map[string]int64{"loaded": l.Loaded, "rejected": l.Rejected, "skipped": l.Skipped} {
		r.rows.Add(always, n, with(attribute.String("outcome", outcome)))
	}
	r.bytes.Add(always, l.Bytes)
	for code, n := range l.Rejects {
		r.rejects.Add(always, n, with(r.codes.label("code", code)))
	}
	r.parseTime.Record(always, l.Parsed.Seconds())
	r.loadTime.Record(always, l.Committed.Seconds())
	r.timeUntilComplete.Record(always, l.Since.Seconds())
}
