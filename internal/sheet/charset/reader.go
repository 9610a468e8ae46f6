package charset

import "io"

// converter makes bytes to split.
type converter interface {
	// convert appends the bytes to split that src makes to dst and returns how much of src it used. Short of final it leaves what cannot be
	// told yet, less than eight bytes.
	convert(dst, src []byte, final bool) (out []byte, used int)
}

// convertedReader reads what a converter makes of src.
type convertedReader struct {
	src  io.Reader
	conv converter
	in   []byte // read and not yet used
	out  []byte // made and not yet handed on
	room []byte // out's memory
	err  error
}

const convertedBlock = 64 << 10

func (r *convertedReader) Read(p []byte) (int, error) {
	for len(r.out) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.refill()
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

func (r *convertedReader) refill() {
	if r.in == nil {
		r.in = make([]byte, 0, convertedBlock)
	}
	n, err := r.src.Read(r.in[len(r.in):cap(r.in)])
	r.in, r.err = r.in[:len(r.in)+n], err
	var used int
	r.room, used = r.conv.convert(r.room[:0], r.in, err == io.EOF)
	r.out = r.room
	r.in = r.in[:copy(r.in, r.in[used:])]
}
