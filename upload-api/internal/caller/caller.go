// Package caller keeps with a request's context who sends it.
package caller

import (
	"context"
	"net/http"
	"net/url"
)

// Caller is the authenticated user of a request.
type Caller struct {
	Owner    string // never changes, and is never the same for two people
	Operator bool
	Roles    []string // of the sign-in
}

// Names returns the names under which something can be shared with the caller, their own first.
func (c Caller) Names() []string {
	names := []string{c.Owner}
	for _, role := range c.Roles {
		names = append(names, "role:"+role)
	}
	return names
}

type key struct{}

// calling is a request's caller together with what is requested.
type calling struct {
	Caller
	method string
	url    *url.URL
}

// With returns a context with the caller of a request.
func With(ctx context.Context, c Caller, r *http.Request) context.Context {
	return context.WithValue(ctx, key{}, calling{c, r.Method, r.URL})
}

// Of returns the caller of a request; every request except the health check has one.
func Of(ctx context.Context) Caller { return of(ctx).Caller }

// Requested returns the method and the URL of the request.
func Requested(ctx context.Context) (method string, u *url.URL) {
	c := of(ctx)
	return c.method, c.url
}

func of(ctx context.Context) calling {
	c, ok := ctx.Value(key{}).(calling)
	if !ok {
		panic("an operation was reached without a caller")
	}
	return c
}
