package main

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/google/uuid"

	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
)

type outboxCommand struct {
	Status string `enum:",PENDING,PROCESSING,FAILED" default:"" placeholder:"STATUS" help:"Only messages that are PENDING, PROCESSING or FAILED."`
	Event  string `placeholder:"PARSE_TASK" help:"Only messages of this kind."`
	Task   string `placeholder:"ID" help:"Only messages about this task."`
	limitFlag
	serverFlags
}

func (o *outboxCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := o.server()
	if err != nil {
		return err
	}
	filter := server.MessageFilter{Limit: o.asked(), Status: o.Status, Event: o.Event}
	if o.Task != "" {
		id, err := idOf(o.Task, "sheetdrop tasks")
		if err != nil {
			return err
		}
		filter.Task = &id
	}
	header := []string{"created", "status", "kind", "message id", "attempts", "next attempt", "error"}
	none := words.In("No such message waits to be sent.")
	return showList(c, o.limitFlag, s.Outbox(ctx, filter), none, header, func(m client.Message) []string {
		return []string{
			terminal.When(m.CreatedAt), string(m.Status), m.EventType, m.ID.String(), strconv.FormatInt(m.Attempts, 10),
			optionalTime(m.NextAttemptAt), optional(m.LastError),
		}
	})
}

type deadLettersCommand struct {
	limitFlag
	serverFlags
}

func (d *deadLettersCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := d.server()
	if err != nil {
		return err
	}
	header := []string{"seen", "task", "text"}
	none := words.In("There are no dead letters.")
	return showList(c, d.limitFlag, s.DeadLetters(ctx, d.asked()), none, header, func(l client.DeadLetter) []string {
		return []string{terminal.When(l.SeenAt), optionalID(l.TaskID), l.Text}
	})
}

type actionsCommand struct {
	limitFlag
	serverFlags
}

func (a *actionsCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := a.server()
	if err != nil {
		return err
	}
	header := []string{"at", "who", "what", "count", "of", "which"}
	none := words.In("Nobody has done anything yet.")
	return showList(c, a.limitFlag, s.Actions(ctx, a.asked()), none, header, func(a client.Action) []string {
		which := ""
		if a.Filter != nil {
			text, _ := json.Marshal(a.Filter) // it came as JSON
			which = string(text)
		}
		return []string{terminal.When(a.At), a.Caller, a.Action, strconv.FormatInt(a.Count, 10), optionalID(a.Target), which}
	})
}

func optional(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func optionalTime(t *time.Time) string {
	if t == nil {
		return ""
	}
	return terminal.When(*t)
}

func optionalID(id *uuid.UUID) string {
	if id == nil {
		return ""
	}
	return id.String()
}
