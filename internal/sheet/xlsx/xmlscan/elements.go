package xmlscan

// elements is the stack of open elements.
type elements struct {
	names  []byte // one after the other, with their prefixes
	starts []int32
	closed bool // the root element has ended
}

// push opens an element.
func (e *elements) push(name []byte) {
	e.starts = append(e.starts, int32(len(e.names)))
	e.names = append(e.names, name...)
}

// top returns the name of the innermost element.
func (e *elements) top() []byte {
	if len(e.starts) == 0 {
		return nil
	}
	return e.names[e.starts[len(e.starts)-1]:]
}

// pop closes the innermost element.
func (e *elements) pop() {
	last := len(e.starts) - 1
	e.names, e.starts = e.names[:e.starts[last]], e.starts[:last]
	e.closed = last == 0
}
