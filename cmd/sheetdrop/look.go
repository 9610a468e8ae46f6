package main

import (
	"context"
	"fmt"
	"iter"
	"os"
	"strconv"

	"github.com/google/uuid"
	"github.com/pkg/browser"

	"sheetdrop/cmd/sheetdrop/internal/report"
	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
	"sheetdrop/internal/task"
)

// limitFlag is that of lists.
type limitFlag struct {
	Limit int `default:"20" help:"The maximum number of items; 0 is all of them. ${default} by default."`
}

// asked is how many items a list is asked for: one more than are shown, which tells whether there are more; 0 is all.
func (l limitFlag) asked() int {
	if l.Limit <= 0 {
		return 0
	}
	return l.Limit + 1
}

// idWidth is the width of an id, which is of no use if it is cut.
const idWidth = 36

// showList prints the items of a list, up to a limit (0 is all): a table, or a line of JSON for each. Where there are none, or more, it
// says so, not as a result.
func showList[T any](
	c *terminal.Console, limit limitFlag, items iter.Seq2[T, error], none string, header []string, cells func(T) []string,
) error {
	table := terminal.Table{UncutLast: c.Width() == 0, Most: idWidth} // on a terminal the last columns may not fit
	table.Header(header...)
	shown, more := 0, false
	for item, err := range items {
		if err != nil {
			return err
		}
		if shown++; limit.Limit > 0 && shown > limit.Limit {
			more = true
			break
		}
		c.Value(item)
		table.Add(cells(item)...)
	}
	showTable(c, &table, none)
	if more {
		c.Step("there are more than %d: --limit=0 lists all of them", limit.Limit)
	}
	return nil
}

// showTable prints a table with a header, or says that it has no lines, to the error output: a program reads none.
func showTable(c *terminal.Console, table *terminal.Table, none string) {
	if table.Len() > 1 {
		c.Table(table)
		return
	}
	c.Step("%s", none)
}

type filesCommand struct {
	Name    string `placeholder:"TEXT" help:"Only files with this in their names."`
	Status  string `placeholder:"STATUS" help:"Only files whose newest task is PENDING, PROCESSING, COMPLETED, FAILED or CANCELLED; several with commas between them."`
	Rejects bool   `help:"Only files of which records were rejected."`
	SHA256  string `name:"sha256" placeholder:"HEX" help:"Only files with these bytes."`
	limitFlag
	serverFlags
}

func (f *filesCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := f.server()
	if err != nil {
		return err
	}
	filter := server.FileFilter{Limit: f.asked(), Name: f.Name, Status: f.Status, Rejects: f.Rejects, SHA256: f.SHA256}
	none := noFiles()
	if f.Name != "" || f.Status != "" || f.SHA256 != "" || f.Rejects {
		none = words.In("No file is like that.")
	}
	return showFiles(c, f.limitFlag, s.Files(ctx, filter), none)
}

func noFiles() string { return words.In("There are no files yet: `sheetdrop upload FILE` sends one.") }

func showFiles(c *terminal.Console, limit limitFlag, files iter.Seq2[client.FileDetail, error], none string) error {
	header := []string{"uploaded", "status", "rows", "rejected", "name", "file"}
	return showList(c, limit, files, none, header, func(f client.FileDetail) []string {
		loaded, rejected := counts(f.Task)
		return []string{terminal.When(f.CreatedAt), string(f.Task.Status), loaded, rejected, f.Name, f.ID.String()}
	})
}

// counts returns how many rows a task has loaded and rejected, as far as it is.
func counts(t client.Task) (loaded, rejected string) {
	if t.Summary != nil {
		return strconv.FormatInt(t.Summary.RowsLoaded, 10), strconv.FormatInt(t.Summary.RowsRejected, 10)
	}
	if t.Progress.RowsRead == 0 {
		return "", ""
	}
	return strconv.FormatInt(t.Progress.RowsLoaded, 10), strconv.FormatInt(t.Progress.RowsRejected, 10)
}

// skipped says how many records were skipped, if any were. Those that a dry run would have loaded are not meant.
func skipped(t client.Task) string {
	switch {
	case t.Summary == nil:
		return ""
	case t.Summary.RowsValid != nil:
		return report.Skipped(t.Summary.RowsSkipped - *t.Summary.RowsValid)
	}
	return report.Skipped(t.Summary.RowsSkipped)
}

