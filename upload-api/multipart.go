package upload

import (
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/url"
)

const (
	maxParts      = 100
	maxFieldBytes = 4096 // of an option's value
)

// multipart takes a body of options and files, all or nothing. A part with a file name is a file, one without is an option, and options
// come first because they count for all files.
func (in *intake) multipart(ctx context.Context, body io.Reader, boundary string, query url.Values) error {
	if query.Has("name") {
		return problem(InvalidOption, "name: It is for a raw body; the files of a multipart body have their own names.")
	}
	if err := in.start(ctx); err != nil {
		return err
	}
	reader := multipart.NewReader(body, boundary)
	for count := 1; ; count++ {
		part, err := reader.NextRawPart() // raw: the bytes as they were sent
		switch {
		case errors.Is(err, io.EOF):
			return in.endMultipart()
		case err != nil:
			return bodyProblem(err)
		case count > maxParts:
			return problem(TooManyParts, "The body has more than %d parts.", maxParts)
		}
		if err := in.part(ctx, part, query); err != nil {
			return err
		}
	}
}

func (in *intake) endMultipart() error {
	if len(in.uploads) == 0 {
		return problem(NoFile, "No part of the body is a file: a file's part has a file name.")
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
	if p, ok := errors.AsType[*Problem](err); ok {
		return p.ofPart(len(in.uploads) + 1)
	}
	return err
}

func (in *intake) field(part *multipart.Part, options url.Values) error {
	name := part.FormName()
	if len(in.uploads) > 0 {
		return problem(InvalidOption, "%s: Options come before the files.", name)
	}
	value, err := io.ReadAll(io.LimitReader(part, maxFieldBytes+1))
	if err != nil {
		return bodyProblem(err)
	}
	if len(value) > maxFieldBytes {
		return problem(InvalidOption, "%s: The value is longer than %d bytes.", name, maxFieldBytes)
	}
	options.Add(name, string(value))
	return nil
}

func (in *intake) file(ctx context.Context, name string, part *multipart.Part, options url.Values) error {
	if len(in.uploads) == 0 {
		if err := in.setOptions(options); err != nil {
			return err
		}
	}
	name, err := checkName(name)
	if err != nil {
		return err
	}
	return in.store(ctx, name, partType(part.Header.Get("Content-Type")), part)
}
