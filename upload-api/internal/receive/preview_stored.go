package receive

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/target"
	"sheetdrop/upload-api/internal/problem"
)

// RowsParameter is how many rows the preview of a stored file shows, and defaultPreviewRows is that number where the request does not say.
const (
	RowsParameter      = "rows"
	defaultPreviewRows = 100
)

// StoredPreview is a request for the preview of a stored file, once its query has been checked.
type StoredPreview struct {
	in      previewed
	options json.RawMessage // nil if the request has none
}

// Stored checks a request for the preview of a stored file. Its query has parse options, as for parsing the file again, without a target.
func (p *Previewer) Stored(request *http.Request) (*StoredPreview, error) {
	query, err := readQuery(request)
	if err != nil {
		return nil, err
	}
	if p.Settings.MaxBytes == 0 {
		return nil, previewsAreOff()
	}
	in := previewed{Previewer: p, query: query, rows: defaultPreviewRows}
	if query.Has(RowsParameter) {
		if err := in.takeRows(RowsParameter); err != nil {
			return nil, err
		}
	}
	asked := &StoredPreview{in: in}
	if len(query) > 0 {
		asked.options, err = ParseOptions(query)
	}
	return asked, err
}

// Read reads the beginning of a file that content has. newest are the options of its newest task, which count if the request has none.
func (s *StoredPreview) Read(ctx context.Context, content io.Reader, newest json.RawMessage) (found sheet.Preview, err error) {
	options := s.options
	if options == nil {
		if options, _, err = target.SplitOptions(newest); err != nil {
			return found, err
		}
	}
	if err := s.in.take(content); err != nil {
		return found, problem.New(problem.StorageUnavailable, "The blob store does not answer. Please try again.").Because(err)
	}
	return s.in.read(ctx, options)
}
