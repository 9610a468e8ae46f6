package reading

import (
	"fmt"
	"io"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
)

// outputBytes is the least size of a write before the end.
const outputBytes = 64 << 10

// output buffers what is printed, so that lines can be appended without an allocation for each.
type output struct {
	to      io.Writer
	pending []byte
	width   int // of the terminal, in cells; 0 where it is none
}

func newOutput(to io.Writer) *output {
	return &output{to: to, pending: make([]byte, 0, 2*outputBytes), width: terminal.Width(to)}
}

// writeFull writes the buffer if it is full.
func (o *output) writeFull() error {
	if len(o.pending) < outputBytes {
		return nil
	}
	return o.flush()
}

// flush writes the buffer.
func (o *output) flush() error {
	_, err := o.to.Write(o.pending)
	o.pending = o.pending[:0]
	return err
}

// printf prints a text for people, in their language.
func (o *output) printf(format string, args ...any) {
	o.pending = fmt.Appendf(o.pending, words.In(format), args...)
}

// more prints how many of all are not shown.
func (o *output) more(all int64, shown int) {
	if hidden := all - int64(shown); hidden > 0 {
		o.printf("  … %d more\n", hidden)
	}
}
