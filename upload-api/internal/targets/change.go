package targets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/targetstore"
	"sheetdrop/internal/target"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/representation"
)

type changeTargetInput struct {
	TargetInput
	IfMatch string `header:"If-Match" doc:"The ETag of the target that was read. If it has changed since, nothing is changed."`
	Body    json.RawMessage
}

// changeTarget writes the next version of a target's definition: that of now, with the fields that the request has. Loads
// that begin later follow it. Repeating the request changes nothing.
func (t *targets) changeTarget(ctx context.Context, in *changeTargetInput) (*targetOutput, error) {
	_, err := t.actOnTable(ctx, task.NewID(), actChangeTarget, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		found, err := lockTarget(ctx, tx, in.ID, targetstore.MayDefine)
		if err != nil {
			return err
		}
		if err := needUnchanged(found, in.IfMatch); err != nil {
			return err
		}
		def, text, err := changedDefinition(found, in.Body)
		if err != nil {
			return err
		}
		if sameDefinition(found.Definition, text) {
			return operation.ErrNothingDone
		}
		return targetstore.Change(ctx, tx, found, caller.Of(ctx).Owner, isOrdered(def), text)
	})
	if err != nil && !errors.Is(err, operation.ErrNothingDone) {
		return nil, err
	}
	return t.getTarget(ctx, &in.TargetInput)
}

// needUnchanged returns an error unless a locked target is what the caller has read.
func needUnchanged(found targetstore.Target, ifMatch string) error {
	shown, err := showTarget(found)
	if err == nil && !representation.Matches(ifMatch, etagOf(shown)) {
		err = problem.New(problem.PreconditionFailed, "It was changed since the version with this ETag. Read it again.")
	}
	return err
}

// changedDefinition merges fields into a target's definition, as RFC 7396 does, and checks the result.
func changedDefinition(found targetstore.Target, body json.RawMessage) (def target.Definition, text json.RawMessage, err error) {
	var old target.Definition
	var fields, changes map[string]json.RawMessage
	if err := json.Unmarshal(found.Definition, &old); err != nil {
		return def, nil, fmt.Errorf("the definition of target %s: %w", found.ID, err)
	}
	if err := json.Unmarshal(found.Definition, &fields); err != nil {
		return def, nil, fmt.Errorf("the definition of target %s: %w", found.ID, err)
	}
	if json.Unmarshal(body, &changes) != nil || changes == nil {
		return def, nil, problem.New(problem.InvalidBody, "The body has to be a JSON object with the definition's fields that change.")
	}
	maps.Copy(fields, changes)
	whole, err := json.Marshal(fields)
	if err != nil {
		return def, nil, err
	}
	if def, text, err = readDefinition(whole); err != nil {
		return def, nil, err
	}
	problems := old.ValidateChange(def)
	if found.Kind == target.Adopted {
		problems = append(problems, old.ValidateAdoptedChange(def)...)
	}
	if len(problems) > 0 {
		return def, nil, problem.Definition(problems)
	}
	return def, text, nil
}
