package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// console speaks to the person in front of it: results go to out, what is going on to progress.
type console struct {
	out, progress io.Writer
	terminal      bool // progress is one, so a line may be drawn again and again
}

func newConsole(out, progress *os.File) *console {
	info, err := progress.Stat()
	return &console{out, progress, err == nil && info.Mode()&os.ModeCharDevice != 0}
}

// printf prints a result.
func (c *console) printf(format string, args ...any) { fmt.Fprintf(c.out, format, args...) }

// step says in a line what is being done.
func (c *console) step(format string, args ...any) { fmt.Fprintf(c.progress, format+"\n", args...) }

// bar draws how many of so many bytes are done. On anything but a terminal it says once what is being done.
func (c *console) bar(bytes int64, what string) *progressbar.ProgressBar {
	if !c.terminal {
		c.step("%s", what)
	}
	return progressbar.NewOptions64(bytes,
		progressbar.OptionSetWriter(c.progress),
		progressbar.OptionSetVisibility(c.terminal),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowBytes(true),
		progressbar.OptionSetWidth(30),
		progressbar.OptionSetRenderBlankState(true),
		progressbar.OptionThrottle(50*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
}
