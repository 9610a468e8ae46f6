package export

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/representation"
)

// ContentInput identifies a file.
type ContentInput struct {
	ID          uuid.UUID `path:"id" format:"uuid"`
	IfNoneMatch string    `header:"If-None-Match" doc:"The ETag of an earlier response; the answer is 304, because a file's bytes never change."`
}

// Content returns the bytes as they were uploaded. They are untrusted: a browser saves them and neither displays nor
// runs them.
func (e *Exporter) Content(ctx context.Context, owner string, in *ContentInput) (*huma.StreamResponse, error) {
	found, err := e.DB.File(ctx, owner, in.ID)
	if err != nil {
		return nil, err
	}
	etag := `"` + version(found.File) + `"`
	header := http.Header{}
	header.Set("ETag", etag)
	header.Set("Cache-Control", "private, no-cache")
	if in.IfNoneMatch != "" && representation.Matches(in.IfNoneMatch, etag) {
		return bare(header, http.StatusNotModified), nil
	}
	header.Set("Content-Type", TypeBytes)
	header.Set("Content-Disposition", attachment(found.File.Name))
	header.Set("Content-Security-Policy", "sandbox")
	content, size, err := e.Open(ctx, found.File)
	if err != nil {
		return nil, err
	}
	header.Set("Content-Length", strconv.FormatInt(size, 10))
	return e.stream(header, func(_ context.Context, w io.Writer) error {
		_, err := io.Copy(w, content)
		return err
	}, content.Close), nil
}

// Open returns a file's bytes as a stream, which the caller closes, and their number. The error is a *Problem.
func (e *Exporter) Open(ctx context.Context, file task.SourceFile) (io.ReadCloser, int64, error) {
	content, size, err := e.Blobs.Download(ctx, file.BlobName, file.ETag)
	switch {
	case errors.Is(err, azure.ErrBlobNotFound):
		err = problem.New(problem.ContentMissing, "The file's bytes are missing from the blob store.").Because(err)
	case errors.Is(err, azure.ErrBlobChanged):
		err = problem.New(problem.ContentMissing, "The file's bytes were overwritten in the blob store.").Because(err)
	case err != nil:
		err = problem.New(problem.StorageUnavailable, "The blob store does not answer. Please try again.").Because(err)
	}
	return content, size, err
}

// version names the bytes of a file: their hash or, until a worker has read them, the file itself.
func version(f task.SourceFile) string {
	if f.SHA256 == [32]byte{} {
		return f.ID.String()
	}
	return hex.EncodeToString(f.SHA256[:])
}

// bare returns a response with headers only.
func bare(header http.Header, status int) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(c huma.Context) {
		_, w := humago.Unwrap(c)
		maps.Copy(w.Header(), header)
		w.WriteHeader(status)
	}}
}
