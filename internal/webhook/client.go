package webhook

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"sheetdrop/internal/clock"
	"sheetdrop/internal/outbound"
)

// Limits of a request and of its answer.
const (
	connectTimeout = 5 * time.Second
	headerTimeout  = 10 * time.Second // from the request's end to the end of the answer's header
	wholeTimeout   = 15 * time.Second
	maxAnswer      = 64 << 10 // bytes of the body that are read
	keptAnswer     = 1 << 10  // bytes of the body that are kept
)

// Hooks are for tests alone.
type Hooks struct {
	Resolver *net.Resolver  // in place of the system's
	Roots    *x509.CertPool // in place of the system's
	Timeout  time.Duration  // in place of wholeTimeout and headerTimeout
}

// Client posts events. It is safe for concurrent use.
type Client struct {
	policy   Policy
	public   *http.Transport // reaches public addresses alone
	loopback *http.Transport // reaches this machine alone
	timeout  time.Duration
}

// NewClient returns a client that follows a policy.
func NewClient(p Policy, h Hooks) *Client {
	c := &Client{policy: p, timeout: wholeTimeout}
	header := headerTimeout
	if h.Timeout != 0 {
		c.timeout, header = h.Timeout, h.Timeout
	}
	to := outbound.Connections{Allowed: outbound.Public, Connect: connectTimeout, Header: header, Resolver: h.Resolver, Roots: h.Roots}
	c.public = outbound.Transport(to)
	to.Allowed = loopback
	c.loopback = outbound.Transport(to)
	return c
}

// Policy is what the client follows.
func (c *Client) Policy() Policy { return c.policy }

// Answer is what became of a request.
type Answer struct {
	Status     int    // 0 where there was no answer
	Body       string // the beginning of the answer's body
	Took       time.Duration
	RetryAfter time.Duration // for how long the receiver does not want another one; 0 where it does not say
	Err        error         // why the event was not delivered, in words for the owner of the webhook; nil if it was
}

// Gone reports whether the receiver wants no events any more.
func (a Answer) Gone() bool { return a.Status == http.StatusGone }

// Post sends an event once. It is delivered if the answer's status is 2xx, whatever becomes of the answer's body.
func (c *Client) Post(ctx context.Context, address string, m Message) (a Answer) {
	took := clock.Start()
	defer func() { a.Took = took() }()
	u, err := c.policy.Check(address)
	if err != nil {
		return Answer{Err: fmt.Errorf("the address is not allowed: %w", err)}
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(m.Body))
	if err != nil {
		return Answer{Err: errNoURL}
	}
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "User-Agent": {"sheetdrop-webhook/1"},
		"Webhook-Id": {m.ID}, "Webhook-Timestamp": {m.timestamp()}, "Webhook-Signature": {m.signature()},
	}
	through := c.public
	if isLoopback(u) {
		through = c.loopback
	}
	response, err := through.RoundTrip(r) // and no http.Client, which would follow redirects
	if err != nil {
		return Answer{Err: explain(err)}
	}
	defer response.Body.Close()
	return read(response)
}

func read(response *http.Response) Answer {
	a := Answer{Status: response.StatusCode, RetryAfter: retryAfter(response)}
	if a.Status < 200 || a.Status > 299 {
		a.Err = fmt.Errorf("the receiver answered %d", a.Status)
	}
	body, _ := io.ReadAll(io.LimitReader(response.Body, maxAnswer)) // what has come is kept, if it breaks off
	kept := string(body[:min(len(body), keptAnswer)])
	a.Body = strings.ReplaceAll(strings.ToValidUTF8(kept, "\uFFFD"), "\x00", "\uFFFD")
	return a
}

// retryAfter returns the pause in seconds that an answer asks for. A date would be one of the receiver's clock: it is left.
func retryAfter(response *http.Response) time.Duration {
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(min(seconds, 1<<20)) * time.Second
}

// explain says why there was no answer, without addresses of networks, of which only this server's resolver knows.
func explain(err error) error {
	var (
		timeout   interface{ Timeout() bool }
		dns       *net.DNSError
		operation *net.OpError
	)
	switch {
	case errors.Is(err, outbound.ErrRefused):
		return errNotPublic
	case errors.As(err, &dns) && dns.IsNotFound:
		return errors.New("its host is not known")
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return errors.New("there was no answer in time")
	case errors.As(err, &dns):
		return errors.New("its host could not be looked up")
	case errors.As(err, &operation):
		return fmt.Errorf("there was no connection, or it broke: %w", operation.Err)
	}
	return fmt.Errorf("there was no answer: %w", err)
}
