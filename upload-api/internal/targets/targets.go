// Package targets has the operations on named targets: tables into which files are loaded.
package targets

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/targetstore"
	"sheetdrop/internal/target"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/representation"
)

// The actions on a target, as recorded.
const (
	actChangeTarget  = "change_target"
	actCreateTarget  = "create_target"
	actDropTarget    = "drop_target"
	actForgetChoices = "forget_choices"
	actSetChoices    = "set_choices"
	actShareTarget   = "share_target"
	actUndoLoad      = "undo_load"
)

// targets are the operations on named targets.
type targets struct{ operation.Base }

// TargetInput identifies a target. A name may have characters that the host changes in a path.
type TargetInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

type createTargetInput struct {
	Body json.RawMessage
}

type createTargetOutput struct {
	Location string `header:"Location" doc:"The target's path."`
	Body     Target
}

type targetOutput struct {
	ETag string `header:"ETag" doc:"Of the target with its definition, for If-Match."`
	Body Target
}

// createTarget makes a target with its tables. Repeating the request finds what it has made.
func (t *targets) createTarget(ctx context.Context, in *createTargetInput) (*createTargetOutput, error) {
	def, text, err := readDefinition(in.Body)
	if err != nil {
		return nil, err
	}
	owner, id := caller.Of(ctx).Owner, task.NewID()
	made, err := t.actOnTable(ctx, id, actCreateTarget, id, func(ctx context.Context, tx postgres.Tx) error {
		created, err := targetstore.Create(ctx, tx, id, owner, def.Name, isOrdered(def), text)
		if err == nil && !created {
			return operation.ErrNothingDone
		}
		if err != nil {
			return err
		}
		return problem.OfQuota(targetstore.CheckQuota(ctx, tx, owner, t.Quota.Targets))
	})
	name := made.String()
	if errors.Is(err, operation.ErrNothingDone) {
		name = def.Name
	} else if err != nil {
		return nil, err
	}
	found, err := targetstore.Find(ctx, t.DB, caller.Of(ctx).Names(), name)
	if errors.Is(err, postgres.ErrNotFound) {
		err = problem.New(problem.Busy, "The target was dropped at this moment. Please try again.")
	} else if err == nil && !sameDefinition(found.Definition, text) {
		err = problem.New(problem.TargetExists, "You have another target %q. To change it, send the new definition by PATCH.", def.Name)
	}
	if err != nil {
		return nil, err
	}
	shown, err := showTarget(found)
	return &createTargetOutput{fmt.Sprintf("/api/targets/%s", found.ID), shown}, err
}

// readDefinition returns a definition that is right, and how it is stored.
func readDefinition(body json.RawMessage) (target.Definition, json.RawMessage, error) {
	def, problems := target.Parse(body)
	if len(problems) > 0 {
		return def, nil, problem.Definition(problems)
	}
	text, err := json.Marshal(def)
	return def, text, err
}

// isOrdered reports whether a target's loads have to run one after the other.
func isOrdered(d target.Definition) bool {
	return len(d.Key) > 0 || d.Mode != "" && d.Mode != target.Insert
}

// sameDefinition compares what the database returned, in its own order and spacing, with what would be stored.
func sameDefinition(stored, text json.RawMessage) bool {
	var def target.Definition
	if json.Unmarshal(stored, &def) != nil {
		return false
	}
	again, err := json.Marshal(def)
	return err == nil && bytes.Equal(again, text)
}

type getTargetsInput struct {
	export.ListInput
	Name string `query:"name" doc:"Only the target that an upload with this name would be loaded into."`
}

// getTargets lists the targets that the caller may see, newest first.
func (t *targets) getTargets(ctx context.Context, in *getTargetsInput) (*export.ListOutput[Target], error) {
	before, err := export.DecodeCursor(in.Cursor, "targets", uuid.Max)
	if err != nil {
		return nil, err
	}
	var found []targetstore.Target
	var more bool
	if in.Name == "" {
		found, more, err = targetstore.List(ctx, t.DB, caller.Of(ctx).Names(), before, in.PageSize())
	} else {
		found, err = t.named(ctx, in.Name)
	}
	if err != nil {
		return nil, err
	}
	return export.AnswerPage(ctx, found, more, "targets", func(f targetstore.Target) uuid.UUID { return f.ID }, showTargetItem), nil
}

