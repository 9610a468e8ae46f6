// Package terminal prints for people: results, progress, tables, and texts of others in a form that does no harm.
package terminal

import (
	"fmt"
	"io"
	"os"
)

// Console prints results to one writer and progress to another, so that results can be piped elsewhere.
type Console struct {
	out, progress io.Writer
	interactive   bool // progress is a terminal, where a line can be redrawn
}

// NewConsole returns a console for the program's output and error output.
func NewConsole(out, progress *os.File) *Console {
	info, err := progress.Stat()
	return &Console{out, progress, err == nil && info.Mode()&os.ModeCharDevice != 0}
}

// WithoutTerminal returns a console that redraws nothing.
func WithoutTerminal(out, progress io.Writer) *Console { return &Console{out: out, progress: progress} }

// Interactive reports whether progress bars are drawn.
func (c *Console) Interactive() bool { return c.interactive }

// Printf prints a result.
func (c *Console) Printf(format string, args ...any) { fmt.Fprintf(c.out, format, args...) }

// Step prints a line of progress: what is being done now.
func (c *Console) Step(format string, args ...any) { fmt.Fprintf(c.progress, format+"\n", args...) }
