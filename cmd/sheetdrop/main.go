// Command sheetdrop is the command line: it reads files, uploads them and shows what became of them, runs the whole of sheetdrop on this
// machine, and does for operators what a deployment needs.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"sheetdrop/cmd/sheetdrop/internal/help"
	"sheetdrop/cmd/sheetdrop/internal/profile"
	"sheetdrop/cmd/sheetdrop/internal/reading"
	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/sheet"
)

type commandLine struct {
	JSON    bool        `name:"json" help:"Print results as JSON, for programs: an object a line."`
	Version versionFlag `help:"Print the version."`

	Parse parseCommand `cmd:"" group:"reading" help:"Read a file and print its rows and what could not be read; needs no database."`
	Sniff sniffCommand `cmd:"" group:"reading" help:"Say how a file is read, and why: format, encoding, dialect, columns; needs no database."`

	Upload  uploadCommand  `cmd:"" group:"files" help:"Upload files to a running sheetdrop and show their rows."`
	Watch   watchCommand   `cmd:"" group:"files" help:"Upload each file that appears in a folder, once it has been written completely."`
	Status  statusCommand  `cmd:"" group:"files" help:"Show what became of a file or a task, or how everything stands."`
	Why     whyCommand     `cmd:"" group:"files" help:"Tell the life of a task: what happened, what it waits for, and when it goes on."`
	Files   filesCommand   `cmd:"" group:"files" help:"List files, newest first."`
	Tasks   tasksCommand   `cmd:"" group:"files" help:"List tasks, newest first."`
	Rows    rowsCommand    `cmd:"" group:"files" help:"Download the rows of a sheet: as CSV, NDJSON, JSON, xlsx or Parquet."`
	Rejects rejectsCommand `cmd:"" group:"files" help:"Download the rejects of a sheet; as xlsx, to be corrected and sent back by upload --corrects."`
	Reparse reparseCommand `cmd:"" group:"files" help:"Have a file that was uploaded parsed again, with other options."`
	Cancel  cancelCommand  `cmd:"" group:"files" help:"Cancel tasks that have not ended."`
	Retry   retryCommand   `cmd:"" group:"files" help:"Run FAILED or CANCELLED tasks again."`
	Rm      rmCommand      `cmd:"" group:"files" help:"Delete files with everything that was made from them."`
	Open    openCommand    `cmd:"" group:"files" help:"Open the page in the browser, or print its address."`

	SQL    sqlCommand    `cmd:"" group:"tables" name:"sql" help:"Show the database's address and the views in it, and open it with psql."`
	Target targetCommand `cmd:"" group:"tables" help:"Create, list and change targets, the tables into which files are loaded, and match files to them."`
	Undo   undoCommand   `cmd:"" group:"tables" help:"Take a file's load out of a target, as if it had never been."`

	Local      localCommand      `cmd:"" group:"setup" help:"Run everything on this machine, upload files and show their rows."`
	Webhooks   webhooksCommand   `cmd:"" group:"setup" help:"Have programs told when tasks end: create webhooks, test them, and see what was sent."`
	Profile    profileCommand    `cmd:"" group:"setup" help:"Name servers, and choose which one the commands call."`
	Completion completionCommand `cmd:"" group:"setup" help:"Print the script by which a shell completes command lines."`
	Help       helpCommand       `cmd:"" group:"setup" help:"Explain a command, with examples."`

	Outbox      outboxCommand      `cmd:"" group:"operators" help:"List messages that have not been sent, FAILED ones first."`
	DeadLetters deadLettersCommand `cmd:"" group:"operators" help:"List dead letters: messages with each of which the worker has failed five times, newest first."`
	Actions     actionsCommand     `cmd:"" group:"operators" help:"List what people have done, newest first."`
	Redrive     redriveCommand     `cmd:"" group:"operators" help:"Queue FAILED messages again, or run FAILED tasks again."`
	Recover     recoverCommand     `cmd:"" group:"operators" help:"After a restore of the database: list the uploads that it lost, and recover them."`
	Doctor      doctorCommand      `cmd:"" group:"operators" help:"Examine a sheetdrop and say what is wrong first, and what to do; it changes nothing."`
	Migrate     migrateCommand     `cmd:"" group:"operators" help:"Bring the database to the schema that this build needs."`
	Provision   provisionCommand   `cmd:"" group:"operators" help:"Prepare the database of a deployment: database, schema, the app's login and rights."`
	Package     packageCommand     `cmd:"" group:"operators" help:"Make the zip that is deployed to Azure: the handler and what the Functions host reads."`
}

