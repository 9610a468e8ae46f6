package server

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/google/uuid"

	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
	"sheetdrop/internal/target"
)

// Into says into which target uploads are loaded, and how. Its zero value loads them into none.
type Into struct {
	Target  string                   // its name or id
	Mode    string                   // "": as its definition says
	Series  string                   // whose earlier load it takes the place of; "": none
	Mapping map[string]target.Choice // by header
}

// into adds it to a request as parameters.
func (s *Server) into(_ context.Context, r *http.Request) error {
	if s.Into.Target == "" {
		return nil
	}
	query := url.Values{"target": {s.Into.Target}}
	if s.Into.Mode != "" {
		query.Set("mode", s.Into.Mode)
	}
	if s.Into.Series != "" {
		query.Set("series", s.Into.Series)
	}
	if len(s.Into.Mapping) > 0 {
		mapping, err := json.Marshal(s.Into.Mapping)
		if err != nil {
			return words.Errorf("mapping: %w", err)
		}
		query.Set("mapping", string(mapping))
	}
	if r.URL.RawQuery != "" {
		r.URL.RawQuery += "&"
	}
	r.URL.RawQuery += query.Encode()
	return nil
}

// CreateTarget creates a target of a definition in JSON.
func (s *Server) CreateTarget(ctx context.Context, definition []byte) (client.Target, error) {
	return ask[client.Target](s.client.CreateTargetWithBody(ctx, "application/json", bytes.NewReader(definition)))
}

// ChangeTarget changes the fields of a target's definition that the JSON has.
func (s *Server) ChangeTarget(ctx context.Context, id uuid.UUID, fields []byte) (client.Target, error) {
	const media = "application/json"
	return ask[client.Target](s.client.ChangeTargetWithBody(ctx, id, &client.ChangeTargetParams{}, media, bytes.NewReader(fields)))
}

// Targets returns all targets that the caller may see, without their definitions.
func (s *Server) Targets(ctx context.Context) (all []client.Target, err error) {
	params := &client.GetTargetsParams{}
	for {
		page, err := ask[client.ListTarget](s.client.GetTargets(ctx, params))
		if err != nil {
			return nil, err
		}
		if all = append(all, page.Items...); page.Next == nil {
			return all, nil
		}
		params.Cursor = page.Next
	}
}

// Target returns a target by its name or its id.
func (s *Server) Target(ctx context.Context, name string) (client.Target, error) {
	page, err := ask[client.ListTarget](s.client.GetTargets(ctx, &client.GetTargetsParams{Name: &name}))
	switch {
	case err != nil:
		return client.Target{}, err
	case len(page.Items) == 0:
		return client.Target{}, words.Errorf("there is no target %q, or it belongs to somebody else", name)
	}
	return ask[client.Target](s.client.GetTarget(ctx, page.Items[0].ID))
}

// MatchTarget says which of the headers goes into which column of a target.
func (s *Server) MatchTarget(
	ctx context.Context, id uuid.UUID, headers []string, mapping map[string]target.Choice,
) (client.Matching, error) {
	body, err := json.Marshal(map[string]any{"headers": headers, "mapping": mapping})
	if err != nil {
		return client.Matching{}, words.Errorf("mapping: %w", err)
	}
	return ask[client.Matching](s.client.MatchTargetWithBody(ctx, id, nil, "application/json", bytes.NewReader(body)))
}

// HeaderChoices returns what the caller has chosen for the headers of a target's files.
func (s *Server) HeaderChoices(ctx context.Context, id uuid.UUID) ([]client.HeaderChoice, error) {
	choices, err := ask[client.HeaderChoices](s.client.GetChoices(ctx, id))
	return choices.Choices, err
}

// DropTarget ends a target, and drops its tables if they are to be.
func (s *Server) DropTarget(ctx context.Context, id uuid.UUID, tables bool) error {
	params := &client.DropTargetParams{}
	if tables {
		params.Table = new(client.DropTargetParamsTableDrop)
	}
	return askEmpty(s.client.DropTarget(ctx, id, params))
}
