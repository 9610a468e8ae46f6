//go:build crashpoints

package crashpoint

import (
	"context"
	"encoding/binary"
	"net"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
)

// Database watches the connections that are made with these settings. They must not be encrypted.
func Database(config *pgx.ConnConfig) {
	if config.Tracer == nil {
		config.Tracer = tracer{}
	} else {
		config.Tracer = multitracer.New(config.Tracer, tracer{})
	}
	dial := config.DialFunc
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &lossyConn{Conn: conn}, nil
	}
}

// tracer sees every statement before it is sent and after its answer has been read. Effects are those that nothing can take back: COMMIT,
// and statements that change something outside of a transaction.
type tracer struct{}

type effectKey struct{}

func (tracer) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	const idle = 'I'
	if data.SQL != "commit" && (conn.PgConn().TxStatus() != idle || !Changes(data.SQL)) {
		return ctx
	}
	effect := name()
	reach(ctx, effect)
	conn.PgConn().Conn().(*lossyConn).effect = effect
	return context.WithValue(ctx, effectKey{}, effect)
}

func (tracer) TraceQueryEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryEndData) {
	effect, ok := ctx.Value(effectKey{}).(string)
	if !ok {
		return
	}
	conn.PgConn().Conn().(*lossyConn).effect = ""
	if data.Err == nil {
		passed(effect)
	}
}

// lossyConn is a connection that can break when a statement has taken effect and its answer is there. The server sends an answer of less
// than 8 KiB all at once, after the commit.
type lossyConn struct {
	net.Conn
	effect string // the statement that is on its way, or ""
	sent   bool   // it is not being prepared any more
}

// Write sees whole messages, as pgproto3 writes them.
func (c *lossyConn) Write(p []byte) (int, error) {
	c.sent = c.effect != "" && executes(p)
	return c.Conn.Write(p)
}

func (c *lossyConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil || !c.sent || !loses(c.effect) {
		return n, err
	}
	_ = c.Close()
	return 0, errLost
}

// executes reports whether a Query or Execute message is among those in p: what goes before it only prepares.
// Source: https://www.postgresql.org/docs/current/protocol-message-formats.html
func executes(p []byte) bool {
	const kind, length = 1, 4
	for len(p) >= kind+length {
		if p[0] == 'Q' || p[0] == 'E' {
			return true
		}
		p = p[min(len(p), kind+int(binary.BigEndian.Uint32(p[kind:]))):]
	}
	return false
}
