package receive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/url"

	"sheetdrop/upload-api/internal/problem"
)

const (
	maxFiles      = 100
	maxFields     = 1100      // a thousand declared columns, and the other options
	maxFieldBytes = 256 << 10 // of all options' values together
)

// multipart receives a body of options and files, all or nothing. A part with a file name is a file, one without is an
// option; options come first because they apply to all files.
func (in *intake) multipart(ctx context.Context, body io.Reader, head head) error {
	if head.query.Has("name") {
		return problem.Option(
			problem.InvalidOption,
			"name",
			"This parameter is for a raw body; the files of a multipart body have their own names.",
		)
	}
	if err := in.start(ctx); err != nil {
		return err
	}
	reader := multipart.NewReader(body, head.boundary)
	for {
		part, err := reader.NextRawPart() // raw: the bytes as they were sent
		switch {
		case errors.Is(err, io.EOF):
			return in.endMultipart()
		case err != nil:
			return bodyProblem(err)
		}
		if err := in.part(ctx, part, head.query); err != nil {
			return err
		}
	}
}

func (in *intake) endMultipart() error {
	if len(in.uploads) == 0 {
		return problem.New(problem.NoFile, "No part of the body is a file: the part of a file has a file name.")
	}
	return nil
}

func (in *intake) part(ctx context.Context, part *multipart.Part, options url.Values) error {
	name, isFile, err := dispositionName(part.Header.Get("Content-Disposition"))
	if err == nil && !isFile {
		return in.field(part, options)
	}
	if err == nil {
		err = in.file(ctx, name, part, options)
	}
	if p, ok := errors.AsType[*problem.Problem](err); ok {
		return p.OfPart(len(in.uploads) + 1)
	}
	return err
}

func (in *intake) field(part *multipart.Part, options url.Values) error {
	name := part.FormName()
	if len(in.uploads) > 0 {
		return problem.Option(problem.InvalidOption, name, "Options must come before the files.")
	}
	if in.fields++; in.fields > maxFields {
		return problem.New(problem.TooManyParts, "The body has more than %d options.", maxFields)
	}
	value, err := io.ReadAll(io.LimitReader(part, int64(maxFieldBytes-in.fieldSize+1)))
	if err != nil {
		return bodyProblem(err)
	}
	if in.fieldSize += len(value); in.fieldSize > maxFieldBytes {
		return problem.Option(problem.InvalidOption, name, fmt.Sprintf("The options are longer than %d bytes.", maxFieldBytes))
	}
	options.Add(name, string(value))
	return nil
}

func (in *intake) file(ctx context.Context, name string, part *multipart.Part, options url.Values) (err error) {
	switch len(in.uploads) {
	case 0:
		if err := in.parseQuery(ctx, options); err != nil {
			return err
		}
	case maxFiles:
		return problem.New(problem.TooManyParts, "The body has more than %d files.", maxFiles)
	}
	if len(in.uploads) > 0 && hasSeries(in.options) {
		return tooManyOfSeries()
	}
	if len(in.uploads) >= MaxFilesWith(in.options) {
		return TooManyFilesFor(in.options)
	}
	if name, err = CheckName(name); err != nil {
		return err
	}
	return in.store(ctx, name, partType(part.Header.Get("Content-Type")), part)
}
