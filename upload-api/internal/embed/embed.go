// Package embed admits uploads from pages of other origins. Below Prefix a request needs an upload token, and an Origin that
// is one of the settings' and that of the token; the token's owner, options and limits are then those of the request, and it
// reaches what was made with the token alone. Nothing below Prefix believes a sign-in, and nothing else takes a token.
package embed

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/uploadtoken"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/problem"
)

// Prefix is that of all paths for pages of other origins; behind it they are those of the API.
const (
	Prefix    = "/api/embed"
	apiPrefix = "/api"
)

// Settings name the pages that may upload.
type Settings struct {
	// Origins are exact: scheme, host and port, without a path.
	Origins []string `env:"CORS_ORIGINS"`
}

// Check refuses what is no origin, and origins that mean more than one.
func (s Settings) Check() error {
	for _, origin := range s.Origins {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme+"://"+u.Host != origin || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil ||
			strings.ContainsAny(origin, "*?# ") || strings.ToLower(origin) != origin {
			return fmt.Errorf("CORS_ORIGINS has %q; an origin looks like https://app.example.com, in lower case and without a path", origin)
		}
	}
	return nil
}

// Allows reports whether pages of an origin may upload.
func (s Settings) Allows(origin string) bool { return slices.Contains(s.Origins, origin) }

// Gate admits requests below Prefix, and passes them to the API.
type Gate struct {
	Settings Settings
	DB       *postgres.DB
	Log      *slog.Logger
	API      http.Handler // without the prefix

	mux *http.ServeMux
}

// New returns a gate in front of api.
func New(s Settings, db *postgres.DB, log *slog.Logger, api http.Handler) *Gate {
	g := &Gate{Settings: s, DB: db, Log: log, API: api, mux: http.NewServeMux()}
	for _, op := range Operations {
		g.mux.HandleFunc(op.Method+" "+Prefix+op.Path, g.admitted(op))
	}
	return g
}

// Is reports whether a request is for a page of another origin.
func Is(r *http.Request) bool {
	return r.URL.Path == Prefix || strings.HasPrefix(r.URL.Path, Prefix+"/")
}

// ServeHTTP answers a preflight, or admits the request.
func (g *Gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Add("Vary", "Origin")
	origins := r.Header.Values("Origin")
	if len(origins) != 1 || !g.Settings.Allows(origins[0]) {
		problem.Write(w, r, g.Log, problem.New(problem.OriginNotAllowed,
			"Only pages of the origins in CORS_ORIGINS may upload here. Everybody else calls the same paths without /embed, signed in."))
		return
	}
	header.Set("Access-Control-Allow-Origin", origins[0])
	if r.Method == http.MethodOptions {
		g.preflight(w, r)
		return
	}
	header.Set("Access-Control-Expose-Headers", "Location, Retry-After, Idempotent-Replayed")
	if _, pattern := g.mux.Handler(r); pattern == "" || r.Method == http.MethodHead {
		problem.Write(w, r, g.Log, problem.New(problem.NotFound, "There is nothing at this path for an upload token."))
		return
	}
	g.mux.ServeHTTP(w, r)
}

// preflight tells a browser what it may send to a path. The answer is kept for two hours, as long as a browser does.
func (g *Gate) preflight(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Add("Vary", "Access-Control-Request-Method, Access-Control-Request-Headers")
	asked := r.Clone(r.Context())
	asked.Method = r.Header.Get("Access-Control-Request-Method")
	if _, pattern := g.mux.Handler(asked); pattern == "" {
		header.Del("Access-Control-Allow-Origin")
		problem.Write(w, r, g.Log, problem.New(problem.NotFound, "There is nothing at this path for an upload token."))
		return
	}
	header.Set("Access-Control-Allow-Methods", asked.Method)
	header.Set("Access-Control-Allow-Headers", "Authorization, Upload-Token, Content-Type, Idempotency-Key")
	header.Set("Access-Control-Max-Age", "7200")
	w.WriteHeader(http.StatusNoContent)
}

