package receive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"sheetdrop/internal/sheet"
	"sheetdrop/upload-api/internal/problem"
)

// ParseOptions reads parse options by their names, and returns them as JSON, as a task keeps them. The error of an option that cannot be
// taken is a *Problem.
func ParseOptions(values map[string][]string) (json.RawMessage, error) {
	for name, given := range values {
		if slices.ContainsFunc(given, isNoText) {
			return nil, problem.Option(problem.InvalidOption, name, "The value is no text that can be kept: it is not UTF-8, or has U+0000.")
		}
	}
	options, err := sheet.ParseOptions(values)
	if refusal, ok := errors.AsType[*sheet.OptionError](err); ok {
		code := problem.InvalidOption
		if !slices.Contains(sheet.OptionNames(), refusal.Option) {
			code = problem.UnknownOption
		}
		return nil, problem.Option(code, refusal.Option, refusal.Message)
	}
	if err != nil {
		return nil, fmt.Errorf("parse options: %w", err)
	}
	text, err := encodeJSON(options)
	if err != nil {
		return nil, fmt.Errorf("encode options: %w", err)
	}
	return bytes.TrimSpace(text), nil
}

// QueryOptions returns the parse options of a request's query, nil where it has none.
func QueryOptions(r *http.Request) (json.RawMessage, error) {
	query, err := readQuery(r)
	if err != nil || len(query) == 0 {
		return nil, err
	}
	return ParseOptions(query)
}

// GivenOptions returns the parse options of a request's query, of which there may be none: {} then.
func GivenOptions(r *http.Request) (json.RawMessage, error) {
	query, err := readQuery(r)
	if err != nil {
		return nil, err
	}
	return ParseOptions(query)
}

// maxOptionBytes is how much the options of a request may take that are kept with each of its files.
const maxOptionBytes = 1 << 20

// MaxFilesWith is how many files of one request can have these options.
func MaxFilesWith(options json.RawMessage) int { return maxOptionBytes / max(1, len(options)) }

// TooManyFilesFor refuses options that are too long for so many files.
func TooManyFilesFor(options json.RawMessage) *problem.Problem {
	return problem.New(problem.InvalidOption,
		"The options have %d bytes and are kept with each file: a request can have %d files with them, for %d bytes in all.",
		len(options), MaxFilesWith(options), maxOptionBytes).At(problem.Fault{Location: "options",
		Message: "They are too long for so many files."})
}

// isNoText reports what no JSON of the database can hold.
func isNoText(s string) bool { return !utf8.ValidString(s) || strings.Contains(s, "\x00") }
