package metrics

import (
	"context"
	"errors"
	"regexp"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// observe has the figures told whenever somebody asks for the metrics.
func (f *figures) observe(meter metric.Meter) error {
	return errors.Join(
		f.observeOutbox(meter), f.observeBreakers(meter), f.observeTasks(meter), f.observeDatabase(meter), f.observePools(meter),
	)
}

func (f *figures) observeOutbox(meter metric.Meter) error {
	g := gauges{meter: meter}
	pending := g.ints("sheetdrop.outbox.pending", "{message}", "Messages of the outbox that are not sent: due, or delayed.")
	failed := g.ints("sheetdrop.outbox.failed", "{message}", "Messages that were rejected for good, and wait for an operator.")
	oldestDue := g.seconds("sheetdrop.outbox.oldest_due.age", "Since the oldest due message could have been sent.")
	oldest := g.seconds("sheetdrop.outbox.oldest.age", "Since the oldest message that is not sent was written, due or delayed.")
	queue := g.ints("sheetdrop.queue.length", "{message}", "Messages in the queue, and in the poison queue.")
	return g.tell(func(o metric.Observer) {
		now, known := current(f, &f.outbox)
		if !known {
			return
		}
		o.ObserveInt64(pending, now.Due, with(attribute.String("state", "due")))
		o.ObserveInt64(pending, now.Delayed, with(attribute.String("state", "delayed")))
		o.ObserveInt64(failed, now.Failed)
		o.ObserveFloat64(oldestDue, now.OldestDue.Seconds())
		o.ObserveFloat64(oldest, now.Oldest.Seconds())
		if now.QueueKnown {
			o.ObserveInt64(queue, now.Queue, with(attribute.String("queue", "parse")))
			o.ObserveInt64(queue, now.Poison, with(attribute.String("queue", "poison")))
		}
	})
}

func (f *figures) observeBreakers(meter metric.Meter) error {
	g := gauges{meter: meter}
	open := g.ints("sheetdrop.outbox.breaker.open", "{breaker}", "Whether the last run of the relay left the breaker of a destination open.")
	return g.tell(func(o metric.Observer) {
		now, _ := current(f, &f.breakers)
		for destination, isOpen := range now {
			value := int64(0)
			if isOpen {
				value = 1
			}
			o.ObserveInt64(open, value, with(attribute.String("destination", destination)))
		}
	})
}

func (f *figures) observeTasks(meter metric.Meter) error {
	g := gauges{meter: meter}
	tasks := g.ints("sheetdrop.tasks", "{task}", "Tasks that wait, that run, or that are FAILED and the newest of their file (of these up to 10,000).")
	letters := g.ints("sheetdrop.dead_letters", "{message}", "Dead letters (up to 10,000).")
	owners := g.ints("sheetdrop.owner.tasks", "{task}", "Tasks that wait or run of the ten owners with most of them, by a hash of the owner.")
	return g.tell(func(o metric.Observer) {
		now, known := current(f, &f.stock)
		if !known {
			return
		}
		o.ObserveInt64(tasks, now.Pending, with(attribute.String("status", "PENDING")))
		o.ObserveInt64(tasks, now.Processing, with(attribute.String("status", "PROCESSING")))
		o.ObserveInt64(tasks, now.Failed, with(attribute.String("status", "FAILED")))
		o.ObserveInt64(letters, now.DeadLetters)
		for _, owner := range now.Owners[:min(len(now.Owners), MostOwners)] {
			if hash.MatchString(owner.Hash) {
				o.ObserveInt64(owners, owner.Tasks, with(attribute.String("owner", owner.Hash)))
			}
		}
	})
}

func (f *figures) observeDatabase(meter metric.Meter) error {
	g := gauges{meter: meter}
	files := g.ints("sheetdrop.purge.files", "{file}", "Deleted files whose sheets are to be removed (up to 10,000).")
	rows := g.ints("sheetdrop.purge.rows", "{row}", "Rows of deleted sheets that are to be removed (of up to 10,000 sheets).")
	size := g.ints("sheetdrop.db.size", "By", "Size of the database.")
	tables := g.ints("sheetdrop.db.table.size", "By", "Size of each of sheetdrop's own tables, with its indexes.")
	return g.tell(func(o metric.Observer) {
		now, known := current(f, &f.stock)
		if !known {
			return
		}
		o.ObserveInt64(files, now.PurgeFiles)
		o.ObserveInt64(rows, now.PurgeRows)
		o.ObserveInt64(size, now.Size)
		for _, t := range now.Tables[:min(len(now.Tables), mostTables)] {
			if plain.MatchString(t.Name) {
				o.ObserveInt64(tables, t.Size, with(attribute.String("table", t.Name)))
			}
		}
	})
}

func (f *figures) observePools(meter metric.Meter) error {
	g := gauges{meter: meter}
	count := g.ints("db.client.connection.count", "{connection}", "Connections of a pool to the database.")
	most := g.ints("db.client.connection.max", "{connection}", "Connections that a pool may have.")
	waits := g.total("sheetdrop.db.pool.waits", "{wait}", "How often somebody had to wait for a connection of a pool.")
	waited := g.totalSeconds("sheetdrop.db.pool.wait.time", "How long they have waited in all.")
	return g.tell(func(o metric.Observer) {
		for _, p := range f.watched() {
			name, now := attribute.String("db.client.connection.pool.name", p.name), p.stat()
			o.ObserveInt64(count, now.Idle, with(name, attribute.String("db.client.connection.state", "idle")))
			o.ObserveInt64(count, now.Used, with(name, attribute.String("db.client.connection.state", "used")))
			o.ObserveInt64(most, now.Max, with(name))
			o.ObserveInt64(waits, now.Waits, with(name))
			o.ObserveFloat64(waited, now.Waited.Seconds(), with(name))
		}
	})
}

// hash is what an owner looks like in a label.
var hash = regexp.MustCompile(`^[0-9a-f]{12}$`)

// gauges makes instruments that are asked, and keeps what went wrong.
type gauges struct {
	meter metric.Meter
	all   []metric.Observable
	err   error
}

func (g *gauges) ints(name, unit, text string) metric.Int64ObservableGauge {
	made, err := g.meter.Int64ObservableGauge(name, metric.WithUnit(unit), metric.WithDescription(text))
	g.keep(made, err)
	return made
}

func (g *gauges) seconds(name, text string) metric.Float64ObservableGauge {
	made, err := g.meter.Float64ObservableGauge(name, metric.WithUnit("s"), metric.WithDescription(text))
	g.keep(made, err)
	return made
}

func (g *gauges) total(name, unit, text string) metric.Int64ObservableCounter {
	made, err := g.meter.Int64ObservableCounter(name, metric.WithUnit(unit), metric.WithDescription(text))
	g.keep(made, err)
	return made
}

func (g *gauges) totalSeconds(name, text string) metric.Float64ObservableCounter {
	made, err := g.meter.Float64ObservableCounter(name, metric.WithUnit("s"), metric.WithDescription(text))
	g.keep(made, err)
	return made
}

func (g *gauges) keep(made metric.Observable, err error) {
	g.all, g.err = append(g.all, made), errors.Join(g.err, err)
}

// tell has the instruments told by fn, which must not block.
func (g *gauges) tell(fn func(metric.Observer)) error {
	if g.err != nil {
		return g.err
	}
	_, err := g.meter.RegisterCallback(func(_ context.Context, o metric.Observer) error { fn(o); return nil }, g.all...)
	return err
}
