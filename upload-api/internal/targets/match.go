package targets

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/targetstore"
	"sheetdrop/internal/postgres/typedcopy"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/target"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/response"
)

// SheetQuery names a sheet that was read.
type SheetQuery struct {
	Task  string `query:"task" format:"uuid" doc:"A task that has read the file."`
	Sheet int    `query:"sheet" minimum:"1" maximum:"2147483647" default:"1" doc:"The number of its sheet, from 1."`
}

// columns returns the columns of the sheet, which is one of the caller's, and how many rows it has.
func (q SheetQuery) columns(ctx context.Context, db *postgres.DB) (columns []sheet.Column, rows int64, err error) {
	id, err := uuid.Parse(q.Task)
	if err != nil {
		return nil, 0, problem.Parameter("query.task", "expected the id of a task")
	}
	found, err := db.Sheet(ctx, caller.Of(ctx).Owner, id, q.Sheet)
	if err != nil {
		return nil, 0, err
	}
	if err := json.Unmarshal(found.Columns, &columns); err != nil {
		return nil, 0, fmt.Errorf("the columns of sheet %d: %w", found.ID, err)
	}
	return columns, found.Loaded + found.Valid, nil
}

type proposeInput struct {
	SheetQuery
	Name string `query:"name" maxLength:"255" doc:"The target's name, or that of a file of which it is made; the file's by default."`
}

type proposeOutput struct{ Body *TargetDefinition }

// propose makes a definition of what was found in a sheet. Nothing is stored.
func (t *targets) propose(ctx context.Context, in *proposeInput) (*proposeOutput, error) {
	columns, _, err := in.columns(ctx, t.DB)
	if err != nil {
		return nil, err
	}
	name := in.Name
	if name == "" {
		if name, err = t.fileName(ctx, in.Task); err != nil {
			return nil, err
		}
	}
	return &proposeOutput{showDefinition(target.Propose(name, columns))}, nil
}

func (t *targets) fileName(ctx context.Context, taskID string) (string, error) {
	owner := caller.Of(ctx).Owner
	id, err := uuid.Parse(taskID)
	if err != nil {
		return "", err
	}
	of, err := t.DB.Task(ctx, owner, id)
	if err != nil {
		return "", err
	}
	found, err := t.DB.File(ctx, owner, of.SourceFileID)
	return found.File.Name, err
}

// MatchRequest has the headers of a file.
type MatchRequest struct {
	Headers []string `json:"headers,omitempty" maxItems:"16384" doc:"As they stand in the file."`
	Mapping Choices  `json:"mapping,omitempty" doc:"By header: what an upload would ask for."`
}

// Choices are target columns by header.
type Choices map[string]target.Choice

// Schema describes all the forms in which a choice may be written.
func (Choices) Schema(huma.Registry) *huma.Schema {
	full := &huma.Schema{Type: huma.TypeObject, Required: []string{"column"}, AdditionalProperties: false, Properties: map[string]*huma.Schema{
		"column": {Type: huma.TypeString}, "format": {Type: huma.TypeString, Description: "How its cells are written, such as DD.MM.YYYY."},
	}}
	name := &huma.Schema{Type: huma.TypeString, Nullable: true, Description: "The column, or null to leave the header out."}
	for _, s := range []*huma.Schema{full, full.Properties["column"], full.Properties["format"], name} {
		s.PrecomputeMessages()
	}
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: &huma.Schema{OneOf: []*huma.Schema{name, full}}}
}

type matchInput struct {
	TargetInput
	SheetQuery
	Body *MatchRequest
}

// Matching says which column of a file goes into which column of the target.
type Matching struct {
	Columns  []response.HeaderMatch `json:"columns" doc:"In the order of the file."`
	Missing  []string               `json:"missing" doc:"Columns of the target that no header was matched to."`
	Problems []MappingProblem       `json:"problems" doc:"Why a file with these headers cannot be loaded; empty if it can."`
}

// MappingProblem is why a file cannot be loaded as it was matched.
type MappingProblem struct {
	Code      target.Code `json:"code" enum:"ambiguous_header,mapping_needed"`
	Message   string      `json:"message"`
	MessageJA string      `json:"message_ja"`
}

