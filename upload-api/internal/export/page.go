package export

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
type ListOutput[T any] struct{ Body List[T] }

// AnswerPage returns the response with one page of a list; place returns an item's position, for the cursor.
func AnswerPage[T, P, S any](page []T, more bool, list string, place func(T) P, show func(T) S) *ListOutput[S] {
	out := &ListOutput[S]{List[S]{Items: make([]S, len(page))}}
	for i, item := range page {
		out.Body.Items[i] = show(item)
	}
	if more {
		next := EncodeCursor(list, place(page[len(page)-1]))
		out.Body.Next = &next
	}
	return out
}
