package upload

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"sheetdrop/internal/azure"
)

type contentInput struct {
	FileInput
	IfNoneMatch string `header:"If-None-Match" doc:"An ETag of an answer before: 304 instead of the bytes, which never change."`
}

// getContent gives the bytes as they were uploaded. They are a stranger's: a browser saves them and neither shows nor runs them.
func (h *Handler) getContent(ctx context.Context, in *contentInput) (*huma.StreamResponse, error) {
	found, err := h.db.File(ctx, callerOf(ctx).Owner, in.ID)
	if err != nil {
		return nil, err
	}
	file := showFile(found.File)
	etag := `"` + file.SHA256 + `"`
	header := http.Header{}
	header.Set("ETag", etag)
	header.Set("Cache-Control", "private, no-cache")
	if in.IfNoneMatch == "*" || strings.Contains(in.IfNoneMatch, etag) {
		return bare(header, http.StatusNotModified), nil
	}
	header.Set("Content-Type", anyBytes)
	header.Set("Content-Disposition", attachment(file.Name))
	header.Set("Content-Security-Policy", "sandbox")
	content, size, err := h.blobs.Download(ctx, found.File.BlobName)
	if errors.Is(err, azure.ErrBlobNotFound) {
		return nil, problem(ContentMissing, "The file's bytes are gone.").because(err)
	}
	if err != nil {
		return nil, problem(StorageUnavailable, "The blob store does not answer. Please try again.").because(err)
	}
	header.Set("Content-Length", strconv.FormatInt(size, 10))
	return h.stream(header, func(_ context.Context, w io.Writer) error {
		_, err := io.Copy(w, content)
		return err
	}, content.Close), nil
}

// bare is an answer of headers alone.
func bare(header http.Header, status int) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(c huma.Context) {
		_, w := humago.Unwrap(c)
		maps.Copy(w.Header(), header)
		w.WriteHeader(status)
	}}
}
