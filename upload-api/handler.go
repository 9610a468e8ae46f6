// Package upload serves everything under /api. It identifies callers, declares each operation once, in routes.go, with its inputs and
// their limits, its answers and its problems, and has the small operations itself. Uploads are taken by package receive, sheets, rows,
// rejects and contents are shown by package export. The OpenAPI document comes from the same declarations.
package upload

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
	"sheetdrop/upload-api/internal/direct"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/receive"
)

// Settings say whom to let in and how much to take.
type Settings struct {
	Auth     string `env:"AUTH,required"`                          // AuthLocal or AuthEasyAuth
	MaxBytes int64  `env:"UPLOAD_MAX_BYTES" envDefault:"67108864"` // of one request's body, at most what the host takes
	AtOnce   int    `env:"UPLOAD_CONCURRENCY" envDefault:"32"`     // uploads; each takes about 8 MiB of memory, and what comes beyond is answered with 503
	// HostMaxBytes is the host's own limit of a body, and 100 MiB its default; 0 is none. It answers a larger one itself, with 500 and no
	// body.
	HostMaxBytes int64 `env:"FUNCTIONS_REQUEST_BODY_SIZE_LIMIT" envDefault:"104857600"`

	Quota    postgres.Quota // of each owner
	Direct   direct.Settings
	Platform Platform
}

// Platform is what Azure says of itself to an app. Which of the names it sets depends on the plan: WEBSITE_INSTANCE_ID is missing on Flex
// Consumption. Source: azure-functions-host, EnvironmentExtensions.cs.
type Platform struct {
	InstanceID    string `env:"WEBSITE_INSTANCE_ID"`
	SiteName      string `env:"WEBSITE_SITE_NAME"`
	ContainerName string `env:"CONTAINER_NAME"`
	PodName       string `env:"WEBSITE_POD_NAME"`
	AuthEnabled   bool   `env:"WEBSITE_AUTH_ENABLED"` // it signs callers in, and nobody else can set X-MS-CLIENT-PRINCIPAL
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

	receiver   *receive.Receiver
	exporter   *export.Exporter
	files      files
	tasks      tasks
	bulks      bulks
	operators  operators
	recoveries recoveries
	uploads    uploads

	uploading *places
	streaming *places // long answers
	waiting   *places // requests that wait for a task's end

	placeWait time.Duration // how long an answer waits for its place
	readIdle  time.Duration // how long a client may send nothing
}

// New makes the handler; it calls nobody. nudge is told of messages that have just been committed and must not block. invocationID returns
// the id under which a host has delivered the request of a context, "" where it is none's. It is an error to be deployed without the
// platform's authentication in front.
func New(
	s Settings, db *postgres.DB, blobs *azure.Blobs, queue *azure.Queue,
	nudge func(messageIDs ...uuid.UUID), invocationID func(context.Context) string, log *slog.Logger,
) (*Handler, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if s.HostMaxBytes > 0 && s.MaxBytes > s.HostMaxBytes {
		log.Warn("UPLOAD_MAX_BYTES is more than the host takes: the lower limit counts", "upload_max_bytes", s.MaxBytes, "host_max_bytes",
			s.HostMaxBytes)
		s.MaxBytes = s.HostMaxBytes
	}
	oneOwner := s.Auth == AuthLocal
	h := &Handler{
		settings: s, db: db, blobs: blobs, queue: queue, log: log, mux: http.NewServeMux(),
		receiver:  &receive.Receiver{DB: db, Blobs: blobs, Nudge: nudge, Log: log, Quota: s.Quota, MaxBytes: s.MaxBytes, MaxAge: receive.MaxAge},
		exporter:  &export.Exporter{DB: db, Blobs: blobs, Log: log},
		uploading: newPlaces("uploads", s.AtOnce, oneOwner), streaming: newPlaces("long answers", maxStreams, oneOwner),
		waiting:   newPlaces("requests that wait", maxWaits, oneOwner),
		placeWait: 5 * time.Second, readIdle: time.Minute,
	}
	base := operations{db: db, quota: s.Quota, nudge: nudge, invocationID: invocationID, log: log}
	h.files, h.tasks, h.bulks = files{base}, tasks{base, h.waiting}, bulks{base}
	h.operators, h.recoveries = operators{base}, recoveries{base, blobs}
	h.uploads = uploads{&direct.Uploads{DB: db, Blobs: blobs, Nudge: nudge, Log: log, Quota: s.Quota, Settings: s.Direct}}
	h.declareRoutes()
	return h, nil
}

func (s Settings) check() error {
	if s.Auth != AuthLocal && s.Auth != AuthEasyAuth {
		return fmt.Errorf("AUTH is %q; it must be %s or %s", s.Auth, AuthLocal, AuthEasyAuth)
	}
	if s.Auth == AuthEasyAuth && !s.Platform.AuthEnabled {
		return errors.New("AUTH=easyauth needs WEBSITE_AUTH_ENABLED=True, which the platform sets where it signs callers in: without it anybody could be anybody")
	}
	if s.Auth == AuthLocal && s.Platform.deployed() {
		return errors.New("AUTH=local is for this machine only, and WEBSITE_INSTANCE_ID, WEBSITE_SITE_NAME, CONTAINER_NAME or WEBSITE_POD_NAME says that the app is deployed")
	}
	if s.MaxBytes < 1 {
		return fmt.Errorf("UPLOAD_MAX_BYTES is %d; it must be 1 or more", s.MaxBytes)
	}
	if s.AtOnce < 1 {
		return fmt.Errorf("UPLOAD_CONCURRENCY is %d; it must be 1 or more", s.AtOnce)
	}
	return errors.Join(s.Quota.Check(), s.Direct.Check())
}

// OpenAPI returns the OpenAPI 3.1 document, as JSON.
func (h *Handler) OpenAPI() ([]byte, error) { return json.Marshal(h.api.OpenAPI()) }

// ServeHTTP lets a caller in and serves the request. It is right behind the host's proxy as well as without it.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := receive.NewBody(w, r, h.settings.MaxBytes, h.readIdle)
	r = r.WithContext(r.Context()) // a copy: the server looks at the body of its own
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
	if r.URL.Path != healthPath { // the platform asks for it without a caller's rights
		caller, err := h.admit(r)
		if err != nil {
			problem.Write(answer, r, h.log, err)
			return
		}
		r = r.WithContext(withCaller(r.Context(), calling{caller, r.Method, r.URL}))
	}
	h.mux.ServeHTTP(answer, r)
}

// endPanic turns a panic into an answer, or breaks the connection where an answer has begun: half of one must not look whole.
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

// unwanted reports that a request has a body and is for health, which anybody may ask for, without a sign-in: nothing that was sent there
// is worth being read.
func unwanted(r *http.Request) bool {
	return r.URL.Path == healthPath && r.ContentLength != 0 // -1 is chunked
}
