package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
)

type whyCommand struct {
	What string `arg:"" name:"task|file" help:"A task's or a file's id, or the name of a file: the newest one of that name."`
	Log  string `placeholder:"FILE" help:"A log of the handler, such as .sheetdrop/local.log: its lines about the task are shown as well."`
	serverFlags
}

func (w *whyCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := w.server()
	if err != nil {
		return err
	}
	history, err := s.FindHistory(ctx, w.What)
	if err != nil {
		return err
	}
	lines, err := logLines(w.Log, history.TaskID)
	if err != nil {
		return err
	}
	history.Items = append(history.Items, lines...)
	slices.SortStableFunc(history.Items, func(a, b client.TaskHistoryItem) int { return a.At.Compare(b.At) })
	c.Value(history)
	if c.JSON {
		return nil
	}
	for _, day := range daysOf(history.Items) {
		c.Printf("%s\n", day[0].At.Local().Format(time.DateOnly))
		c.Table(dayTable(day, history.Items))
	}
	table := nowTable(history.Now)
	if history.Now.Code == "completed" {
		if done, err := s.Task(ctx, history.TaskID, 0); err == nil { // an operator may ask for somebody else's task, which is not there
			table.AddCommand(words.In("next"), nextStep(done))
		}
	}
	c.Table(table)
	return nil
}

// daysOf returns the items by the day, of this machine's time zone, on which they happened.
func daysOf(items []client.TaskHistoryItem) (days [][]client.TaskHistoryItem) {
	for len(items) > 0 {
		end := slices.IndexFunc(items, func(i client.TaskHistoryItem) bool { return !sameDay(i.At, items[0].At) })
		if end < 0 {
			end = len(items)
		}
		days, items = append(days, items[:end]), items[end:]
	}
	return days
}

func sameDay(a, b time.Time) bool {
	return a.Local().Format(time.DateOnly) == b.Local().Format(time.DateOnly)
}

// dayTable shows a day's items: when, how long after the one before, and what.
func dayTable(day, all []client.TaskHistoryItem) *terminal.Table {
	table := &terminal.Table{UncutLast: true}
	first := slices.IndexFunc(all, func(i client.TaskHistoryItem) bool { return i.At.Equal(day[0].At) && i.Kind == day[0].Kind })
	for i, item := range day {
		after := ""
		if first+i > 0 {
			after = elapsed(item.At.Sub(all[first+i-1].At))
		}
		table.Add(item.At.Local().Format(time.TimeOnly), after, item.Text)
	}
	return table
}

// elapsed returns a duration as people say it, in six characters at most.
func elapsed(d time.Duration) string {
	switch {
	case d < time.Second:
		return ""
	case d < time.Minute:
		return words.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return words.Sprintf("%d min", int(d.Minutes()))
	case d < 24*time.Hour:
		return words.Sprintf("%d h", int(d.Hours()))
	}
	return words.Sprintf("%d d", int(d.Hours()/24))
}

// ended are the codes of tasks that wait for nothing.
var ended = []client.TaskStateCode{"running", "completed", "failed", "cancelled", "deleted"}

// nowTable says where a task stands, when it goes on, and what somebody can do, or has to.
func nowTable(now client.TaskState) *terminal.Table {
	said := []string{now.Text, words.Sprintf("Since %s.", moment(now.Since))}
	switch waits := !slices.Contains(ended, now.Code); {
	case now.NextAt != nil && now.NextAt.After(time.Now()):
		said = append(said, words.Sprintf("It goes on by itself at %s at the latest.", moment(*now.NextAt)))
	case waits && now.ByItself:
		said = append(said, words.In("It goes on by itself."))
	}
	table := &terminal.Table{UncutLast: true}
	table.Add(words.In("now"), strings.Join(said, " "))
	if step := now.NextStep; step != nil {
		text := step.Text
		if step.Command != nil {
			text = withCommand(text, *step.Command)
		}
		table.Add(words.In("next"), text)
	}
	return table
}

// withCommand returns what helps with the command that does it, behind a sentence or a part of one.
func withCommand(text, command string) string {
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "。") {
		return text + " " + command
	}
	return words.Sprintf("%s: %s", text, command)
}

// moment is terminal.When with seconds.
func moment(t time.Time) string {
	if sameDay(t, time.Now()) {
		return t.Local().Format(time.TimeOnly)
	}
	return t.Local().Format(time.DateTime)
}

const (
	longestLine = 16 << 20 // bytes of a line of a log
	mostLines   = 200      // about a task; the newest ones
)

// logLines returns what a handler's log says about a task: a line of JSON each, as the handler writes them. Whatever else is in the file is
// passed by.
func logLines(path string, task uuid.UUID) ([]client.TaskHistoryItem, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var lines []client.TaskHistoryItem
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, longestLine)
	for id := []byte(task.String()); scanner.Scan(); {
		if !bytes.Contains(scanner.Bytes(), id) {
			continue
		}
		if line, ok := logLine(scanner.Bytes(), task); ok {
			lines = append(lines[max(0, len(lines)+1-mostLines):], line)
		}
	}
	return lines, scanner.Err()
}

// logLine returns a line as an item; false where it is none about the task.
func logLine(text []byte, task uuid.UUID) (client.TaskHistoryItem, bool) {
	var line struct {
		Time                                       time.Time
		TaskID                                     string `json:"task_id"`
		Level, Msg, Outcome, Status, Reason, Error string
	}
	if json.Unmarshal(text, &line) != nil || line.TaskID != task.String() || line.Time.IsZero() {
		return client.TaskHistoryItem{}, false
	}
	said := []string{line.Msg}
	for _, more := range []string{line.Outcome, line.Status, line.Reason, line.Error} {
		if more != "" {
			said = append(said, more)
		}
	}
	return client.TaskHistoryItem{At: line.Time, Kind: "log", Text: fmt.Sprintf("log %s: %s", line.Level, strings.Join(said, ", "))}, true
}
