package growth

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"sheetdrop/bench/testbed"
	"sheetdrop/internal/azure"
	"sheetdrop/internal/maintenance"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"

	outbox "sheetdrop/outbox-relay"
)

// fixture is an app with a handler to which nothing is delivered by itself.
type fixture struct {
	*testbed.Testbed
	app     *testbed.App
	program *testbed.Program
	db      *postgres.DB
	blobs   *azure.Blobs
	queue   *azure.Queue
	sent    int
}

func (f *fixture) open(ctx context.Context) (teardown func(), err error) {
	if f.app, err = f.NewApp(ctx); err != nil {
		return nil, err
	}
	if f.program, err = f.app.StartHandler(ctx, "handler", nil); err != nil {
		return nil, err
	}
	if f.db, err = postgres.Open(postgres.Settings{URL: f.app.URL, MaxConns: 10}); err != nil {
		return nil, err
	}
	f.blobs, f.queue, err = azure.Open(f.app.Storage)
	return func() { f.program.Stop(f.Log); f.db.Close(); f.app.Drop() }, err
}

// empty removes all files, tasks, rows and messages.
func (f *fixture) empty(ctx context.Context) error {
	_, err := f.app.SQL.Exec(ctx, `truncate sheetdrop.source_file, sheetdrop.task, sheetdrop.sheet, sheetdrop.sheet_row, sheetdrop.outbox_message,
  sheetdrop.outbox_history cascade`)
	return err
}

func uploads(ctx context.Context, f *fixture, n int) (func(context.Context) (int, error), error) {
	return func(ctx context.Context) (int, error) {
		first := f.sent
		f.sent += n
		_, _, err := testbed.Each(ctx, n, 8, func(ctx context.Context, i int) error {
			_, err := f.program.Upload(ctx, "list.csv", bytes.NewReader(fmt.Appendf(nil, "number\n%d\n", first+i)))
			return err
		})
		return n, err
	}, f.empty(ctx)
}

const (
	waitingSQL = `insert into sheetdrop.outbox_message (id, event_type, task_id, payload, next_attempt_at)
select id, 'BLOB_DELETE', id, jsonb_build_object('blob_name', id), now() - ($1 - i) * interval '1 ms'
from (select gen_random_uuid() as id, i from generate_series(1, $1) i) m`

	filesSQL = `with file as (
  insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no)
  select gen_random_uuid(), 'local', 'list ' || i, 'text/csv', 1, sha256(i::text::bytea), i::text, 1 from generate_series(1, $1) i returning id
)
insert into sheetdrop.task (id, source_file_id, owner, options, enqueued_at)
select gen_random_uuid(), id, 'local', '{}', now() - interval '1 hour' - random() * interval '1 min' from file`
)

// fill empties the app, and makes n of something.
func (f *fixture) fill(ctx context.Context, sql string, n int) error {
	if err := f.empty(ctx); err != nil {
		return err
	}
	if _, err := f.app.SQL.Exec(ctx, sql, n); err != nil {
		return err
	}
	for _, table := range []string{"source_file", "task", "outbox_message"} {
		if _, err := f.app.SQL.Exec(ctx, `vacuum analyze sheetdrop.`+table); err != nil {
			return err
		}
	}
	return nil
}

// count returns a number from the database.
func (f *fixture) count(ctx context.Context, sql string) (n int, err error) {
	err = f.app.SQL.QueryRow(ctx, sql).Scan(&n)
	return n, err
}

// messages are those that delete blobs: the queue would grow from run to run, and a blob that is not there takes as long each time.
func messages(ctx context.Context, f *fixture, n int) (func(context.Context) (int, error), error) {
	settings := outbox.Settings{Period: time.Hour, Lease: 30 * time.Second, SendTimeout: 5 * time.Second}
	return func(ctx context.Context) (int, error) {
		relay := outbox.New(settings, f.db, f.queue, f.blobs, slog.New(slog.DiscardHandler))
		defer relay.Close()
		if err := relay.Run(ctx); err != nil {
			return 0, err
		}
		return f.count(ctx, `select count(*) from sheetdrop.outbox_history`)
	}, f.fill(ctx, waitingSQL, n)
}

