package pgproxy

import (
	"encoding/binary"
	"fmt"
	"io"
)

// message is one of PostgreSQL's wire protocol, version 3: a kind byte, an int32 length that counts itself, and the body. The first one of
// a connection has no kind: startup here. https://www.postgresql.org/docs/current/protocol-message-formats.html
type message struct {
	kind byte
	body []byte
}

const (
	startup = byte(0)
	maxBody = 1 << 30 // the server's own limit of a message
)

func readStartup(r io.Reader) (message, error) {
	body, err := readBody(r)
	return message{startup, body}, err
}

func readMessage(r io.Reader) (message, error) {
	var kind [1]byte
	if _, err := io.ReadFull(r, kind[:]); err != nil {
		return message{}, err
	}
	body, err := readBody(r)
	return message{kind[0], body}, err
}

func readBody(r io.Reader) ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return nil, err
	}
	n := int64(binary.BigEndian.Uint32(length[:])) - int64(len(length))
	if n < 0 || n > maxBody {
		return nil, fmt.Errorf("message of %d bytes", n)
	}
	body := make([]byte, n)
	_, err := io.ReadFull(r, body)
	return body, err
}

func (m message) write(w io.Writer) error {
	header := make([]byte, 0, 5)
	if m.kind != startup {
		header = append(header, m.kind)
	}
	header = binary.BigEndian.AppendUint32(header, uint32(len(m.body)+4))
	if _, err := w.Write(header); err != nil {
		return err
	}
	_, err := w.Write(m.body)
	return err
}
