// Package upload serves everything under /api. It identifies callers and declares each operation once, in routes.go,
// with its inputs and limits, responses and problems; the OpenAPI document is generated from these declarations. The
// operations on files, tasks and views are here, those on targets in package targets, on webhooks in webhooks, those of operators in
// operate;
// receive has uploads, and export the listing of sheets, rows, rejects and contents.
package upload

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/metrics"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/targetrows"
	"sheetdrop/internal/why"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/direct"
	"sheetdrop/upload-api/internal/embed"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/openapi"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/receive"
	"sheetdrop/upload-api/internal/representation"
	"sheetdrop/upload-api/internal/watch"
	"sheetdrop/upload-api/internal/webhooks"
)

// Settings configure who may call the API and how much it accepts.
type Settings struct {
	Auth     string `env:"AUTH,required"`                          // AuthLocal or AuthEasyAuth
	MaxBytes int64  `env:"UPLOAD_MAX_BYTES" envDefault:"67108864"` // of one request's body; no more than the host accepts
	// simultaneous uploads; each takes about 6 MiB of memory, and more are answered with 503
	AtOnce int `env:"UPLOAD_CONCURRENCY" envDefault:"32"`
	// HostMaxBytes is the host's own limit of a request body, 100 MiB by default; 0 means unlimited. The host answers
	// larger bodies itself, with 500 and no body.
	HostMaxBytes int64 `env:"FUNCTIONS_REQUEST_BODY_SIZE_LIMIT" envDefault:"104857600"`

	Quota    postgres.Quota // of each owner
	Direct   direct.Settings
	Preview  receive.PreviewSettings
	Embed    embed.Settings
	URL      receive.URLSettings
	Webhooks webhooks.Settings
	Timing   why.Timing // by which the history of a task says when it goes on
	Platform Platform

	Metrics *metrics.Recorder `env:"-"` // may be nil
}

// Platform is what Azure tells an app about itself. Which of the variables are set depends on the plan:
// WEBSITE_INSTANCE_ID is missing on Flex Consumption. Source: azure-functions-host, EnvironmentExtensions.cs.
type Platform struct {
	InstanceID    string `env:"WEBSITE_INSTANCE_ID"`
	SiteName      string `env:"WEBSITE_SITE_NAME"`
	ContainerName string `env:"CONTAINER_NAME"`
	PodName       string `env:"WEBSITE_POD_NAME"`
	AuthEnabled   bool   `env:"WEBSITE_AUTH_ENABLED"` // the platform signs callers in, so nobody else can set X-MS-CLIENT-PRINCIPAL
}

func (p Platform) deployed() bool { return p.InstanceID+p.SiteName+p.ContainerName+p.PodName != "" }

// Handler is an http.Handler for all paths.
type Handler struct {
	settings Settings
	db       *postgres.DB
	blobs    *azure.Blobs
	queue    *azure.Queue
	log      *slog.Logger

	mux *http.ServeMux
	api huma.API

	document func() ([]byte, error) // OpenAPI

	receiver *receive.Receiver
	exporter *export.Exporter
	files    files
	tasks    tasks
	bulks    bulks
	uploads  uploads
	views    views

	previewer *receive.Previewer
	watcher   *watch.Watcher
	embedded  *embed.Gate

	uploading  *places
	previewing *places
	streaming  *places // long responses
	waiting    *places // requests and streams waiting for tasks to end

	placeWait time.Duration // how long a request waits for a place to write a long response
	readIdle  time.Duration // how long a client may be silent
}

// New returns the handler; it makes no calls. nudge receives the ids of messages that have just been committed and must
// not block. invocationID returns the id under which the host delivered the request of a context, or "". Running
// deployed without the platform's authentication is an error.
func New(
	s Settings, db *postgres.DB, blobs *azure.Blobs, queue *azure.Queue,
	nudge func(messageIDs ...uuid.UUID), invocationID func(context.Context) string, log *slog.Logger,
) (*Handler, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if s.HostMaxBytes > 0 && s.MaxBytes > s.HostMaxBytes {
		log.Warn("UPLOAD_MAX_BYTES exceeds the host's limit: the lower one applies", "upload_max_bytes", s.MaxBytes, "host_max_bytes",
			s.HostMaxBytes)
		s.MaxBytes = s.HostMaxBytes
	}
	if s.Webhooks.Wake == nil {
		s.Webhooks.Wake = func() {}
	}
	oneOwner := s.Auth == AuthLocal
	h := &Handler{
		settings: s, db: db, blobs: blobs, queue: queue, log: log, mux: http.NewServeMux(),
		receiver: &receive.Receiver{DB: db, Blobs: blobs, Nudge: nudge, Log: log, Quota: s.Quota, MaxBytes: s.MaxBytes, MaxAge: receive.MaxAge,
			Fetcher: s.URL.Fetcher(oneOwner), Metrics: s.Metrics},
		exporter:  &export.Exporter{DB: db, Blobs: blobs, Log: log, RowsTimeout: targetrows.Timeout},
		uploading: newPlaces("uploads", s.AtOnce, oneOwner), streaming: newPlaces("long answers", maxStreams, oneOwner),
		waiting:    newPlaces("waiting requests", maxWaits, oneOwner),
		previewer:  &receive.Previewer{Settings: s.Preview, MaxBytes: s.MaxBytes, Timeout: 10 * time.Second},
		watcher:    watch.New(db, log),
		previewing: newPlaces("previews", max(1, s.Preview.AtOnce), oneOwner),
		placeWait:  5 * time.Second, readIdle: time.Minute,
	}
	base := operation.Base{DB: db, Quota: s.Quota, Nudge: nudge, TasksEnded: s.Webhooks.Wake, InvocationID: invocationID, Log: log}
	h.files, h.tasks, h.bulks = files{base}, tasks{base, h.waiting}, bulks{base}
	h.views = views{base, h.exporter}
	h.uploads = uploads{&direct.Uploads{DB: db, Blobs: blobs, Nudge: nudge, Log: log, Quota: s.Quota, Settings: s.Direct, Metrics: s.Metrics}}
	h.embedded = embed.New(s.Embed, db, log, http.HandlerFunc(h.route))
	h.declareRoutes(base)
	h.document = sync.OnceValues(func() ([]byte, error) {
		generated, err := json.Marshal(h.api.OpenAPI())
		if err != nil {
			return nil, err
		}
		return openapi.Complete(generated)
	})
	return h, nil
}

