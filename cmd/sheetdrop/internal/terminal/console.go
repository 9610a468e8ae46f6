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
	return &Console{out, progress, IsTerminal(progress)}
}

// IsTerminal reports whether somebody sits in front of a file.
func IsTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Interactive reports whether progress bars are drawn.
func (c *Console) Interactive() bool { return c.interactive }

// Printf prints a result.
func (c *Console) Printf(format string, args ...any) { fmt.Fprintf(c.out, format, args...) }

// Step prints a line of progress: what is being done now.
func (c *Console) Step(format string, args ...any) { fmt.Fprintf(c.progress, format+"\n", args...) }