// admitted serves an operation to who has a token for it.
func (g *Gate) admitted(op Operation) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token, err := g.token(r)
		if err == nil {
			err = g.check(r, op, token)
		}
		if err != nil {
			problem.Write(w, r, g.Log, err)
			return
		}
		passed := r.Clone(context.WithValue(r.Context(), key{}, token))
		passed.URL.Path = apiPrefix + strings.TrimPrefix(r.URL.Path, Prefix)
		passed.URL.RawPath = ""
		passed = passed.WithContext(caller.With(passed.Context(), caller.Caller{Owner: token.Owner}, passed))
		g.API.ServeHTTP(w, passed)
	}
}

// token finds the token of a request: of Upload-Token or, where that is missing, of Authorization. A platform in front that
// signs people in may look at the second one itself.
func (g *Gate) token(r *http.Request) (*uploadtoken.Token, error) {
	secret := r.Header.Get("Upload-Token")
	if secret == "" {
		scheme, credentials, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if strings.EqualFold(scheme, "Bearer") {
			secret = strings.TrimSpace(credentials)
		}
	}
	if !strings.HasPrefix(secret, secretPrefix) {
		return nil, invalid()
	}
	if err := g.DB.SchemaReady(r.Context()); err != nil {
		return nil, err
	}
	found, err := uploadtoken.Find(r.Context(), g.DB, sha256.Sum256([]byte(secret)))
	switch {
	case err != nil:
		return nil, err
	case found == nil || found.Origin != r.Header.Get("Origin"):
		return nil, invalid()
	}
	return found, nil
}

func invalid() *problem.Problem {
	return problem.New(problem.InvalidUploadToken, "The upload token is missing or unknown, has expired, or is for pages of another origin.")
}

// check refuses what the token is not for: parameters that it does not have, and what was not made with it.
func (g *Gate) check(r *http.Request, op Operation, token *uploadtoken.Token) error {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return problem.New(problem.InvalidParameter, "The query cannot be read.").Because(err)
	}
	for name := range query {
		if op.Query != nil && !slices.Contains(op.Query, name) {
			return problem.Option(problem.InvalidOption, name, "An upload token has the options of its uploads itself.")
		}
	}
	if op.has == nil {
		return nil
	}
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		return postgres.ErrNotFound
	}
	own, err := op.has(r.Context(), g.DB, token.ID, id)
	if err == nil && !own {
		err = postgres.ErrNotFound
	}
	return err
}

type key struct{}

// Of returns the token of a request, nil for callers who have signed in.
func Of(ctx context.Context) *uploadtoken.Token {
	token, _ := ctx.Value(key{}).(*uploadtoken.Token)
	return token
}

// Key returns the idempotency key under which a request's upload is stored. That of a token's upload has a space, which no
// key of a signed-in caller can have, so neither finds what the other has uploaded.
func Key(ctx context.Context, given string) string {
	token := Of(ctx)
	if token == nil || given == "" {
		return given
	}
	return fmt.Sprintf("%s %x", token.ID, sha256.Sum256([]byte(given)))
}

// Use counts new files for the request's token, if it has one.
func Use(ctx context.Context, tx postgres.Tx, made []uploadtoken.Made, bytes int64) error {
	token := Of(ctx)
	if token == nil {
		return nil
	}
	err := uploadtoken.Use(ctx, tx, token.ID, made, bytes)
	if errors.Is(err, uploadtoken.ErrUsedUp) {
		return problem.New(problem.UploadTokenUsedUp, "The upload token is for %d files of %d bytes together, and has expired or has no room for this.",
			token.MaxFiles, token.MaxBytes)
	}
	return err
}

// Location returns the path of a thing for who has asked.
func Location(ctx context.Context, path string) string {
	if Of(ctx) == nil {
		return path
	}
	return Prefix + strings.TrimPrefix(path, apiPrefix)
}
