package export

const defaultLimit = 1000

// ListInput is what every list takes. (huma looks into embedded structs that are exported, and no others.)
type ListInput struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"10000" doc:"How many at most; 1,000 if not given."`
	Cursor string `query:"cursor" doc:"The next of the answer before."`
}

// PageSize is how many items an answer has at most.
func (in ListInput) PageSize() int {
	if in.Limit == 0 {
		return defaultLimit
	}
	return in.Limit
}

// List is one answer's share of a list.
type List[T any] struct {
	Items []T     `json:"items"`
	Next  *string `json:"next" doc:"The cursor to go on with; null at the end."`
}

// ListOutput is the answer of an operation that lists.
type ListOutput[T any] struct{ Body List[T] }

// AnswerPage is the answer with a page of a list; place returns an item's place in it, for the cursor.
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
