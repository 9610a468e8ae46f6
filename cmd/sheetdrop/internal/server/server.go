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

// Server is a running sheetdrop. It is safe for concurrent use.
type Server struct {
	URL string // ends in /api, without a slash

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
	return &Server{URL: url, client: c}, err
}

// withoutRedirects returns a redirect as the answer: the API has none, and that of the platform leads to a page for signing in.
var withoutRedirects = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// ask reads the answer to a request, and explains a refusal of the platform.
func ask[T any](answer *http.Response, err error) (T, error) {
	value, err := client.Decode[T](answer, err)
	other, ok := errors.AsType[*client.UnexpectedAnswer](err)
	if ok && (other.StatusCode == http.StatusFound || other.StatusCode == http.StatusUnauthorized) {
		err = fmt.Errorf("the server requires you to sign in: put a token into %s (%s)", TokenVariable, other.Status)
	}
	return value, err
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

// MaxUploadBytes returns the largest file that the service accepts, in bytes, or 0 if it does not answer.
func (s *Server) MaxUploadBytes(ctx context.Context) int64 {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	health, err := ask[client.HealthOutputBody](s.client.GetHealth(ctx))
	if err != nil {
		return 0 // the upload will fail, and says why
	}
	return health.MaxUploadBytes
}
