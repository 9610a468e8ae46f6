package terminal

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// Bar is a progress bar with rate and remaining time. It is safe for concurrent use. Errors of drawing are ignored.
type Bar struct {
	console *Console
	bar     *progressbar.ProgressBar
}

// Bar draws a progress bar up to a number of bytes. Without a terminal it prints one line with what is being done.
func (c *Console) Bar(bytes int64, what string) Bar {
	if !c.interactive {
		c.Step("%s", what)
	}
	return Bar{c, progressbar.NewOptions64(bytes,
		progressbar.OptionSetWriter(c.progress),
		progressbar.OptionSetVisibility(c.interactive),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowBytes(true),
		progressbar.OptionSetWidth(30),
		progressbar.OptionSetRenderBlankState(true),
		progressbar.OptionThrottle(50*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)}
}

// Set draws a number of bytes that are done.
func (b Bar) Set(bytes int64) { _ = b.bar.Set64(bytes) }

// Step prints a line of progress in the bar's place, which is drawn again below it.
func (b Bar) Step(format string, args ...any) {
	_ = b.bar.Clear()
	b.console.Step(format, args...)
}

// Reader returns a reader that advances the bar by what is read of r.
func (b Bar) Reader(r io.Reader) io.Reader {
	reader := progressbar.NewReader(r, b.bar)
	return &reader
}

// Close removes the bar from the terminal.
func (b Bar) Close() {
	_ = b.bar.Clear()
	_ = b.bar.Exit()
}
