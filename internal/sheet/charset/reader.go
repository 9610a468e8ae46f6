package charset

import "io"

// converter converts text to splittable bytes.
type converter interface {
	// convert appends the splittable bytes of src to dst and returns how much of src it used. Unless final is set, it
	// leaves what depends on the following bytes, less than eight bytes.
	convert(dst, src []byte, final bool) (out []byte, used int)
}

// convertedReader reads src through a converter.
type convertedReader struct {
	src  io.Reader
	conv converter
	in   []byte // read, but not yet converted
	out  []byte // converted, but not yet returned
	room []byte // memory of out
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
