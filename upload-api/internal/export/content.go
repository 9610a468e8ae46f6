package export

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
)

// ContentInput names a file.
type ContentInput struct {
	ID          uuid.UUID `path:"id" format:"uuid"`
	IfNoneMatch string    `header:"If-None-Match" doc:"An ETag of an answer before: 304 instead of the bytes, which never change."`
}

// Content returns the bytes as they were uploaded. They are a stranger's: a browser saves them and neither shows nor runs them.
func (e *Exporter) Content(ctx context.Context, owner string, in *ContentInput) (*huma.StreamResponse, error) {
	found, err := e.DB.File(ctx, owner, in.ID)
	if err != nil {
		return nil, err
	}
	etag := `"` + version(found.File) + `"`
	header := http.Header{}
	header.Set("ETag", etag)
	header.Set("Cache-Control", "private, no-cache")
	if in.IfNoneMatch == "*" || strings.Contains(in.IfNoneMatch, etag) {
		return bare(header, http.StatusNotModified), nil
	}
	header.Set("Content-Type", TypeBytes)
	header.Set("Content-Disposition", attachment(found.File.Name))
	header.Set("Content-Security-Policy", "sandbox")
	content, size, err := e.Blobs.Download(ctx, found.File.BlobName, found.File.ETag)
	if errors.Is(err, azure.ErrBlobNotFound) {
		return nil, problem.New(problem.ContentMissing, "The file's bytes are gone.").Because(err)
	}
	if errors.Is(err, azure.ErrBlobChanged) {
		return nil, problem.New(problem.ContentMissing, "The file's bytes were overwritten in the blob store.").Because(err)
	}
	if err != nil {
		return nil, problem.New(problem.StorageUnavailable, "The blob store does not answer. Please try again.").Because(err)
	}
	header.Set("Content-Length", strconv.FormatInt(size, 10))
	return e.stream(header, func(_ context.Context, w io.Writer) error {
		_, err := io.Copy(w, content)
		return err
	}, content.Close), nil
}

// version names the bytes of a file: their hash or, until a worker has read them, the file itself.
func version(f task.SourceFile) string {
	if f.SHA256 == [32]byte{} {
		return f.ID.String()
	}
	return hex.EncodeToString(f.SHA256[:])
}

// bare is an answer of headers alone.
func bare(header http.Header, status int) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(c huma.Context) {
		_, w := humago.Unwrap(c)
		maps.Copy(w.Header(), header)
		w.WriteHeader(status)
	}}
}