type matchOutput struct{ Body Matching }

// match says what an upload of a file with these headers would do. Nothing is stored.
func (t *targets) match(ctx context.Context, in *matchInput) (*matchOutput, error) {
	found, err := targetstore.Find(ctx, t.DB, caller.Of(ctx).Names(), in.ID.String())
	if err != nil {
		return nil, err
	}
	headers, from, err := t.headers(ctx, in)
	if err != nil {
		return nil, err
	}
	var asked Choices
	if in.Body != nil {
		asked = in.Body.Mapping
	}
	def, err := definitionOf(found)
	if err != nil {
		return nil, err
	}
	if problems := def.ValidateChoices("/mapping", asked); len(problems) > 0 {
		return nil, problem.Mapping(problems)
	}
	choices, err := targetstore.Choices(ctx, t.DB, caller.Of(ctx).Owner, found.ID)
	if err != nil {
		return nil, err
	}
	mapping, problems := target.MatchHeaders(def, headers, asked, remembered(choices))
	matching := showMatching(mapping, problems)
	addConfidence(matching.Columns, mapping)
	addFindings(matching.Columns, def, from)
	return &matchOutput{matching}, nil
}

// matchedSheet is what was found in the sheet of which the headers are; nothing if the request has them.
type matchedSheet struct {
	columns []sheet.Column
	rows    int64
}

// headers returns those of the request, or of the sheet that it names.
func (t *targets) headers(ctx context.Context, in *matchInput) (headers []string, from matchedSheet, err error) {
	if in.Body != nil {
		headers = in.Body.Headers
	}
	if (headers == nil) == (in.Task == "") {
		return nil, from, problem.New(problem.InvalidBody, "Send either headers, or name a task and its sheet in the query.")
	}
	if headers != nil {
		return headers, from, nil
	}
	from.columns, from.rows, err = in.columns(ctx, t.DB)
	for _, c := range from.columns {
		headers = append(headers, c.Label)
	}
	return headers, from, err
}

// addConfidence adds how far the rules speak for what they have found.
func addConfidence(matches []response.HeaderMatch, m target.Mapping) {
	for i, c := range m.Columns {
		for _, candidate := range c.Candidates {
			matches[i].Candidates = append(matches[i].Candidates, response.ColumnCandidate(candidate))
		}
		if c.Column != "" {
			matches[i].Confidence = new(c.Rule.Confidence())
		}
	}
}

// addFindings adds what the values of a sheet say: the formats that a load would ask for, as it would find them, and less confidence in
// a rule whose column cannot take them.
func addFindings(matches []response.HeaderMatch, def target.Definition, from matchedSheet) {
	for i, c := range from.columns {
		m := &matches[i]
		if m.Column == nil {
			continue
		}
		into, _ := def.Column(*m.Column)
		if into.Format == "" && typedcopy.NeedsFormat(into.Type) {
			_, m.Formats = typedcopy.FormatOf(c.Report, into.Type)
		}
		if m.Rule != target.ByRequest {
			m.Confidence = new(target.Rounded(*m.Confidence * typedcopy.Fit(c.Report, into.Type, from.rows)))
		}
	}
}

func definitionOf(t targetstore.Target) (def target.Definition, err error) {
	if err := json.Unmarshal(t.Definition, &def); err != nil {
		return def, fmt.Errorf("the definition of target %s: %w", t.ID, err)
	}
	return def, nil
}

// remembered is the choices as a matching takes them.
func remembered(choices []targetstore.HeaderChoice) map[string]target.Choice {
	all := make(map[string]target.Choice, len(choices))
	for _, c := range choices {
		var choice target.Choice
		if c.ColumnName != nil {
			choice.Column = *c.ColumnName
		}
		if c.Format != nil {
			choice.Format = *c.Format
		}
		all[c.Header] = choice
	}
	return all
}

func showMatching(m target.Mapping, problems []target.Problem) Matching {
	mapping := response.OfMapping(m)
	shown := Matching{Columns: mapping.Columns, Missing: mapping.Missing, Problems: make([]MappingProblem, len(problems))}
	for i, p := range problems {
		shown.Problems[i] = MappingProblem{p.Code, p.Message, p.MessageJA}
	}
	return shown
}