// claims claims all, a hundred at a time, and settles each batch as sent: from where the last one ended, and from the beginning every ten
// seconds, as a drain of the relay does (outbox-relay/lowwater.go).
func claims(ctx context.Context, f *fixture, n int) (func(context.Context) (int, error), error) {
	return func(ctx context.Context) (done int, err error) {
		var from, beginning time.Time
		for ; done < n; done++ {
			token := task.NewID()
			if time.Since(beginning) > 10*time.Second {
				from, beginning = time.Time{}, time.Now()
			}
			batch, err := f.db.ClaimMessages(ctx, token, time.Minute, from, 100)
			if err != nil {
				return done, err
			}
			if len(batch) != 100 {
				return done, fmt.Errorf("claimed %d messages, not 100", len(batch))
			}
			var settled postgres.Settlement
			for _, m := range batch {
				settled.Sent = append(settled.Sent, m.ID)
				if due := m.DueAt.Add(-time.Second); due.After(from) { // they come in any order
					from = due
				}
			}
			if err := f.db.Settle(ctx, token, settled); err != nil {
				return done, err
			}
		}
		return done, nil
	}, f.fill(ctx, waitingSQL, 100*n)
}

func loads(ctx context.Context, f *fixture, n int) (func(context.Context) (int, error), error) {
	if err := f.empty(ctx); err != nil {
		return nil, err
	}
	path, err := f.CSV(n)
	if err != nil {
		return nil, err
	}
	_, taskID, err := f.app.AddFile(ctx, path)
	return func(ctx context.Context) (int, error) {
		if err := f.program.Complete(ctx, taskID); err != nil {
			return 0, err
		}
		return f.count(ctx, `select count(*) from sheetdrop.sheet_row`)
	}, err
}

func rowsOut(ctx context.Context, f *fixture, n int) (func(context.Context) (int, error), error) {
	if err := f.empty(ctx); err != nil {
		return nil, err
	}
	path, err := f.CSV(n)
	if err != nil {
		return nil, err
	}
	_, taskID, err := f.app.AddFile(ctx, path)
	if err == nil {
		err = f.program.Complete(ctx, taskID)
	}
	return func(ctx context.Context) (int, error) {
		lines, _, err := f.program.Get(ctx, fmt.Sprintf("/api/tasks/%s/sheets/1/rows?format=ndjson", taskID), testbed.Plain)
		return lines, err
	}, err
}

// lists reads all pages of the owner's list of files.
func lists(ctx context.Context, f *fixture, n int) (func(context.Context) (int, error), error) {
	return func(ctx context.Context) (done int, err error) {
		for cursor := ""; ; {
			page, err := f.page(ctx, "/api/files?limit=1000"+cursor)
			if err != nil {
				return done, err
			}
			done += len(page.Items)
			if page.Next == nil {
				return done, nil
			}
			cursor = "&cursor=" + url.QueryEscape(*page.Next)
		}
	}, f.fill(ctx, filesSQL, n)
}

type page struct {
	Items []json.RawMessage
	Next  *string
}

func (f *fixture) page(ctx context.Context, path string) (p page, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.program.URL+path, http.NoBody)
	if err != nil {
		return p, err
	}
	response, err := testbed.Client.Do(request)
	if err != nil {
		return p, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return p, fmt.Errorf("GET %s: %s", path, response.Status)
	}
	return p, json.NewDecoder(response.Body).Decode(&p)
}

// reconcile finds tasks whose messages were lost, and asks for them again.
func reconcile(ctx context.Context, f *fixture, n int) (func(context.Context) (int, error), error) {
	settings := maintenance.Settings{
		Period: 10 * time.Minute, Lease: 30 * time.Second, HistoryDays: 14, RecordDays: 365, UndoDays: 90, PendingAlert: 5 * time.Minute,
	}
	jobs, err := maintenance.New(settings, f.db, f.queue, f.blobs, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (int, error) {
		if err := jobs.Run(ctx); err != nil {
			return 0, err
		}
		return f.count(ctx, `select count(*) from sheetdrop.task where enqueues = 1`)
	}, f.fill(ctx, filesSQL, n)
}
