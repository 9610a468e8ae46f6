package receive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
)

// PreviewSettings limit previews.
type PreviewSettings struct {
	MaxBytes   int64 `env:"PREVIEW_MAX_BYTES" envDefault:"8388608"` // of a file, or of the text in an archive, that are read; 0 turns previews off
	MaxRecords int64 `env:"PREVIEW_MAX_RECORDS" envDefault:"10000"` // of all sheets of a file that are read
	AtOnce     int   `env:"PREVIEW_CONCURRENCY" envDefault:"4"`     // previews of one process; each holds PREVIEW_MAX_BYTES and what it finds
}

// Check refuses what no limit can be.
func (s PreviewSettings) Check() error {
	if s.MaxBytes < 0 {
		return fmt.Errorf("PREVIEW_MAX_BYTES is %d; it must be 0 or more", s.MaxBytes)
	}
	if s.MaxBytes > 0 && (s.MaxRecords < 1 || s.AtOnce < 1) {
		return fmt.Errorf("PREVIEW_MAX_RECORDS is %d and PREVIEW_CONCURRENCY is %d; they must be 1 or more", s.MaxRecords, s.AtOnce)
	}
	return nil
}

// The parameters of a preview.
const (
	PreviewOption = "preview" // how many rows are shown
	PartialOption = "partial" // the body is the beginning of the file
)

// The limits of what a preview shows.
const (
	maxPreviewRows    = 1000
	maxPreviewSheets  = 100
	maxPreviewColumns = 16_384
	maxPreviewText    = 2 << 20
)

// Previewer reads files without storing anything. It is safe for concurrent use.
type Previewer struct {
	Settings PreviewSettings
	MaxBytes int64         // of one request's body
	Timeout  time.Duration // of reading a file
}

// IsPreview reports whether a request asks for a preview.
func IsPreview(r *http.Request) bool {
	query, err := readQuery(r)
	return err == nil && query.Has(PreviewOption)
}

// Preview reads the beginning of the one file that the request has, as a body or in a form.
func (p *Previewer) Preview(ctx context.Context, request *http.Request) (found sheet.Preview, err error) {
	head, err := readHead(request, p.MaxBytes, neverByURL)
	if err != nil {
		return found, err
	}
	if p.Settings.MaxBytes == 0 {
		return found, previewsAreOff()
	}
	in := previewed{Previewer: p, query: head.query}
	if err := in.takeParameters(); err != nil {
		return found, err
	}
	if head.boundary == "" {
		err = in.readFile(request.Body)
	} else {
		err = in.readForm(multipart.NewReader(request.Body, head.boundary))
	}
	if err != nil {
		return found, err
	}
	options, err := in.options()
	if err != nil {
		return found, err
	}
	return in.read(ctx, options)
}

func previewsAreOff() *problem.Problem {
	return problem.New(problem.TooLarge, "Previews are turned off here.")
}

// previewed is a request for a preview.
type previewed struct {
	*Previewer
	query   url.Values // the options, once the other parameters are taken
	rows    int
	partial bool // content is the beginning of the file
	content []byte
}

// takeParameters removes from the query what is no option of reading.
func (in *previewed) takeParameters() (err error) {
	if err := in.takeRows(PreviewOption); err != nil {
		return err
	}
	if in.query.Has(PartialOption) {
		if in.partial, err = strconv.ParseBool(in.query.Get(PartialOption)); err != nil {
			return problem.Parameter("query."+PartialOption, "It is true or false.")
		}
	}
	for _, name := range []string{PartialOption, "name"} {
		in.query.Del(name)
	}
	return nil
}

// takeRows removes the number of rows to show from the query, where it must be set.
func (in *previewed) takeRows(name string) (err error) {
	values := in.query[name]
	in.query.Del(name)
	if in.rows, err = strconv.Atoi(values[0]); err != nil || len(values) > 1 || in.rows < 1 || in.rows > maxPreviewRows {
		return problem.Parameter("query."+name, fmt.Sprintf("It is the number of rows to show, 1 to %d.", maxPreviewRows))
	}
	return nil
}

// readForm reads options and one file.
func (in *previewed) readForm(form *multipart.Reader) error {
	fields := intake{}
	for {
		part, err := form.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return bodyProblem(err)
		}
		_, isFile, err := dispositionName(part.Header.Get("Content-Disposition"))
		switch {
		case err != nil:
			return err
		case isFile && in.content != nil:
			return problem.New(problem.TooManyParts, "A preview is of one file.")
		case isFile:
			err = in.readFile(part)
		default:
			err = fields.field(part, in.query)
		}
		if err != nil {
			return err
		}
	}
	if in.content == nil {
		return problem.New(problem.NoFile, "No part of the body is a file: the part of a file has a file name.")
	}
	return nil
}

// readFile reads the beginning of the file out of a request.
func (in *previewed) readFile(from io.Reader) error {
	if err := in.take(from); err != nil {
		return bodyProblem(err)
	}
	if len(in.content) == 0 {
		return problem.New(problem.EmptyFile, "The file is empty.")
	}
	return nil
}

// take reads as much of a file as a preview may have.
func (in *previewed) take(from io.Reader) (err error) {
	most := in.Settings.MaxBytes
	if in.content, err = io.ReadAll(io.LimitReader(from, most+1)); int64(len(in.content)) > most {
		in.content, in.partial = in.content[:most], true
	}
	return err
}

// options returns the parse options of the query.
func (in *previewed) options() (json.RawMessage, error) {
	if _, err := takeDuplicates(in.query); err != nil {
		return nil, err
	}
	return ParseOptions(in.query)
}

// read reads the content by parse options, in JSON.
func (in *previewed) read(ctx context.Context, text json.RawMessage) (found sheet.Preview, err error) {
	var options sheet.Options
	if err := json.Unmarshal(text, &options); err != nil {
		return found, fmt.Errorf("options: %w", err)
	}
	limits := sheet.PreviewLimits{
		Limits: sheet.DefaultLimits(), Rows: in.rows, Records: in.Settings.MaxRecords,
		Sheets: maxPreviewSheets, ShownColumns: maxPreviewColumns, Bytes: maxPreviewText,
	}
	limited, cancel := context.WithTimeout(ctx, in.Timeout)
	defer cancel()
	part := sheet.Part{Bytes: in.Settings.MaxBytes, Cut: in.partial}
	found, err = sheet.ReadPreview(limited, bytes.NewReader(in.content), part, options, limits)
	switch {
	case errors.Is(err, sheet.ErrPart):
		return found, problem.New(problem.TooLarge,
			"A workbook or a zip archive can be previewed only as a whole, up to %s. Upload it with dry_run=true instead.", problem.Size(in.Settings.MaxBytes))
	case err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return found, problem.New(problem.PreviewTimeout, "Reading the file took longer than %s. Upload it with dry_run=true instead.", in.Timeout)
	}
	if e := found.Error; e != nil {
		e.Advice, e.AdviceJA = task.Failure{Code: task.FailureCode(e.Code)}.Advice()
	}
	return found, err
}
