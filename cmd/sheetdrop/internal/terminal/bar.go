package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// Bar is a progress bar with rate and remaining time. Those that are open at once are drawn below one another. It is safe for concurrent
// use.
type Bar struct {
	console *Console
	bar     *progressbar.ProgressBar
}

// barRoom is what a bar takes of a line besides its name: the bar, percent, bytes, rate and times.
const barRoom = 62

// Bar draws a progress bar up to a number of bytes. Without a terminal it prints one line with what is being done.
func (c *Console) Bar(bytes int64, what string) Bar {
	if !c.interactive {
		c.Step("%s", what)
	}
	b := Bar{c, progressbar.NewOptions64(bytes,
		progressbar.OptionSetWriter(io.Discard), // bars draws it
		progressbar.OptionSetVisibility(c.interactive),
		progressbar.OptionSetDescription(c.shortened(what)),
		progressbar.OptionShowBytes(true),
		progressbar.OptionSetWidth(barWidth),
		progressbar.OptionSetRenderBlankState(true),
		progressbar.OptionThrottle(drawEvery),
	)}
	if c.interactive {
		c.bars.change(func() { c.bars.open = append(c.bars.open, b.bar) })
	}
	return b
}

// barWidth is that of the bar itself, in cells.
const barWidth = 16

func (c *Console) shortened(what string) string {
	return shorten(what, max(leastRoom, c.progressWidth-barRoom-barWidth))
}

// Describe changes what the bar says is being done.
func (b Bar) Describe(what string) {
	b.console.bars.update(func() { b.bar.Describe(b.console.shortened(what)) })
}

// Set draws a number of bytes that are done.
func (b Bar) Set(bytes int64) { b.console.bars.update(func() { _ = b.bar.Set64(bytes) }) }

// Reader returns a reader that advances the bar by what is read of r.
func (b Bar) Reader(r io.Reader) io.Reader { return &barReader{r, b} }

type barReader struct {
	io.Reader

	bar Bar
}

func (r *barReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.bar.console.bars.update(func() { _ = r.bar.bar.Add(n) })
	return n, err
}

// Close removes the bar from the terminal.
func (b Bar) Close() {
	if !b.console.interactive {
		return
	}
	bars := b.console.bars
	bars.change(func() {
		bars.open = slices.DeleteFunc(bars.open, func(open *progressbar.ProgressBar) bool { return open == b.bar })
	})
}

// drawEvery is how often bars are drawn at most.
const drawEvery = 50 * time.Millisecond

// bars are the open bars of a console, at the bottom of what it has printed.
type bars struct {
	mu    sync.Mutex
	to    io.Writer
	width int // of the terminal, in cells

	open    []*progressbar.ProgressBar
	lines   int // that are drawn now
	drawn   time.Time
	covered int // printing in their place, or questions that wait for an answer
}

// update changes a bar, and draws them all unless that was done just now.
func (b *bars) update(change func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change()
	if len(b.open) > 0 && b.covered == 0 && time.Since(b.drawn) >= drawEvery {
		b.draw()
	}
}

// change changes which bars are open, and draws them.
func (b *bars) change(change func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change()
	if b.covered == 0 {
		b.draw()
	}
}

// aside does something that prints to the terminal while no bar is drawn.
func (b *bars) aside(show func()) {
	b.mu.Lock()
	b.covered++
	b.erase()
	b.mu.Unlock()
	show()
	b.change(func() { b.covered-- })
}

func (b *bars) draw() {
	b.erase()
	for _, bar := range b.open {
		fmt.Fprintln(b.to, shorten(strings.TrimSpace(bar.String()), b.width-1))
	}
	b.lines, b.drawn = len(b.open), time.Now()
}

// erase removes what is drawn, and leaves the cursor where it began.
func (b *bars) erase() {
	if b.lines > 0 {
		fmt.Fprintf(b.to, "\x1b[%dA\r\x1b[J", b.lines)
		b.lines = 0
	}
}
