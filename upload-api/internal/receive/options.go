package receive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/sheet"
	"sheetdrop/upload-api/internal/embed"
	"sheetdrop/upload-api/internal/problem"
)

// ParseOptions parses options by name and returns them as the JSON that a task stores. The error for an invalid option
// is a *Problem.
func ParseOptions(values map[string][]string) (json.RawMessage, error) {
	for name, given := range values {
		if slices.ContainsFunc(given, isNoText) {
			return nil, problem.Option(problem.InvalidOption, name, "The value cannot be stored: it is not UTF-8, or contains U+0000.")
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

// QueryOptions returns what a request's query asks for; Options is nil if it has no parse options.
func QueryOptions(r *http.Request) (Given, error) {
	query, err := readQuery(r)
	if err != nil {
		return Given{}, err
	}
	given := Given{}
	if given.Target, err = cutTarget(query); err == nil && len(query) > 0 {
		given.Options, err = ParseOptions(query)
	}
	return given, err
}

// GivenOptions returns the parse options of a request's query, {} if there are none, with the target that it names, and whether it refuses
// duplicates.
func GivenOptions(
	ctx context.Context, db *postgres.DB, who []string, r *http.Request,
) (options json.RawMessage, refuseDuplicates bool, err error) {
	query, err := readQuery(r)
	if err != nil {
		return nil, false, err
	}
	if options, err = optionsOfToken(ctx, query); options != nil || err != nil {
		return options, false, err
	}
	if refuseDuplicates, err = takeDuplicates(query); err != nil {
		return nil, false, err
	}
	options, err = wholeOptions(ctx, db, who, query)
	return options, refuseDuplicates, err
}

// optionsOfToken returns the options that a request's upload token has, nil without a token. The request may have none.
func optionsOfToken(ctx context.Context, given url.Values) (json.RawMessage, error) {
	token := embed.Of(ctx)
	if token == nil {
		return nil, nil
	}
	for name := range given {
		return nil, problem.Option(problem.InvalidOption, name, "An upload token has the options of its uploads itself.")
	}
	return token.Options, nil
}

// maxOptionBytes limits the total size of a request's options, which are stored with each of its files.
const maxOptionBytes = 1 << 20

// MaxFilesWith returns how many files one request may have with these options.
func MaxFilesWith(options json.RawMessage) int { return maxOptionBytes / max(1, len(options)) }

// TooManyFilesFor returns the problem of options that are too long for this many files.
func TooManyFilesFor(options json.RawMessage) *problem.Problem {
	return problem.New(problem.InvalidOption,
		"The options have %d bytes and are stored with each file: a request with them can have at most %d files, for %d bytes in total.",
		len(options), MaxFilesWith(options), maxOptionBytes).At(problem.Fault{Location: "options",
		Message: "Too long for this many files."})
}

// isNoText reports whether JSON in the database cannot hold the string.
func isNoText(s string) bool { return !utf8.ValidString(s) || strings.Contains(s, "\x00") }
