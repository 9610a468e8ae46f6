package receive

import (
	"net/http"
	"net/url"
	"strings"

	"sheetdrop/upload-api/internal/problem"
)

// head is what a request declares before its body.
type head struct {
	key       string // the idempotency key, or ""
	mediaType string
	boundary  string // of a multipart body; "" if the body is raw
	query     url.Values
}

// readHead rejects, before the body is read, what can be rejected by the request line and the headers. isByURL reports for a
// media type of no file whether the body may name a URL.
func readHead(request *http.Request, maxBytes int64, isByURL func(mediaType string) bool) (h head, err error) {
	if h.key, err = IdempotencyKey(request.Header); err != nil {
		return h, err
	}
	if h.mediaType, h.boundary, err = bodyType(request.Header, isByURL); err != nil {
		return h, err
	}
	if request.ContentLength > maxBytes {
		return h, TooLarge(maxBytes)
	}
	h.query, err = readQuery(request)
	return h, err
}

// IdempotencyKey returns the request's key, or "" if it has none.
func IdempotencyKey(header http.Header) (string, error) {
	const maxLen = 255
	values := header.Values("Idempotency-Key")
	if len(values) == 0 {
		return "", nil
	}
	key := values[0]
	valid := len(values) == 1 && len(key) >= 1 && len(key) <= maxLen
	for i := range len(key) {
		valid = valid && key[i] > ' ' && key[i] <= '~'
	}
	if !valid {
		return "", problem.New(problem.InvalidKey, "Idempotency-Key must be given once and have 1 to %d visible ASCII characters.", maxLen)
	}
	return key, nil
}

// readQuery parses the whole query: huma and package url drop parameters with a semicolon, which declared columns
// contain.
func readQuery(r *http.Request) (url.Values, error) {
	raw := r.URL.RawQuery
	if len(raw) > maxFieldBytes {
		return nil, problem.New(problem.InvalidParameter, "The query is longer than %s.", problem.Size(maxFieldBytes))
	}
	query, err := url.ParseQuery(strings.ReplaceAll(raw, ";", "%3B"))
	if err != nil {
		return nil, problem.New(problem.InvalidParameter, "The query cannot be read.").Because(err)
	}
	return query, nil
}

// fileName returns the name of a raw body's file: the query's name wins over that of Content-Disposition.
func (h head) fileName(header http.Header) (string, error) {
	if name := h.query.Get("name"); name != "" {
		return CheckName(name)
	}
	name, _, err := dispositionName(header.Get("Content-Disposition"))
	if err != nil {
		return "", err
	}
	return CheckName(name)
}