// named returns the target with a name, if there is one.
func (t *targets) named(ctx context.Context, name string) ([]targetstore.Target, error) {
	if !utf8.ValidString(name) || strings.ContainsRune(name, 0) {
		return nil, nil // no text that the database knows
	}
	found, err := targetstore.Find(ctx, t.DB, caller.Of(ctx).Names(), name)
	if errors.Is(err, postgres.ErrNotFound) {
		return nil, nil
	}
	return []targetstore.Target{found}, err
}

// getTarget returns one of the targets that the caller may see.
func (t *targets) getTarget(ctx context.Context, in *TargetInput) (*targetOutput, error) {
	found, err := targetstore.Find(ctx, t.DB, caller.Of(ctx).Names(), in.ID.String())
	if err != nil {
		return nil, err
	}
	shown, err := showTarget(found)
	return &targetOutput{etagOf(shown), shown}, err
}

// etagOf returns the entity tag of a target with its definition.
func etagOf(shown Target) string {
	text, err := json.Marshal(shown)
	if err != nil {
		panic(err) // it consists of texts, numbers and a time, which always marshal
	}
	return representation.ETag(text)
}

type dropTargetInput struct {
	TargetInput
	Table string `query:"table" enum:"keep,drop" doc:"keep (the default) leaves its tables to those who use them; drop drops them, unless something depends on them."`
}

// dropTarget ends a target.
func (t *targets) dropTarget(ctx context.Context, in *dropTargetInput) (*struct{}, error) {
	_, err := t.actOnTable(ctx, task.NewID(), actDropTarget, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		found, err := lockTarget(ctx, tx, in.ID, targetstore.MayOwn)
		if err != nil {
			return err
		}
		if found.Kind == target.Adopted && in.Table == "drop" {
			return problem.Parameter("query.table", "The table was there before. Its owner has it back by sheetdrop.target_release.")
		}
		return targetstore.Drop(ctx, tx, in.ID, in.Table == "drop")
	})
	return nil, err
}

// allowed returns a target that the caller has a right on.
func (t *targets) allowed(ctx context.Context, id uuid.UUID, right string) (targetstore.Target, error) {
	found, err := targetstore.Find(ctx, t.DB, caller.Of(ctx).Names(), id.String())
	return needRight(found, err, right)
}

// lockTarget locks a target that the caller has a right on.
func lockTarget(ctx context.Context, tx postgres.Tx, id uuid.UUID, right string) (targetstore.Target, error) {
	found, err := targetstore.Lock(ctx, tx, caller.Of(ctx).Names(), id.String())
	return needRight(found, err, right)
}

func needRight(t targetstore.Target, err error, right string) (targetstore.Target, error) {
	if err == nil && !t.May(right) {
		err = problem.New(problem.NotPermitted, "The target %q is shared with you, but not for this.", t.Name)
	}
	return t, err
}

// maxTableTries is how often a table that is in use is tried to be locked; each try waits for a second.
const maxTableTries = 15

// actOnTable is actOn for what changes a table. While others use the table it is tried again between their transactions,
// so that nobody waits behind a change that waits itself.
func (t *targets) actOnTable(
	ctx context.Context, id uuid.UUID, name string, target uuid.UUID, do func(context.Context, postgres.Tx) error,
) (made uuid.UUID, err error) {
	for range maxTableTries {
		if made, err = t.ActOn(ctx, id, name, target, do); !errors.Is(err, targetstore.ErrTableInUse) {
			return made, explainTable(err)
		}
	}
	return made, explainTable(err)
}

// explainTable returns the problem for an error of changing a table; others, and nil, are returned unchanged.
func explainTable(err error) error {
	inUse, isUsed := errors.AsType[*targetstore.InUseError](err)
	switch {
	case errors.Is(err, targetstore.ErrTableInUse):
		return problem.New(problem.Busy, "The table is in use, without a pause. Please try again.").Because(err)
	case errors.Is(err, targetstore.ErrTableExists):
		return problem.New(problem.TableExists, "A table or view with this name is there already. Choose another name, or drop it first.")
	case !isUsed:
		return err
	}
	faults := make([]problem.Fault, len(inUse.By))
	for i, by := range slices.Sorted(slices.Values(inUse.By)) {
		faults[i] = problem.Fault{Location: "table", Message: by}
	}
	return problem.New(problem.InUseBy, "The table is left as it is, because others were built on it and would be lost.").
		At(slices.Compact(faults)...)
}