var groups = kong.ExplicitGroups([]kong.Group{
	{Key: "reading", Title: "Without a server:"},
	{Key: "files", Title: "Files on a server:"},
	{Key: "tables", Title: "Databases:"},
	{Key: "setup", Title: "Set up:"},
	{Key: "operators", Title: "For operators:"},
})

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	ctx = endWithGoRun(ctx)
	console := terminal.NewConsole(os.Stdin, os.Stdout, os.Stderr)

	grammar := commandLine{Parse: parseCommand{Reading: reading.New()}, Sniff: sniffCommand{Reading: reading.New()},
		Upload: uploadCommand{Reading: reading.NewOptions(true)}, Watch: watchCommand{Reading: reading.NewOptions(true)},
		Reparse: reparseCommand{Reading: reading.NewOptions(true)}}
	grammar.Target.Match.Reading, grammar.Target.Propose.Reading = reading.New(), reading.New()
	parser := kong.Must(&grammar, groups,
		kong.Name("sheetdrop"),
		kong.Description("Drop a CSV or Excel file over HTTP, and its rows appear in PostgreSQL, exactly once."),
		help.Variables(kong.Vars{"max_line": strconv.Itoa(sheet.DefaultLimits().RecordBytes), "retry_for": server.RetryFor.String()}),
		kong.Help(help.Print),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(console),
	)
	if len(os.Args) > 1 && os.Args[1] == help.CompleteCommand {
		complete(parser, os.Args[2:])
		return
	}
	command, err := parser.Parse(arguments(os.Args[1:]))
	console.JSON = grammar.JSON
	if err == nil {
		err = command.Run()
	}
	if err != nil && ctx.Err() != nil {
		err = interrupted{} // rather than what failed because of it
	}
	if err != nil {
		os.Exit(fail(console, err))
	}
}

// arguments returns those that kong takes: without any, or with help, it is asked for help.
func arguments(given []string) []string {
	switch {
	case len(given) == 0:
		return []string{"--help"}
	case given[0] == "help":
		return append(append([]string{}, given[1:]...), "--help")
	}
	return given
}

// fail prints why a command has failed, and returns its exit status.
func fail(c *terminal.Console, err error) (status int) {
	if usage, ok := errors.AsType[*kong.ParseError](err); ok {
		node := usage.Context.Model.Node
		if selected := usage.Context.Selected(); selected != nil {
			node = selected
		}
		if !c.JSON {
			c.Step("%s", help.Usage("sheetdrop", node))
			defer c.Step("`%s --help` explains it.", strings.TrimSpace("sheetdrop "+node.Path()))
		}
		c.Fail(words.Usage(err.Error()), reading.BadUsageStatus)
		return reading.BadUsageStatus
	}
	status = 1
	var coder kong.ExitCoder
	if errors.As(err, &coder) {
		status = coder.ExitCode()
	}
	c.Fail(words.In(err.Error()), status)
	return status
}

// interrupted is the error of a command that was told to stop.
type interrupted struct{}

func (interrupted) Error() string { return "interrupted" }

// ExitCode returns what a shell has for a program that Ctrl+C ends.
func (interrupted) ExitCode() int { return 130 }

// complete prints the words that may take the place of the last one.
func complete(parser *kong.Kong, written []string) {
	found := help.Complete(parser.Model.Node, written, func(of string) (names []string) {
		if of != "--profile" && of != "profile use" && of != "profile rm" {
			return nil
		}
		config, _ := profile.Read() // without it there is nothing to complete
		for _, p := range config.Profiles {
			names = append(names, p.Name)
		}
		return names
	})
	fmt.Print(strings.Join(append(found, ""), "\n"))
}

// versionFlag prints the version and ends the program.
type versionFlag bool

// BeforeReset is called by kong when the flag is given.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	_, err := fmt.Fprintln(app.Stdout, help.ThisVersion())
	app.Exit(0)
	return err
}

type helpCommand struct {
	Command []string `arg:"" optional:"" help:"The command."`
}

// Run is never called: see arguments.
func (helpCommand) Run() error { return nil }

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"One of: ${enum}."`
}

func (c *completionCommand) Run(console *terminal.Console) error { //nolint:unparam // kong wants it so
	console.Result(map[string]string{"script": help.Script(c.Shell)}, "%s", help.Script(c.Shell))
	return nil
}
