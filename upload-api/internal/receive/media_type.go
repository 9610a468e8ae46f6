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
)

// howToSend ends the refusal of a Content-Type.
const howToSend = ` Send the file's own bytes with a header like Content-Type: text/csv or application/octet-stream, ` +
	`or send a form with Content-Type: multipart/form-data; boundary=…`

// bodyType reads what a request says of its body: the type, and the boundary of a multipart body. Nothing is decided by the type of a
// raw body, but three kinds are surely no file as it is, and neither is a compressed body.
func bodyType(header http.Header) (mediaType, boundary string, err error) {
	if coding := header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return "", "", problem.New(problem.UnsupportedMediaType,
			"The body is compressed (Content-Encoding: %s); it would be kept so."+howToSend, coding)
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
	case mediaType == "application/x-www-form-urlencoded":
		return "", "", problem.New(problem.UnsupportedMediaType,
			"A form of this kind would garble the file (curl: use --data-binary with -H, or -F)."+howToSend)
	case mediaType == "application/json":
		return "", "", problem.New(problem.UnsupportedMediaType, "JSON is not taken."+howToSend)
	}
	return mediaType, "", nil
}

// partType reads the Content-Type of a file in a multipart body.
func partType(header string) string {
	mediaType, _, err := mime.ParseMediaType(header)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) || len(mediaType) > maxMediaTypeLen {
		return AnyBytes
	}
	return mediaType
}