type tasksCommand struct {
	Status  string `enum:",PENDING,PROCESSING,COMPLETED,FAILED,CANCELLED" default:"" placeholder:"STATUS" help:"Only tasks that are PENDING, PROCESSING, COMPLETED, FAILED or CANCELLED."`
	Earlier bool   `help:"Also tasks after which their file was parsed again."`
	All     bool   `help:"Those of all owners; for operators."`
	limitFlag
	serverFlags
}

func (t *tasksCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := t.server()
	if err != nil {
		return err
	}
	filter := server.TaskFilter{Limit: t.asked(), Status: t.Status, All: t.All}
	if t.Earlier {
		filter.Readings = "all"
	}
	header := []string{"created", "status", "rows", "rejected", "name", "task", "error"}
	none := words.In("There are no tasks yet: `sheetdrop upload FILE` makes one.")
	if t.Status != "" {
		none = words.In("There are no such tasks.")
	}
	return showList(c, t.limitFlag, s.Tasks(ctx, filter), none, header, func(t client.Task) []string {
		loaded, rejected := counts(t)
		return []string{terminal.When(t.CreatedAt), string(t.Status), loaded, rejected, t.FileName, t.ID.String(), taskError(t)}
	})
}

// taskError returns why a task has FAILED, with its code.
func taskError(t client.Task) string {
	if t.Error == nil {
		return ""
	}
	return words.Sprintf("%s (%s)", words.Localized(t.Error.Message, optional(t.Error.MessageJA)), t.Error.Code)
}

type statusCommand struct {
	What string `arg:"" optional:"" name:"task|file" help:"A task's or a file's id, or the name of a file: the newest one of that name. Without it: how everything stands."`
	serverFlags
}

func (s *statusCommand) Run(ctx context.Context, c *terminal.Console) error {
	running, err := s.server()
	if err != nil {
		return err
	}
	if s.What == "" {
		return showEverything(ctx, c, running)
	}
	found, err := running.Find(ctx, s.What)
	if err != nil {
		return err
	}
	c.Value(found)
	c.Printf("%s\n", terminal.Printable(found.Name))
	c.Table(statusTable(found))
	return nil
}

// statusTable shows a file and a task of it, a fact a line, and what can be done next.
func statusTable(f server.Found) *terminal.Table {
	t := f.Task
	table := &terminal.Table{UncutLast: true}
	fact := func(name, value string) {
		if value != "" {
			table.Add(words.In(name), value)
		}
	}
	fact("status", string(t.Status))
	fact("error", taskError(t))
	if loaded, rejected := counts(t); loaded != "" {
		fact("rows", words.Sprintf("%s loaded, %s rejected", loaded, rejected)+skipped(t))
	}
	if t.Status == client.TaskStatusPROCESSING && t.Progress.BytesTotal > 0 {
		fact("read", fmt.Sprintf("%d %%", t.Progress.BytesRead*100/t.Progress.BytesTotal))
	}
	fact("uploaded", words.Sprintf("%s, %d bytes", terminal.When(f.CreatedAt), f.SizeBytes))
	fact("file", f.ID.String())
	fact("task", t.ID.String())
	if t.Summary != nil {
		for _, s := range t.Summary.Sheets {
			if s.SQL != nil {
				table.AddCommand("SQL", *s.SQL+";")
			}
		}
	}
	next := words.In("next")
	if advice := taskAdvice(t); advice != "" {
		table.Add(next, advice)
		next = ""
	}
	if t.Error == nil || !(task.Failure{Code: task.FailureCode(t.Error.Code)}).NeedsAnotherFile() {
		table.AddCommand(next, nextStep(t))
	}
	return table
}

// taskAdvice returns what somebody can do about a task that has FAILED.
func taskAdvice(t client.Task) string {
	if t.Error == nil {
		return ""
	}
	return words.Localized(optional(t.Error.Advice), optional(t.Error.AdviceJA))
}

// nextStep returns the command that most people want next.
func nextStep(t client.Task) string {
	switch {
	case t.Status == client.TaskStatusFAILED && t.Error != nil && isRetryable(t.Error.Code):
		return fmt.Sprintf("sheetdrop retry %s", t.ID)
	case t.Status == client.TaskStatusFAILED:
		return fmt.Sprintf("sheetdrop reparse %s --help", t.FileID)
	case t.Status == client.TaskStatusCANCELLED:
		return fmt.Sprintf("sheetdrop retry %s", t.ID)
	case t.Summary != nil:
		return afterCompleted(t)
	}
	return fmt.Sprintf("sheetdrop cancel %s", t.ID)
}

