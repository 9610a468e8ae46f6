package export

import (
	"context"
	"net/url"
	"time"

	"sheetdrop/upload-api/internal/caller"
)

const defaultLimit = 1000

// ListInput has the parameters of every list. (huma looks only into exported embedded structs.)
type ListInput struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"10000" doc:"The maximum number of items; 1,000 by default."`
	Cursor string `query:"cursor" doc:"The next of the previous response."`
}

// PageSize returns the maximum number of items in a response.
func (in ListInput) PageSize() int {
	if in.Limit == 0 {
		return defaultLimit
	}
	return in.Limit
}

// List is one page of a list.
type List[T any] struct {
	Items []T     `json:"items"`
	Next  *string `json:"next" doc:"The cursor of the next page; null at the end."`
}

// ListOutput is the response of an operation that lists.
type ListOutput[T any] struct {
	Link string `header:"Link" doc:"The next page, as rel=\"next\" (RFC 8288)."`
	Body List[T]
}

// SetNext sets the cursor of the next page, and the link with it.
func (o *ListOutput[T]) SetNext(ctx context.Context, cursor string) {
	o.Body.Next, o.Link = &cursor, linkNext(ctx, cursor)
}

// linkNext returns the value of Link for the next page of what is requested.
func linkNext(ctx context.Context, cursor string) string {
	_, requested := caller.Requested(ctx)
	query := requested.Query()
	query.Set("cursor", cursor)
	next := url.URL{Path: requested.Path, RawQuery: query.Encode()}
	return "<" + next.String() + `>; rel="next"`
}

// TimeInput selects what was made within a time.
type TimeInput struct {
	CreatedAfter  time.Time `query:"created_after" doc:"Only what was made at this time or later."`
	CreatedBefore time.Time `query:"created_before" doc:"Only what was made before this time."`
}

// OrNil returns nil for the zero time.
func OrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// AnswerPage returns the response with one page of a list; place returns an item's position, for the cursor.
func AnswerPage[T, P, S any](ctx context.Context, page []T, more bool, list string, place func(T) P, show func(T) S) *ListOutput[S] {
	out := &ListOutput[S]{Body: List[S]{Items: make([]S, len(page))}}
	for i, item := range page {
		out.Body.Items[i] = show(item)
	}
	if more {
		out.SetNext(ctx, EncodeCursor(list, place(page[len(page)-1])))
	}
	return out
}
