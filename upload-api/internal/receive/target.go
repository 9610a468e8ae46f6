package receive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/targetstore"
	"sheetdrop/internal/target"
	"sheetdrop/upload-api/internal/problem"
)

// TargetOptions are the names of the options that say into which target a file is loaded, and how.
func TargetOptions() []string { return []string{"target", "mode", "mapping", "series", "earlier"} }

// Given is what a request asks for besides its files.
type Given struct {
	Options json.RawMessage // nil if there are none
	Target  *target.Request // nil if there is none
}

// cutTarget takes the options about a target out of values. What it returns has no ID yet; nil if no target is named.
func cutTarget(values url.Values) (*target.Request, error) {
	given := map[string]string{}
	for _, name := range TargetOptions() {
		texts, ok := values[name]
		switch {
		case !ok:
			continue
		case len(texts) != 1:
			return nil, problem.Option(problem.InvalidOption, name, "The option must be set only once.")
		case isNoText(texts[0]):
			return nil, problem.Option(problem.InvalidOption, name, "The value cannot be stored: it is not UTF-8, or contains U+0000.")
		}
		delete(values, name)
		if texts[0] == "" {
			continue
		}
		given[name] = texts[0]
		if given["target"] == "" {
			return nil, problem.Option(problem.InvalidOption, name, "The option needs a target.")
		}
	}
	if len(given) == 0 {
		return nil, nil
	}
	request := &target.Request{Name: given["target"], Mode: target.Mode(given["mode"]), Series: given["series"]}
	switch given["earlier"] {
	case "", "replace":
	case "keep":
		request.KeepEarlier = true
	default:
		return nil, problem.Option(problem.InvalidOption, "earlier", "The option is replace or keep.")
	}
	if text := given["mapping"]; text != "" {
		if err := json.Unmarshal([]byte(text), &request.Mapping); err != nil {
			return nil, problem.Option(problem.InvalidOption, "mapping",
				`The mapping is a JSON object such as {"Preis": "net", "Datum": {"column": "day", "format": "DD.MM.YYYY"}, "Notiz": null}.`)
		}
	}
	return request, nil
}

// Resolve finds the target that the request names, or into which went what its file corrects, and checks that who asks may load into it as
// they ask for. who has the caller and their roles, the caller first.
func (g *Given) Resolve(ctx context.Context, db *postgres.DB, who []string) error {
	corrected, err := g.findCorrected(ctx, db, who[0])
	if err != nil || g.Target == nil {
		return err
	}
	found, err := targetstore.Find(ctx, db, who, g.Target.Name)
	switch {
	case errors.Is(err, postgres.ErrNotFound):
		return problem.New(problem.NoSuchTarget, "There is no target %q, or it belongs to somebody else.", g.Target.Name)
	case err != nil:
		return err
	case !found.May(targetstore.MayLoad):
		return problem.New(problem.NotPermitted, "The target %q is not shared with you for loading.", found.Name)
	}
	var def target.Definition
	if err := json.Unmarshal(found.Definition, &def); err != nil {
		return fmt.Errorf("the definition of target %s: %w", found.ID, err)
	}
	g.Target.ID, g.Target.Name = found.ID, found.Name
	if corrected != nil {
		g.Target.Mode = corrected.CorrectingMode(len(def.Key) > 0)
	}
	if problems := def.ValidateRequest(*g.Target); len(problems) > 0 {
		return problem.Mapping(problems)
	}
	return nil
}

// TargetJSON is the target as a task's options have it; nil if there is none.
func (g Given) TargetJSON() (json.RawMessage, error) {
	if g.Target == nil {
		return nil, nil
	}
	return json.Marshal(g.Target)
}

// MaxFiles is how many files one request may have with these options.
func (g Given) MaxFiles() int {
	if g.hasSeries() {
		return 1
	}
	return MaxFilesWith(g.joined())
}

// TooManyFiles returns the problem of more files than MaxFiles.
func (g Given) TooManyFiles() *problem.Problem {
	if g.hasSeries() {
		return tooManyOfSeries()
	}
	return TooManyFilesFor(g.joined())
}

func (g Given) hasSeries() bool { return g.Target != nil && isOfSeries(*g.Target) }

// isOfSeries reports whether a file takes the place of the one before; corrections of a series' file join it.
func isOfSeries(r target.Request) bool { return r.Series != "" && r.Corrects == 0 }

// hasSeries reports whether a task's options name a series.
func hasSeries(options json.RawMessage) bool {
	_, request, err := target.SplitOptions(options)
	return err == nil && request != nil && isOfSeries(*request)
}

func tooManyOfSeries() *problem.Problem {
	return problem.Option(problem.InvalidOption, "series", "Each file of a series takes the place of the one before: send one at a time.")
}

// joined is about what a task stores, as far as it is known.
func (g Given) joined() json.RawMessage {
	if g.Target == nil {
		return g.Options
	}
	request, err := encodeJSON(g.Target)
	if err != nil {
		return g.Options
	}
	return append(request, g.Options...)
}

// wholeOptions returns the options by name, with the target that they name, as a task stores them.
func wholeOptions(ctx context.Context, db *postgres.DB, who []string, values url.Values) (json.RawMessage, error) {
	var given Given
	var err error
	if given.Target, err = cutTarget(values); err != nil {
		return nil, err
	}
	if given.Options, err = ParseOptions(values); err != nil {
		return nil, err
	}
	if err := given.Resolve(ctx, db, who); err != nil || given.Target == nil {
		return given.Options, err
	}
	return target.JoinOptions(given.Options, *given.Target)
}
