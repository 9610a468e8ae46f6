package targets

import (
	"context"
	"encoding/json"
	"time"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/targetstore"
	"sheetdrop/internal/target"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/problem"
)

// HeaderChoice is what the caller has chosen for a header.
type HeaderChoice struct {
	Header string    `json:"header" doc:"Folded: without case, spaces, full-width forms and _-./()・「」."`
	Column *string   `json:"column" nullable:"true" doc:"Null: left out on purpose."`
	Format *string   `json:"format,omitempty"`
	UsedAt time.Time `json:"used_at"`
}

// HeaderChoices are what the caller has chosen for the files of a target.
type HeaderChoices struct {
	Choices []HeaderChoice `json:"choices"`
}

type choicesOutput struct{ Body HeaderChoices }

// getChoices returns the caller's choices.
func (t *targets) getChoices(ctx context.Context, in *TargetInput) (*choicesOutput, error) {
	who := caller.Of(ctx)
	found, err := targetstore.Find(ctx, t.DB, who.Names(), in.ID.String())
	if err != nil {
		return nil, err
	}
	choices, err := targetstore.Choices(ctx, t.DB, who.Owner, found.ID)
	if err != nil {
		return nil, err
	}
	shown := HeaderChoices{Choices: make([]HeaderChoice, len(choices))}
	for i, c := range choices {
		shown.Choices[i] = HeaderChoice{c.Header, c.ColumnName, c.Format, c.UsedAt}
	}
	return &choicesOutput{shown}, nil
}

type setChoicesInput struct {
	TargetInput
	Body struct {
		Choices Choices `json:"choices" doc:"By header."`
	}
}

// setChoices replaces the caller's choices.
func (t *targets) setChoices(ctx context.Context, in *setChoicesInput) (*choicesOutput, error) {
	_, err := t.ActOn(ctx, task.NewID(), actSetChoices, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		found, err := lockTarget(ctx, tx, in.ID, targetstore.MayLoad)
		if err != nil {
			return err
		}
		def, err := definitionOf(found)
		if err != nil {
			return err
		}
		if problems := def.ValidateChoices("/choices", in.Body.Choices); len(problems) > 0 {
			return problem.Mapping(problems)
		}
		folded := make(map[string]target.Choice, len(in.Body.Choices))
		for header, choice := range in.Body.Choices {
			folded[target.Fold(header)] = choice
		}
		text, err := json.Marshal(folded)
		if err != nil {
			return err
		}
		return targetstore.SetChoices(ctx, tx, caller.Of(ctx).Owner, found.ID, text)
	})
	if err != nil {
		return nil, err
	}
	return t.getChoices(ctx, &in.TargetInput)
}

// forgetChoices deletes the caller's choices.
func (t *targets) forgetChoices(ctx context.Context, in *TargetInput) (*struct{}, error) {
	_, err := t.ActOn(ctx, task.NewID(), actForgetChoices, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		found, err := lockTarget(ctx, tx, in.ID, targetstore.MayRead)
		if err != nil {
			return err
		}
		return targetstore.SetChoices(ctx, tx, caller.Of(ctx).Owner, found.ID, json.RawMessage(`{}`))
	})
	return nil, err
}
