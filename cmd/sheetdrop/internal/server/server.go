// Package server calls a running sheetdrop, with error messages for people. See package client for the API itself.
package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"sheetdrop/internal/client"
)

// TokenVariable is the environment variable with the token for a deployed sheetdrop. There is no flag for it, since other users of a
// machine can read arguments.
const TokenVariable = "SHEETDROP_TOKEN"

// RetryFor is how long Server.RetryFor is unless it is set.
const RetryFor = 2 * time.Minute

// Server is a running sheetdrop. It is safe for concurrent use.
type Server struct {
	URL      string        // ends in /api, without a slash
	Into     Into          // the target of uploads
	RetryFor time.Duration // how long a direct upload, and the wait for a task, are tried again while the network or the service is away

	Corrects string // the sheet whose rejects uploaded files correct, TASK/NUMBER; "" for none

	client *client.Client
}

// At returns the sheetdrop at a URL, with or without /api at its end. token is the bearer token for the platform's authentication, empty
// for none.
func At(url, token string) (*Server, error) {
	url = strings.TrimRight(url, "/")
	if !strings.HasSuffix(url, "/api") {
		url += "/api"
	}
	authorize := func(_ context.Context, r *http.Request) error {
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		return nil
	}
	c, err := client.NewClient(url, client.WithHTTPClient(withoutRedirects), client.WithRequestEditorFn(authorize))
	return &Server{URL: url, RetryFor: RetryFor, client: c}, err
}

// withoutRedirects returns a redirect as the answer: the API has none, and that of the platform leads to a page for signing in.
var withoutRedirects = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// ask reads the answer to a request.
func ask[T any](answer *http.Response, err error) (T, error) {
	value, err := client.Decode[T](answer, err)
	return value, explain(err)
}

// explain puts a refusal of the platform into words.
func explain(err error) error {
	other, ok := errors.AsType[*client.UnexpectedAnswer](err)
	if ok && (other.StatusCode == http.StatusFound || other.StatusCode == http.StatusUnauthorized) {
		return fmt.Errorf("the server requires you to sign in: put a token into %s (%s)", TokenVariable, other.Status)
	}
	return err
}

// checkTimeout is for questions about the service itself, which it answers at once or not at all.
const checkTimeout = 10 * time.Second

// Ready returns nil if the service has all that it needs.
func (s *Server) Ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	_, err := ask[client.ReadyOutputBody](s.client.GetReady(ctx))
	return err
}

// Limits are the sizes of the largest files that the service accepts, in bytes.
type Limits struct {
	Request int64 // in one request
	Direct  int64 // block by block; 0 where the service does not take that
}

// Limits asks for them.
func (s *Server) Limits(ctx context.Context) (Limits, error) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	health, err := ask[client.HealthOutputBody](s.client.GetHealth(ctx))
	return Limits{health.MaxUploadBytes, health.MaxDirectUploadBytes}, err
}