// afterCompleted returns the command for what a COMPLETED task has left: rejects, or rows, which are a target's where it has loaded into
// one. Where there are none, because they were deleted or the task was a dry run, another reading makes them.
func afterCompleted(t client.Task) string {
	switch s := t.Summary; {
	case t.RowsDeletedAt != nil:
		return fmt.Sprintf("sheetdrop reparse %s", t.FileID)
	case s.RowsRejected > 0:
		return fmt.Sprintf("sheetdrop rejects %s -o rejects.xlsx", t.ID)
	case s.RowsValid != nil:
		return fmt.Sprintf("sheetdrop reparse %s --help", t.FileID)
	case s.Target != nil:
		return "sheetdrop rows --target " + terminal.ShellQuoted(s.Target.Name)
	case s.Undo != nil:
		return "sheetdrop rows --target " + terminal.ShellQuoted(s.Undo.Name)
	}
	return fmt.Sprintf("sheetdrop rows %s", t.ID)
}

// everything is how all stands, for programs.
type everything struct {
	URL      string              `json:"url"` // ends in /api
	Ready    bool                `json:"ready"`
	NotReady string              `json:"not_ready,omitempty"` // why not
	Operator bool                `json:"operator"`
	Overview *client.Overview    `json:"overview,omitempty"` // for operators
	Files    []client.FileDetail `json:"files"`              // the newest ones
}

// newestFiles is how many files are shown with everything.
const newestFiles = 5

func showEverything(ctx context.Context, c *terminal.Console, s *server.Server) error {
	all := everything{URL: s.URL, Ready: true, Files: []client.FileDetail{}}
	if err := s.Ready(ctx); err != nil {
		all.Ready, all.NotReady = false, err.Error()
	}
	operator, err := s.IsOperator(ctx)
	if err != nil {
		return err
	}
	if all.Operator = operator; operator {
		overview, err := s.Overview(ctx)
		if err != nil {
			return err
		}
		all.Overview = &overview
	}
	for file, err := range s.Files(ctx, server.FileFilter{Limit: newestFiles}) {
		if err != nil {
			return err
		}
		all.Files = append(all.Files, file)
	}
	c.Value(all)
	if c.JSON {
		return nil
	}
	showStanding(c, all)
	return showFiles(c, limitFlag{}, func(yield func(client.FileDetail, error) bool) {
		for _, file := range all.Files {
			if !yield(file, nil) {
				return
			}
		}
	}, noFiles())
}

func showStanding(c *terminal.Console, all everything) {
	ready := words.In("ready")
	if !all.Ready {
		ready = words.Sprintf("not ready: %s", terminal.Printable(all.NotReady))
	}
	table := terminal.Table{UncutLast: true}
	table.Add(words.In("server"), all.URL+words.In(", ")+ready)
	if o := all.Overview; o != nil {
		table.Add(words.In("tasks"), words.Sprintf("%d waiting, %d running, %d FAILED", o.Tasks.Pending, o.Tasks.Processing, o.Tasks.Failed))
		table.Add(words.In("messages"), words.Sprintf("%d waiting, %d FAILED, %d dead %s", o.Outbox.Pending, o.Outbox.Failed, o.DeadLetters,
			terminal.Plural(o.DeadLetters, "letter")))
	}
	c.Table(&table)
	c.Printf("\n")
}

type openCommand struct {
	What  string `arg:"" optional:"" name:"task|file" help:"A task's or a file's id, or the name of a file: the newest one of that name."`
	Print bool   `help:"Only print the address."`
	serverFlags
}

func (o *openCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := o.server()
	if err != nil {
		return err
	}
	address := s.PageURL()
	if o.What != "" {
		found, err := s.Find(ctx, o.What)
		if err != nil {
			return err
		}
		address += fmt.Sprintf("files/%s/tasks/%s", found.ID, found.Task.ID) // as web-page/assets/route.js has it
	}
	c.Result(map[string]string{"url": address}, "%s\n", address)
	if o.Print || c.JSON || !hasBrowser(c) {
		return nil
	}
	browser.Stdout = os.Stderr
	if err := browser.OpenURL(address); err != nil {
		c.Step("no browser could be opened: %v", err)
	}
	return nil
}

// hasBrowser reports whether a browser would be seen by whoever has called: not by a script, and not through ssh.
func hasBrowser(c *terminal.Console) bool {
	return c.Interactive() && os.Getenv("SSH_CONNECTION") == "" || os.Getenv("BROWSER") != ""
}

// idOf parses an id, and says where ids come from.
func idOf(text, list string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return id, words.Errorf("%s is not an id; `%s` lists them", terminal.Printable(text), list)
	}
	return id, nil
}
