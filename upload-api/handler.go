// Package upload is the door: everything under /api. A file that comes in is streamed to the blob store, then its facts, its task and
// the message that asks for its parsing are committed in one transaction, and only then it is answered with 202. The same package
// shows files, tasks, rows and rejects to whom they belong to.
//
// Every operation is declared once, in routes.go: its inputs with their limits, its answers and its problems. The OpenAPI document
// comes from the same declarations.
package upload

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
)

// Settings say whom to let in and how much to take.
type Settings struct {
	Auth     string `env:"AUTH,required"`                          // AuthLocal or AuthEasyAuth
	MaxBytes int64  `env:"UPLOAD_MAX_BYTES" envDefault:"67108864"` // of one request's body, at most what the host takes
	AtOnce   int    `env:"UPLOAD_CONCURRENCY" envDefault:"32"`     // uploads; each takes about 8 MiB of memory, and what comes beyond is answered with 503
	// HostMaxBytes is the host's own limit of a body, and 100 MiB its default; 0 is none. It answers a larger one itself, with 500 and no body.
	HostMaxBytes int64 `env:"FUNCTIONS_REQUEST_BODY_SIZE_LIMIT" envDefault:"104857600"`

	Quota    postgres.Quota // of each owner
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
	nudge    func(messageIDs ...uuid.UUID)
	log      *slog.Logger

	invocationID func(context.Context) string

	mux *http.ServeMux
	api huma.API

	uploading *places
	streaming *places // long answers
	waiting   *places // requests that wait for a task's end

	placeWait    time.Duration // how long an answer waits for its place
	readIdle     time.Duration // how long a client may send nothing
	uploadMaxAge time.Duration // by the database's clock; the sweep for orphan blobs leaves younger ones alone
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
		log.Warn("UPLOAD_MAX_BYTES is more than the host takes: the lower limit counts", "upload_max_bytes", s.MaxBytes, "host_max_bytes", s.HostMaxBytes)
		s.MaxBytes = s.HostMaxBytes
	}
	oneOwner := s.Auth == AuthLocal
	h := &Handler{
		settings: s, db: db, blobs: blobs, queue: queue, nudge: nudge, invocationID: invocationID, log: log, mux: http.NewServeMux(),
		uploading: newPlaces("uploads", s.AtOnce, oneOwner), streaming: newPlaces("long answers", maxStreams, oneOwner),
		waiting:   newPlaces("requests that wait", maxWaits, oneOwner),
		placeWait: 5 * time.Second, readIdle: time.Minute, uploadMaxAge: 12 * time.Hour,
	}
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
	return s.Quota.Check()
}

// OpenAPI gives the OpenAPI 3.1 document, as JSON.
func (h *Handler) OpenAPI() ([]byte, error) { return json.Marshal(h.api.OpenAPI()) }

// ServeHTTP lets a caller in and serves the request. It is right behind the host's proxy as well as without it.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := newBody(w, r, h.settings.MaxBytes, h.readIdle)
	r = r.WithContext(r.Context()) // a copy: the server looks at the body of its own
	r.Body = body
	answer := &response{ResponseWriter: w, body: body}
	defer h.endPanic(answer, r)
	answer.Header().Set("X-Content-Type-Options", "nosniff")
	answer.Header().Set("Cache-Control", "no-store")
	if unwanted(r) {
		h.writeProblem(answer, r, tooLarge(0))
		return
	}
	if r.URL.Path != healthPath { // the platform asks for it without a caller's rights
		caller, err := h.admit(r)
		if err != nil {
			h.writeProblem(answer, r, err)
			return
		}
		r = r.WithContext(withCaller(r.Context(), calling{caller, r.Method, r.URL}))
	}
	h.mux.ServeHTTP(answer, r)
}

// endPanic turns a panic into an answer, or breaks the connection where an answer has begun: half of one must not look whole.
func (h *Handler) endPanic(answer *response, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(http.ErrAbortHandler)
	}
	h.log.ErrorContext(r.Context(), "panic while serving", "method", r.Method, "path", r.URL.Path, "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
	if answer.begun {
		panic(http.ErrAbortHandler)
	}
	h.writeProblem(answer, r, fmt.Errorf("panic: %v", v))
}

type callerKey struct{}

// calling is who is asking, and for what.
type calling struct {
	Caller
	method string
	url    *url.URL
}

func withCaller(ctx context.Context, c calling) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// callerOf returns who is asking; every request but that for health has one.
func callerOf(ctx context.Context) Caller { return callingOf(ctx).Caller }

func callingOf(ctx context.Context) calling {
	c, ok := ctx.Value(callerKey{}).(calling)
	if !ok {
		panic("an operation was reached without a caller")
	}
	return c
}
