package main

import (
	"context"
	"log/slog"
	"net/http"

	"sheetdrop/functions"
	"sheetdrop/internal/azure"
	"sheetdrop/internal/maintenance"
	"sheetdrop/internal/metrics"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/tracing"
	"sheetdrop/internal/tracing/export"
	"sheetdrop/internal/webhook"
	"sheetdrop/internal/webhook/dispatch"

	outbox "sheetdrop/outbox-relay"
	parse "sheetdrop/parse-worker"
	upload "sheetdrop/upload-api"
	page "sheetdrop/web-page"
)

// services is what the functions call.
type services struct {
	api    *upload.Handler
	page   http.Handler
	docs   http.Handler
	timer  timer
	worker *parse.Worker

	recorder *metrics.Recorder
	traces   export.Exporter
	close    func()
}

// open creates the services. It does not connect: the handler must start, and report what is wrong, even while database
// or storage are unavailable.
func open(s settings, log *slog.Logger) (*services, error) {
	traces, err := export.Start(context.Background(), s.Traces)
	if err != nil {
		return nil, err
	}
	s.Database.Tracer = traces.Statements()
	withFaults := s.Storage.Transport // of a test build
	s.Storage.Transport = func(next http.RoundTripper) http.RoundTripper {
		if withFaults != nil {
			next = withFaults(next)
		}
		return traces.Calls(next)
	}
	db, err := postgres.Open(s.Database)
	if err != nil {
		return nil, err
	}
	alone := s.Database
	alone.MaxConns = 1
	alone.Tracer = nil
	alone.GiveUp = s.Worker.HeartbeatTimeout()
	heartbeats, err := postgres.Open(alone)
	if err != nil {
		return nil, err
	}
	watchPools(s.recorder, db, heartbeats)
	s.Maintenance.Metrics, s.Relay.Metrics, s.Worker.Metrics, s.Upload.Metrics = s.recorder, s.recorder, s.recorder, s.recorder
	blobs, queue, err := azure.Open(s.Storage)
	if err != nil {
		return nil, err
	}
	s.Maintenance.Period, s.Maintenance.Lease = s.Relay.Period, s.Relay.Lease
	jobs, err := maintenance.New(s.Maintenance, db, queue, blobs, log)
	if err != nil {
		return nil, err
	}
	relay := outbox.New(s.Relay, db, queue, blobs, log)
	policy, err := webhook.NewPolicy(s.webhookAddresses())
	if err != nil {
		return nil, err
	}
	s.Webhooks.OneOwner = s.Upload.Auth == upload.AuthLocal
	webhooks, err := dispatch.New(s.Webhooks, db, webhook.NewClient(policy, webhook.Hooks{}), log)
	if err != nil {
		return nil, err
	}
	s.Upload.Webhooks.Policy, s.Upload.Webhooks.Wake = policy, webhooks.Wake
	s.Upload.Timing.Period, s.Upload.Timing.Lease = s.Relay.Period, s.Worker.Lease
	api, err := upload.New(s.Upload, db, blobs, queue, relay.Nudge, functions.InvocationID, log)
	if err != nil {
		return nil, err
	}
	worker, err := parse.New(s.Worker, db, heartbeats, blobs, log)
	if err != nil {
		return nil, err
	}
	worker.Ended, worker.Nudge = webhooks.Wake, relay.Nudge
	end := func() {
		webhooks.Close()
		relay.Close()
		db.Close()
		heartbeats.Close()
		traces.Close()
	}
	ticks := timer{db, jobs, relay, webhooks}
	return &services{
		api: api, page: page.New(blobs.Origin()), docs: page.Docs(), timer: ticks, worker: worker,
		recorder: s.recorder, traces: traces, close: end,
	}, nil
}

// routes connects the functions, by the names of their folders, with the services. The host calls timer and queue
// functions by their names and passes HTTP requests through; GET / is also its check whether the handler is running.
// Callers outside reach GET and HEAD and what is below /api/, as the routes in the function.json files say, so nobody but
// the host posts to timer and queue.
func routes(ctx context.Context, s *services, log *slog.Logger) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", s.recorder.Requests("/", functions.WithInvocation(s.page)))
	mux.Handle("/api/", s.recorder.Requests("", functions.WithInvocation(s.traces.Requests(s.api))))
	mux.Handle("/api/docs", s.recorder.Requests("/api/docs", functions.WithInvocation(s.docs)))
	mux.Handle("/api/docs/", s.recorder.Requests("/api/docs/", functions.WithInvocation(s.docs)))
	mux.Handle("POST /outbox-relay", tracing.Received(endWith(ctx, functions.Timer("timer", log,
		func(ctx context.Context, _ functions.TimerInfo) error { return s.timer.run(ctx) }))))
	mux.Handle("POST /parse-worker", tracing.Received(endWith(ctx, functions.Queue("message", log,
		func(ctx context.Context, m functions.QueueMessage) error {
			defer s.traces.Flush(ctx)
			return s.worker.Handle(ctx, m.Body)
		}))))
	return mux
}

// endWith ends a call's context when the handler is told to stop, so that background work returns its tasks and
// messages.
func endWith(stop context.Context, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(stop, cancel)()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}
