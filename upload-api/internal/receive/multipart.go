package receive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/url"

	"sheetdrop/upload-api/internal/problem"
)

const (
	maxFiles      = 100
	maxFields     = 1100      // a thousand declared columns, and the other options
	maxFieldBytes = 256 << 10 // of all options' values together
)

// multipart receives a body of options and files in any order, all or nothing. A part with a file name is a file, one
// without is an option for all files.
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
			return in.endMultipart(ctx, head.query)
		case err != nil:
			return bodyProblem(err)
		}
		if err := in.part(ctx, part, head.query); err != nil {
			return err
		}
	}
}

func (in *intake) endMultipart(ctx context.Context, options url.Values) error {
	if len(in.uploads) == 0 {
		return problem.New(problem.NoFile, "No part of the body is a file: the part of a file has a file name.")
	}
	if !in.optionsBehind {
		return nil
	}
	if err := in.parseQuery(ctx, options); err != nil {
		return err
	}
	if err := in.checkFiles(len(in.uploads)); err != nil {
		return err
	}
	if err := in.refuseEqualParts(); err != nil {
		return err
	}
	return in.setOptions(ctx)
}

// setOptions puts the options that were known only behind the files into these, and into the notes of their blobs.
func (in *intake) setOptions(ctx context.Context) error {
	for i := range in.uploads {
		in.uploads[i].Options = in.options
		if err := in.r.Blobs.SetNote(ctx, in.uploads[i].File.BlobName, NoteOf(in.uploads[i]).Encode()); err != nil {
			return problem.New(problem.StorageUnavailable, "The blob store does not answer. Please try again.").Because(err)
		}
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

// soFar returns the options that stand before the first file and can be checked without those behind it, so that a wrong
// one is refused before the file is received.
func soFar(options url.Values) url.Values {
	known := maps.Clone(options)
	if !known.Has("target") {
		for _, name := range TargetOptions() {
			known.Del(name)
		}
	}
	return known
}

// checkFiles refuses more files than there may be with the options.
func (in *intake) checkFiles(files int) error {
	if files > 1 && hasSeries(in.options) {
		return tooManyOfSeries()
	}
	if files > MaxFilesWith(in.options) {
		return TooManyFilesFor(in.options)
	}
	return nil
}

func (in *intake) field(part *multipart.Part, options url.Values) error {
	name := part.FormName()
	in.optionsBehind = len(in.uploads) > 0
	if in.fields++; in.fields > maxFields {
		return problem.New(problem.TooManyParts, "The body has more than %d options.", maxFields)
	}
	value, err := io.ReadAll(io.LimitReader(part, int64(maxFieldBytes-in.fieldSize+1)))
	if err != nil {
		return bodyProblem(err)
	}
	if in.fieldSize += len(value); in.fieldSize > maxFieldBytes {
		return problem.Option(problem.InvalidOption, name, fmt.Sprintf("The options are longer than %s.", problem.Size(maxFieldBytes)))
	}
	options.Add(name, string(value))
	return nil
}

func (in *intake) file(ctx context.Context, name string, part *multipart.Part, options url.Values) (err error) {
	switch len(in.uploads) {
	case 0:
		if err := in.parseQuery(ctx, soFar(options)); err != nil {
			return err
		}
	case maxFiles:
		return problem.New(problem.TooManyParts, "The body has more than %d files.", maxFiles)
	}
	if err := in.checkFiles(len(in.uploads) + 1); err != nil {
		return err
	}
	if name, err = CheckName(name); err != nil {
		return err
	}
	return in.store(ctx, name, partType(part.Header.Get("Content-Type")), part)
}
