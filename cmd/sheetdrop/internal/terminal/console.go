// Package terminal prints for people and programs: results, progress, tables, and texts of others in a form that does no harm.
package terminal

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"sheetdrop/cmd/sheetdrop/internal/words"
)

// Console prints results to one writer and progress to another, so that results can be piped elsewhere. Formats are in English, and are
// printed in the user's language.
type Console struct {
	JSON bool // results are printed as JSON, an object a line, and not as text

	out, progress   io.Writer
	interactive     bool // progress is a terminal where a line can be redrawn
	width           int  // of the output, in cells; 0 is without a limit
	progressWidth   int
	colours         bool // of results
	progressColours bool
	answers         *os.File // where questions are answered; nil if nobody is there
	bars            *bars
	asking          sync.Mutex // one question at a time
}

// NewConsole returns a console for the program's input, output and error output.
func NewConsole(in, out, progress *os.File) *Console {
	c := &Console{
		out: out, progress: progress, width: Width(out), progressWidth: Width(progress),
		colours: hasColours(out), progressColours: hasColours(progress),
		interactive: IsTerminal(progress) && os.Getenv("TERM") != dumb,
	}
	c.bars = &bars{to: progress, width: c.progressWidth}
	if IsTerminal(progress) && IsTerminal(in) {
		c.answers = in
	}
	return c
}

// IsTerminal reports whether somebody sits in front of a file.
func IsTerminal(file *os.File) bool { return term.IsTerminal(int(file.Fd())) }

// Width returns the width of a writer that is a terminal, in cells; 0 for any other one, in which nothing has to fit.
func Width(to io.Writer) int {
	file, ok := to.(*os.File)
	if !ok || !IsTerminal(file) {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil || width <= 0 {
		return usualWidth
	}
	return width
}

// usualWidth is that of a terminal that does not say how wide it is.
const usualWidth = 80

// Ask asks a question and reports whether the answer is yes. Where nobody can answer it does not ask, and asked is false.
func (c *Console) Ask(ctx context.Context, question string) (yes, asked bool) {
	if c.answers == nil || c.JSON {
		return false, false
	}
	c.asking.Lock()
	defer c.asking.Unlock()
	c.bars.aside(func() { yes = c.answerTo(ctx, question) })
	return yes, true
}

// answerTo returns whether the answer to a question is yes.
func (c *Console) answerTo(ctx context.Context, question string) (yes bool) {
	fmt.Fprintf(c.progress, "%s [y/N] ", question)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(c.answers).ReadString('\n')
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		return false
	case line := <-answer:
		return line == "y" || line == "yes"
	}
}

// Width is that of the output as Width returns it.
func (c *Console) Width() int { return c.width }

// Interactive reports whether progress bars are drawn.
func (c *Console) Interactive() bool { return c.interactive }

// Printf prints a text as a result. With JSON it prints nothing: see Result.
func (c *Console) Printf(format string, args ...any) {
	if !c.JSON {
		c.bars.aside(func() { fmt.Fprintf(c.out, words.In(format), args...) })
	}
}

// Table prints a table as a result, in the width of the terminal.
func (c *Console) Table(t *Table) {
	t.Width = c.width
	if c.colours {
		t.paint = statusColour
	}
	c.Printf("%s", t.String())
}

// Step prints a line of progress: what is being done now.
func (c *Console) Step(format string, args ...any) {
	c.bars.aside(func() { fmt.Fprintf(c.progress, words.In(format)+"\n", args...) })
}

// whileEvery is how often it is told that something goes on.
const whileEvery = 10 * time.Second

// While says regularly that something that takes long still goes on, until stop is called.
func (c *Console) While(what string) (stop func()) {
	done := make(chan struct{})
	go func() {
		begun := time.Now()
		for ticker := time.NewTicker(whileEvery); ; {
			select {
			case <-done:
				ticker.Stop()
				return
			case <-ticker.C:
				c.Step("still %s (%d s)", words.In(what), int(time.Since(begun).Seconds()))
			}
		}
	}()
	return func() { close(done) }
}

// Result prints what a command has done: as a sentence or, with JSON, a value.
func (c *Console) Result(value any, format string, args ...any) {
	c.Printf(format, args...)
	c.Value(value)
}

// Value prints a value as a line of JSON, if that is wanted.
func (c *Console) Value(value any) {
	if !c.JSON {
		return
	}
	encoder := json.NewEncoder(c.out)
	encoder.SetEscapeHTML(false)
	var err error
	c.bars.aside(func() { err = encoder.Encode(value) })
	if err != nil {
		c.Step("the result cannot be printed: %v", err)
	}
}

// Fail prints why a command has failed; with JSON as an object.
func (c *Console) Fail(message string, status int) {
	if c.JSON {
		encoder := json.NewEncoder(c.progress)
		encoder.SetEscapeHTML(false)
		failure := struct {
			Message string `json:"message"`
			Status  int    `json:"exit_status"`
		}{message, status}
		_ = encoder.Encode(map[string]any{"error": failure}) // there is nobody else to tell
		return
	}
	fmt.Fprintf(c.progress, "sheetdrop: %s%s\n", paint(c.progressColours, red, words.In("error: ")), message)
}
