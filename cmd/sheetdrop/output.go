package main

import (
	"fmt"
	"io"
)

// outputBytes is how much is written at once.
const outputBytes = 64 << 10

// output collects what is to be written, so that lines can be appended to it without garbage.
type output struct {
	to      io.Writer
	pending []byte
}

func newOutput(to io.Writer) *output { return &output{to: to, pending: make([]byte, 0, 2*outputBytes)} }

// writeFull writes what has come together if that is enough.
func (o *output) writeFull() error {
	if len(o.pending) < outputBytes {
		return nil
	}
	return o.flush()
}

// flush writes all.
func (o *output) flush() error {
	_, err := o.to.Write(o.pending)
	o.pending = o.pending[:0]
	return err
}

// printf prints for people.
func (o *output) printf(format string, args ...any) {
	o.pending = fmt.Appendf(o.pending, format, args...)
}

// more says how many of all are not shown.
func (o *output) more(all int64, shown int) {
	if left := all - int64(shown); left > 0 {
		o.printf("  … %d more\n", left)
	}
}
