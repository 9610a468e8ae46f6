package proxy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sheetdrop/internal/funchost/internal/app"
)

// Route is where an HTTP function is served: segments of text, {name} for any one segment, {*name} for all that follow.
type Route struct {
	function string
	segments []segment
	methods  []string // upper case; none means all
}

type segment struct {
	kind segmentKind
	text string // of a literal
}

type segmentKind int

const (
	literal segmentKind = iota
	parameter
	catchAll
)

// NewRoutes returns the routes of the HTTP functions. Their order does not matter: all lead to the handler.
func NewRoutes(functions []app.Function, prefix string) ([]Route, error) {
	var routes []Route
	for _, f := range functions {
		if !f.Is("httpTrigger") {
			continue
		}
		segments, err := parseRoute(prefix + "/" + *f.Trigger.Route)
		if err != nil {
			return nil, fmt.Errorf("%s/function.json: route: %w", f.Name, err)
		}
		r := Route{function: f.Name, segments: segments}
		for _, method := range f.Trigger.Methods {
			r.methods = append(r.methods, strings.ToUpper(method))
		}
		routes = append(routes, r)
	}
	return routes, nil
}

func parseRoute(template string) ([]segment, error) {
	var segments []segment
	for text := range strings.SplitSeq(strings.Trim(template, "/"), "/") {
		if len(segments) > 0 && segments[len(segments)-1].kind == catchAll {
			return nil, errors.New("nothing may follow a catch-all")
		}
		name, braces := strings.CutPrefix(text, "{")
		switch {
		case text == "":
		case !braces && !strings.ContainsAny(text, "{}"):
			segments = append(segments, segment{kind: literal, text: text})
		case !strings.HasSuffix(name, "}") || strings.ContainsAny(strings.TrimSuffix(name, "}"), "{}:?="):
			return nil, fmt.Errorf("segment %q is not supported here (text, {name} and {*name} are)", text)
		case strings.HasPrefix(name, "*"):
			segments = append(segments, segment{kind: catchAll})
		default:
			segments = append(segments, segment{kind: parameter})
		}
	}
	return segments, nil
}

// matches compares a decoded path segment by segment, literals without regard to case. Up to where a catch-all begins, an
// empty segment matches nothing.
func (r Route) matches(method, path string) bool {
	if len(r.methods) > 0 && !slices.Contains(r.methods, method) {
		return false
	}
	var segments []string
	if path = strings.TrimSuffix(strings.TrimPrefix(path, "/"), "/"); path != "" {
		segments = strings.Split(path, "/")
	}
	for i, s := range r.segments {
		switch {
		case s.kind == catchAll:
			return i >= len(segments) || segments[i] != ""
		case i >= len(segments) || segments[i] == "" || s.kind == literal && !strings.EqualFold(segments[i], s.text):
			return false
		}
	}
	return len(segments) == len(r.segments)
}
