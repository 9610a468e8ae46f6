// Package terminal prints for people: results, progress, tables, and texts of others in a form that does no harm.
package terminal

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
)

// Console prints results to one writer and progress to another, so that results can be piped elsewhere.
type Console struct {
	out, progress io.Writer
	interactive   bool     // progress is a terminal, where a line can be redrawn
	answers       *os.File // where questions are answered; nil if nobody is there
}

// NewConsole returns a console for the program's input, output and error output.
func NewConsole(in, out, progress *os.File) *Console {
	c := &Console{out: out, progress: progress, interactive: IsTerminal(progress)}
	if c.interactive && IsTerminal(in) {
		c.answers = in
	}
	return c
}

// IsTerminal reports whether somebody sits in front of a file.
func IsTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Confirm asks a question and reports whether the answer is yes. Where nobody can answer it does not ask, and the answer is no.
func (c *Console) Confirm(ctx context.Context, question string) bool {
	if c.answers == nil {
		return false
	}
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

// Interactive reports whether progress bars are drawn.
func (c *Console) Interactive() bool { return c.interactive }

// Printf prints a result.
func (c *Console) Printf(format string, args ...any) { fmt.Fprintf(c.out, format, args...) }

// Step prints a line of progress: what is being done now.
func (c *Console) Step(format string, args ...any) { fmt.Fprintf(c.progress, format+"\n", args...) }
