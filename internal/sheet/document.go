package sheet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/htmltable"
	"sheetdrop/internal/sheet/ods"
	"sheetdrop/internal/sheet/xml2003"
)

// document opens a workbook that is a text.
func (o opening) document(ctx context.Context, format string, src Source, text beginning, head sample) (workbook, error) {
	watched := &watchedSource{ctx: ctx, src: src}
	lim, fill := gridLimits(o.limits), o.options.FillDown
	switch format {
	case formatXML:
		book, err := xml2003.Open(watched, src.Size(), xml2003.Options{FillDown: fill, Limits: lim})
		return o.grid(ctx, format, book, watched.orFault(err))
	case formatODS:
		book, err := ods.OpenFlat(watched, src.Size(), ods.Options{FillDown: fill, Limits: lim})
		return o.grid(ctx, format, book, watched.orFault(err))
	}
	return o.page(ctx, src, text, head)
}

// page opens the tables of an HTML page. One that is not UTF-8 is converted into a temporary file first.
func (o opening) page(ctx context.Context, src Source, text beginning, head sample) (workbook, error) {
	watched := &watchedSource{ctx: ctx, src: src}
	options := htmltable.Options{FillDown: o.options.FillDown, Limits: gridLimits(o.limits)}
	if src.Size() > o.limits.PackageBytes {
		return nil, refuse(PackageTooLarge, fmt.Sprintf("The page has %d bytes; the limit is %d.", src.Size(), o.limits.PackageBytes))
	}
	decoder, err := o.pageEncoding(ctx, text, head)
	if err != nil {
		return nil, err
	}
	if decoder == nil {
		book, err := htmltable.Open(watched, src.Size(), options)
		return o.grid(ctx, formatHTML, book, watched.orFault(err))
	}
	file, err := unpack(watched, decoder.Reader(io.NewSectionReader(watched, 0, src.Size())), 0, o.limits)
	if err != nil {
		return nil, err
	}
	book, err := htmltable.Open(file, file.size, options)
	opened, err := o.grid(ctx, formatHTML, book, err)
	if err != nil {
		return nil, errors.Join(fileFault(err), file.Close())
	}
	return &packedFile{opened, file}, nil
}

var metaCharset = regexp.MustCompile(`(?i)charset\s*=\s*["']?([a-z0-9_:.-]+)`)

// pageEncoding returns the decoder of a page, nil if it is UTF-8: by the option, its byte order mark, its bytes, what it
// says of itself, and otherwise as for any text.
func (o opening) pageEncoding(ctx context.Context, text beginning, head sample) (*encoding.Decoder, error) {
	start := head.Bytes[:min(len(head.Bytes), markBytes)]
	said := metaCharset.FindSubmatch(start)
	label := o.options.Encoding
	switch {
	case label != "":
	case bytes.HasPrefix(start, charset.UTF16LE.BOM()):
		label = "utf-16le"
	case bytes.HasPrefix(start, charset.UTF16BE.BOM()):
		label = "utf-16be"
	case bytes.HasPrefix(start, charset.UTF8.BOM()):
		return nil, nil
	default:
		samples, err := takeSamples(ctx, text, head)
		if err != nil {
			return nil, err
		}
		enc, err := decideEncoding(ctx, text, samples, o.options)
		if err != nil {
			return nil, err
		}
		if label = enc.Encoding.Name(); said != nil && label != charset.UTF8.Name() {
			label = string(said[1])
		}
	}
	if label = strings.ToLower(label); label == "cp932" {
		label = "shift_jis"
	}
	found, err := htmlindex.Get(label)
	if err != nil || found == unicode.UTF8 {
		return nil, nil //nolint:nilerr // what is no known encoding is read as it is
	}
	return found.NewDecoder(), nil
}
