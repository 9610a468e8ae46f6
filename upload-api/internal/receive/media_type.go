package receive

import (
	"errors"
	"mime"
	"net/http"
	"strings"

	"sheetdrop/upload-api/internal/problem"
)

const (
	// AnyBytes is the media type of a file whose sender names none.
	AnyBytes        = "application/octet-stream"
	maxMediaTypeLen = 255

	typeJSON = "application/json"
	typeForm = "application/x-www-form-urlencoded"
)

// howToSend ends the message of an unsupported Content-Type.
const howToSend = ` Send the file's own bytes with a header like Content-Type: text/csv or application/octet-stream, ` +
	`or send a form with Content-Type: multipart/form-data; boundary=…`

// bodyType returns the media type that a request declares, and the boundary of a multipart body. Nothing is decided by
// the type of a raw body, except that three kinds certainly are not a plain file, and neither is a compressed body.
func bodyType(header http.Header, isByURL func(mediaType string) bool) (mediaType, boundary string, err error) {
	if coding := header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return "", "", problem.New(problem.UnsupportedMediaType,
			"The body is compressed (Content-Encoding: %s) and would be stored compressed."+howToSend, coding)
	}
	if header.Get("Content-Type") == "" {
		return AnyBytes, "", nil
	}
	mediaType, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	switch {
	case err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter), len(mediaType) > maxMediaTypeLen:
		return "", "", problem.New(problem.UnsupportedMediaType, "The Content-Type cannot be read."+howToSend)
	case strings.HasPrefix(mediaType, "multipart/"):
		if params["boundary"] == "" {
			return "", "", problem.New(problem.UnsupportedMediaType,
				"A multipart body needs its boundary in the Content-Type; let your HTTP library write the header."+howToSend)
		}
		return mediaType, params["boundary"], nil
	case isByURL(mediaType):
		return mediaType, "", nil
	case mediaType == typeForm:
		return "", "", problem.New(problem.UnsupportedMediaType,
			"A form of this type would corrupt the file (curl: use --data-binary with -H, or -F)."+howToSend)
	case mediaType == typeJSON:
		return "", "", problem.New(problem.UnsupportedMediaType, "JSON is not accepted."+howToSend)
	}
	return mediaType, "", nil
}

// partType parses the Content-Type of a file in a multipart body.
func partType(header string) string {
	mediaType, _, err := mime.ParseMediaType(header)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) || len(mediaType) > maxMediaTypeLen {
		return AnyBytes
	}
	return mediaType
}