func (s Settings) check() error {
	if s.Auth != AuthLocal && s.Auth != AuthEasyAuth {
		return fmt.Errorf("AUTH is %q; it must be %s or %s", s.Auth, AuthLocal, AuthEasyAuth)
	}
	if s.Auth == AuthEasyAuth && !s.Platform.AuthEnabled {
		return errors.New(
			"AUTH=easyauth needs WEBSITE_AUTH_ENABLED=True, which the platform sets if it signs callers in: without it callers could claim to be anybody",
		)
	}
	if s.Auth == AuthLocal && s.Platform.deployed() {
		return errors.New(
			"AUTH=local is only for a local machine, and WEBSITE_INSTANCE_ID, WEBSITE_SITE_NAME, CONTAINER_NAME or WEBSITE_POD_NAME says that the app is deployed",
		)
	}
	if s.MaxBytes < 1 {
		return fmt.Errorf("UPLOAD_MAX_BYTES is %d; it must be 1 or more", s.MaxBytes)
	}
	if s.AtOnce < 1 {
		return fmt.Errorf("UPLOAD_CONCURRENCY is %d; it must be 1 or more", s.AtOnce)
	}
	return errors.Join(s.Quota.Check(), s.Direct.Check(), s.Preview.Check(), s.Embed.Check(), s.URL.Check(), s.Webhooks.Check())
}

// OpenAPI returns the OpenAPI 3.1 document, as JSON.
func (h *Handler) OpenAPI() ([]byte, error) { return h.document() }

// ServeHTTP authenticates the caller and serves the request, behind the host's proxy as well as without it.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := receive.NewBody(w, r, h.settings.MaxBytes, h.readIdle)
	r = r.WithContext(r.Context()) // a copy, because the server keeps using the body of its own
	r.Body = body
	answer := receive.NewResponse(w, body)
	defer h.endPanic(answer, r)
	answer.Header().Set("X-Content-Type-Options", "nosniff")
	answer.Header().Set("Cache-Control", "no-store")
	if unwanted(r) {
		body.Refuse()
		problem.Write(answer, r, h.log, problem.New(problem.TooLarge, "Nothing is to be sent here."))
		return
	}
	if embed.Is(r) {
		h.serveEmbedded(answer, r)
		return
	}
	if r.URL.Path != healthPath { // the platform calls it unauthenticated
		sender, err := h.admit(r)
		if err != nil {
			problem.Write(answer, r, h.log, err)
			return
		}
		r = r.WithContext(caller.With(r.Context(), sender, r))
	}
	shown := representation.New(answer, r, strings.HasPrefix(r.URL.Path, prefix+"/uploads"))
	h.route(shown, r)
	if err := shown.Finish(); err != nil {
		panic(http.ErrAbortHandler) // the client is gone, and must not take a part for the whole
	}
}

// route serves an operation, and says which one that was.
func (h *Handler) route(w http.ResponseWriter, r *http.Request) {
	defer metrics.Routed(r)
	h.mux.ServeHTTP(w, r)
}

// serveEmbedded serves a page of another origin. What the platform says of a caller does not count here, where the platform
// lets everybody through; with AUTH=local the caller must still be on this machine.
func (h *Handler) serveEmbedded(w http.ResponseWriter, r *http.Request) {
	if h.settings.Auth == AuthLocal {
		if _, err := identifyLocal(r); err != nil {
			problem.Write(w, r, h.log, err)
			return
		}
	}
	h.embedded.ServeHTTP(w, r)
}

// endPanic answers a panic with a problem, or aborts the connection if the response has begun: half a response must not
// look complete.
func (h *Handler) endPanic(answer *receive.Response, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(http.ErrAbortHandler)
	}
	h.log.ErrorContext(r.Context(), "panic while serving", "method", r.Method, "path", r.URL.Path, "panic", fmt.Sprint(v), "stack",
		string(debug.Stack()))
	if answer.Begun() {
		panic(http.ErrAbortHandler)
	}
	problem.Write(answer, r, h.log, fmt.Errorf("panic: %v", v))
}

// unwanted reports whether a health check has a body. Anybody may call it without signing in, so its body is not read.
func unwanted(r *http.Request) bool {
	return r.URL.Path == healthPath && r.ContentLength != 0 // -1 means chunked
}
