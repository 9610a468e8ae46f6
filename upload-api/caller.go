package upload

import (
	"context"
	"net/url"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"sheetdrop/upload-api/internal/problem"
)

// Caller is who is asking.
type Caller struct {
	Owner    string // stable for ever, and never the same for two people
	Operator bool
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

// owned turns an operation on an owner's files into one on the caller's.
func owned[I, O any](fn func(ctx context.Context, owner string, in *I) (*O, error)) func(context.Context, *I) (*O, error) {
	return func(ctx context.Context, in *I) (*O, error) { return fn(ctx, callerOf(ctx).Owner, in) }
}

// needOperator lets operators in and nobody else.
func (h *Handler) needOperator(ctx huma.Context, next func(huma.Context)) {
	if err := h.operators.mustOperate(ctx.Context()); err != nil {
		r, w := humago.Unwrap(ctx)
		problem.Write(w, r, h.log, err)
		return
	}
	next(ctx)
}

// mustOperate lets operators go on, and writes into the log which of them asks for what, before it is answered: what they get to see is
// other people's. What they change is recorded in the database besides (see act).
func (o *operations) mustOperate(ctx context.Context) error {
	c := callingOf(ctx)
	if !c.Operator {
		return problem.New(problem.NotOperator, "This is for operators.")
	}
	o.log.InfoContext(ctx, "operator_access", "caller", c.Owner, "method", c.method, "path", c.url.Path, "query", c.url.RawQuery,
		"invocation", o.invocationID(ctx))
	return nil
}
