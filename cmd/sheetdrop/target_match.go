package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/reading"
	"sheetdrop/cmd/sheetdrop/internal/report"
	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
	"sheetdrop/internal/target"
)

// mapFlags say which header goes into which column of a target.
type mapFlags struct {
	Map []string `placeholder:"HEADER=COLUMN[;format=F]" sep:"none" help:"The target's column for a header, and the format of its cells; without a column the header is left out. Repeat it for others."`
}

// mapping returns what the flags say, by header.
func (m *mapFlags) mapping() (map[string]target.Choice, error) {
	choices := make(map[string]target.Choice, len(m.Map))
	for _, text := range m.Map {
		rest, format, _ := strings.Cut(text, ";format=")
		at := strings.LastIndexByte(rest, '=')
		if at < 0 {
			return nil, words.Errorf("--map %s: a header, = and a column are expected", terminal.ShellQuoted(text))
		}
		if _, twice := choices[rest[:at]]; twice {
			return nil, words.Errorf("--map %s: the header is mapped twice", terminal.ShellQuoted(text))
		}
		choices[rest[:at]] = target.Choice{Column: rest[at+1:], Format: format}
	}
	return choices, nil
}

type matchTargetCommand struct {
	Target  string       `arg:"" help:"The target's name, or its id."`
	Reading reading.File `embed:""`
	mapFlags
	serverFlags
}

func (t *matchTargetCommand) Run(ctx context.Context, c *terminal.Console) error {
	choices, err := t.mapping()
	if err != nil {
		return err
	}
	s, err := t.server()
	if err != nil {
		return err
	}
	found, err := s.Target(ctx, t.Target)
	if err != nil {
		return err
	}
	columns, err := t.Reading.Columns(ctx)
	if err != nil {
		return err
	}
	headers := make([]string, len(columns))
	for i, column := range columns {
		headers[i] = column.Label
	}
	matched, err := s.MatchTarget(ctx, found.ID, headers, choices)
	if err != nil {
		return explained(err)
	}
	chosen, err := chosenAt(ctx, s, found)
	if err != nil {
		return err
	}
	shown := matching{Matching: matched, chosen: chosen}
	for _, column := range columns {
		shown.names = append(shown.names, column.Name)
	}
	c.Result(matched, "%s", shown.String())
	return shown.err(t.Target)
}

// chosenAt returns when the caller has chosen a column for each folded header.
func chosenAt(ctx context.Context, s *server.Server, t client.Target) (map[string]time.Time, error) {
	choices, err := s.HeaderChoices(ctx, t.ID)
	at := make(map[string]time.Time, len(choices))
	for _, choice := range choices {
		at[choice.Header] = choice.UsedAt
	}
	return at, err
}

// matching is what is shown of how a file matches a target.
type matching struct {
	client.Matching
	names  []string             // of the headers, unique
	chosen map[string]time.Time // by folded header
}

// String returns a line for each header, and one for each column that no header goes into.
func (m matching) String() string {
	table := terminal.Table{UncutLast: true}
	for i, h := range m.Columns {
		column := "?"
		switch {
		case h.Column != nil:
			column = *h.Column
		case h.Rule != nil:
			column = "–"
		}
		table.Add(m.names[i], "→ "+column, m.why(m.names[i], h))
	}
	for _, name := range m.Missing {
		table.Add("?", "→ "+name, words.In("no header"))
	}
	return table.String()
}

// why says by what a header was matched, or what can be done.
func (m matching) why(name string, h client.HeaderMatch) string {
	switch {
	case h.Rule == nil && h.Suggestions == nil:
		return words.In("not matched")
	case h.Rule == nil:
		list := *h.Suggestions
		like := strings.Join(list, words.In(" or "))
		return words.Sprintf("not matched; like %s? set it with --map %s", like, terminal.ShellQuoted(name+"="+list[0]))
	case *h.Rule == client.HeaderMatchRule(target.ByChoice):
		if at, known := m.chosen[target.Fold(name)]; known {
			return words.Sprintf("remembered, you chose it on %s", at.Local().Format(time.DateOnly))
		}
		return words.In("remembered")
	}
	return string(*h.Rule)
}

// err returns why the file cannot be loaded, nil if it can.
func (m matching) err(name string) error {
	if len(m.Problems) == 0 {
		return nil
	}
	var text strings.Builder
	text.WriteString(words.Sprintf("the file cannot be loaded into %s:", terminal.Printable(name)))
	for _, p := range m.Problems {
		fmt.Fprintf(&text, "\n  %s (%s)", terminal.Printable(words.Localized(p.Message, p.MessageJA)), p.Code)
	}
	if len(m.Missing) > 0 {
		next := words.Sprintf("name its header, here and for upload: --map %s", terminal.ShellQuoted("HEADER="+m.Missing[0]))
		text.WriteString(report.NextStep(next, next))
	}
	return words.Errorf("%s", text.String())
}
