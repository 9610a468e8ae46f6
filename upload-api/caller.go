package upload

import (
	"context"
	"net/url"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"sheetdrop/upload-api/internal/problem"
)

// Caller is the authenticated user of a request.
type Caller struct {
	Owner    string // never changes, and is never the same for two people
	Operator bool
	Roles    []string // of the sign-in
}

// who has the names under which something can be shared with the caller, their own first.
func (c Caller) who() []string {
	names := []string{c.Owner}
	for _, role := range c.Roles {
		names = append(names, "role:"+role)
	}
	return names
}

type callerKey struct{}

// calling is a request's caller together with what is requested.
type calling struct {
	Caller
	method string
	url    *url.URL
}

func withCaller(ctx context.Context, c calling) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// callerOf returns the caller of a request; every request except the health check has one.
func callerOf(ctx context.Context) Caller { return callingOf(ctx).Caller }

func callingOf(ctx context.Context) calling {
	c, ok := ctx.Value(callerKey{}).(calling)
	if !ok {
		panic("an operation was reached without a caller")
	}
	return c
}

// owned turns an operation on an owner's files into one on the caller's files.
func owned[I, O any](fn func(ctx context.Context, owner string, in *I) (*O, error)) func(context.Context, *I) (*O, error) {
	return func(ctx context.Context, in *I) (*O, error) { return fn(ctx, callerOf(ctx).Owner, in) }
}

// needOperator is middleware that admits operators only.
func (h *Handler) needOperator(ctx huma.Context, next func(huma.Context)) {
	if err := h.operators.mustOperate(ctx.Context()); err != nil {
		r, w := humago.Unwrap(ctx)
		problem.Write(w, r, h.log, err)
		return
	}
	next(ctx)
}

// mustOperate returns an error unless the caller is an operator, and logs the request before it is answered, because
// the answer shows other people's data. Changes are also recorded in the database (see actOn).
func (o *operations) mustOperate(ctx context.Context) error {
	c := callingOf(ctx)
	if !c.Operator {
		return problem.New(problem.NotOperator, "Only operators may do this.")
	}
	o.log.InfoContext(ctx, "operator_access", "caller", c.Owner, "method", c.method, "path", c.url.Path, "query", c.url.RawQuery,
		"invocation", o.invocationID(ctx))
	return nil
}
