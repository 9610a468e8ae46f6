// Package server calls a running sheetdrop, with error messages for people. See package client for the API itself.
package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/words"
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

// Token returns the bearer token for the platform's authentication, "" for none.
type Token func(context.Context) (string, error)

// Fixed returns a Token that is always the same.
func Fixed(token string) Token { return func(context.Context) (string, error) { return token, nil } }

// At returns the sheetdrop at a URL, with or without /api at its end. The token goes to this server alone: over https, or within this
// machine. token may be nil.
func At(address string, token Token) (*Server, error) {
	address = strings.TrimRight(address, "/")
	if !strings.HasSuffix(address, "/api") {
		address += "/api"
	}
	where, err := url.Parse(address)
	if err != nil || where.Scheme != "http" && where.Scheme != "https" || where.Host == "" {
		return nil, words.Errorf("%s is not the address of a server: https://HOST is expected", strconv.Quote(address))
	}
	editor := func(ctx context.Context, r *http.Request) error {
		if words.Japanese() {
			r.Header.Set("Accept-Language", "ja")
		}
		return authorize(ctx, r, token)
	}
	c, err := client.NewClient(address, client.WithHTTPClient(newHTTPClient(answerTimeout)), client.WithRequestEditorFn(editor))
	return &Server{URL: address, RetryFor: RetryFor, client: c}, err
}

// authorize adds the token to a request.
func authorize(ctx context.Context, r *http.Request, token Token) error {
	if token == nil {
		return nil
	}
	text, err := token(ctx)
	if err != nil || text == "" {
		return err
	}
	if r.URL.Scheme != "https" && !isLoopback(r.URL.Hostname()) {
		return words.Errorf("%s is not https: whoever is between could read the token, so it is not sent", r.URL.Host)
	}
	r.Header.Set("Authorization", "Bearer "+text)
	return nil
}

// IsThisMachine reports whether a URL leads to this machine, whatever its network.
func IsThisMachine(address string) bool {
	where, err := url.Parse(address)
	return err == nil && isLoopback(where.Hostname())
}

func isLoopback(host string) bool {
	address := net.ParseIP(host)
	return host == "localhost" || address != nil && address.IsLoopback()
}

// PageURL is the address of the page in the browser.
func (s *Server) PageURL() string { return strings.TrimSuffix(s.URL, "api") }

// answerTimeout is how long an answer may take to begin: a little longer than the 230 s after which Azure's front end gives up a request.
const answerTimeout = 4 * time.Minute

// newHTTPClient returns a client that returns a redirect as the answer: the API has none, and that of the platform leads to a page for
// signing in.
func newHTTPClient(timeout time.Duration) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = timeout
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// ask reads the answer to a request.
func ask[T any](answer *http.Response, err error) (T, error) {
	value, err := client.Decode[T](answer, err)
	return value, explain(err)
}

// askEmpty reads an answer without a body.
func askEmpty(answer *http.Response, err error) error {
	if err == nil && answer.StatusCode == http.StatusNoContent {
		return answer.Body.Close()
	}
	_, err = ask[struct{}](answer, err)
	return err
}

// explain says what to do about a refusal of the platform, and where nobody answers.
func explain(err error) error {
	other, ok := errors.AsType[*client.UnexpectedAnswer](err)
	switch {
	case ok && (other.StatusCode == http.StatusFound || other.StatusCode == http.StatusUnauthorized):
		return words.Errorf("the server requires you to sign in: put a token into %s, or make a profile that signs in with Azure, "+
			"`sheetdrop profile add NAME URL --client-id=ID` (%s)", TokenVariable, other.Status)
	case ok && other.StatusCode == http.StatusForbidden:
		return words.Errorf("the server does not let you in: its operator says who may use it (%s)", other.Status)
	case errors.Is(err, syscall.ECONNREFUSED):
		return words.Errorf("%w: nobody answers there; `sheetdrop local` starts one on this machine, and --url, --data or --profile name another", err)
	case err != nil && strings.Contains(err.Error(), "timeout awaiting response headers"): // whose error net/http keeps to itself
		return words.Errorf("the server took the request and has not answered: it may be busy or hang; try again later (%w)", err)
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

// Clock returns the clock of whoever answers for the service, to the second; the zero time where the answer has none. An error is what
// the network or the answer has said, and not what to do about it.
func (s *Server) Clock(ctx context.Context) (now time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	answer, err := s.client.GetHealth(ctx)
	if err == nil {
		now, _ = http.ParseTime(answer.Header.Get("Date"))
	}
	health, err := client.Decode[client.HealthOutputBody](answer, err)
	if err == nil && health.Status == "" {
		err = words.New("the answer is not that of a sheetdrop")
	}
	return now, err
}
