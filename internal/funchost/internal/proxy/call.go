package proxy

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"time"

	"sheetdrop/internal/funchost/internal/app"
	"sheetdrop/internal/funchost/internal/worker"
)

// idleLimit is the longest time without a byte in either direction; then a proxied call ends.
const idleLimit = 240 * time.Second

var (
	errIdle       = errors.New("no byte moved in either direction for too long")
	errClientGone = errors.New("the client has gone")
)

// call is one HTTP request on its way to a function and back.
type call struct {
	trigger  *Trigger
	endpoint *worker.Endpoint
	log      *slog.Logger
	memory   *bodyMemory

	ctx      context.Context // of the way to the handler; it may outlast the client's request
	cancel   context.CancelCauseFunc
	activity *idleWatch
}

// forwarding prepares the handler's request.
func (c *call) forwarding(r *http.Request, where target, content io.Reader, header http.Header) forwarding {
	c.ctx, c.cancel = context.WithCancelCause(c.endpoint.Life)
	scale := c.trigger.Scale
	c.ctx, c.activity = watchIdle(c.ctx, scale.Of(idleLimit))
	if r.ContentLength == 0 {
		return newForwarding(r, c.endpoint, where, header, nil, scale)
	}
	body := &forwardedBody{Reader: content, moved: func(int) { c.activity.moved() }, failed: func(err error) {
		if !errors.As(err, new(*http.MaxBytesError)) && !errors.Is(err, errSlowBody) {
			c.cancel(errClientGone)
		}
	}}
	if r.ContentLength < 0 {
		body.moved = func(bytes int) {
			c.activity.moved()
			c.memory.passed(bytes)
		}
	}
	return newForwarding(r, c.endpoint, where, header, body, scale)
}

// run forwards the request and passes the answer on. At functionTimeout the client gets 500 and the handler is killed; a request
// without body is then sent to the next handler all the same, and the answer is discarded.
func (c *call) run(w http.ResponseWriter, r *http.Request, f forwarding) {
	unfollow := context.AfterFunc(r.Context(), func() { c.cancel(errClientGone) })
	defer unfollow()
	timeout, stop := c.trigger.Options.WithFunctionTimeout(context.Background())
	defer stop()
	defer context.AfterFunc(timeout, func() { c.trigger.Gate.Replace(c.endpoint) })()
	answered, abandoned := make(chan forwarded), make(chan struct{})
	defer close(abandoned)
	c.trigger.Requests.Go(func() { c.send(f, answered, abandoned) })
	select {
	case got := <-answered:
		c.pass(w, got)
	case <-timeout.Done():
		unfollow()
		if f.body != nil {
			c.cancel(app.ErrFunctionTimeout)
		}
		c.log.Error("the invocation failed", "error", app.ErrFunctionTimeout)
		fail(w, http.StatusInternalServerError)
	}
}

// forwarded is the result of a forwarding: an answer or an error.
type forwarded struct {
	answer *http.Response
	err    error
}

// send hands the answer to answered unless abandoned, which ends it, is closed before.
func (c *call) send(f forwarding, answered chan<- forwarded, abandoned <-chan struct{}) {
	defer c.endpoint.CloseIfReplaced(c.trigger.Gate)
	defer c.activity.stop()
	defer c.cancel(nil)
	answer, err := f.send(c.ctx)
	if err == nil {
		defer answer.Body.Close()
	}
	select {
	case answered <- forwarded{answer, err}:
		<-abandoned
	case <-abandoned:
	}
}

// pass answers the client with the result of the forwarding.
func (c *call) pass(w http.ResponseWriter, got forwarded) {
	begun, err := false, got.err
	if err == nil {
		begun, err = c.copy(w, got.answer)
	}
	switch {
	case err == nil:
		return
	case errors.Is(context.Cause(c.ctx), errClientGone), errors.Is(err, errClientGone):
		c.log.Info("the client has gone")
	default:
		c.log.Error("the invocation failed", "error", errors.Join(err, context.Cause(c.ctx)))
	}
	if begun {
		reset(w)
	} else {
		fail(w, http.StatusInternalServerError)
	}
}

// copy streams an answer to the client, and reports whether its header has been sent.
func (c *call) copy(w http.ResponseWriter, answer *http.Response) (begun bool, err error) {
	c.activity.moved()
	header, ok := answerHeader(answer)
	if !ok {
		return false, errors.New("invalid non-ASCII or control character in a header of the answer")
	}
	maps.Copy(w.Header(), header)
	w.WriteHeader(answer.StatusCode)
	control := http.NewResponseController(w)
	if answer.ContentLength < 0 {
		_ = control.Flush()
	}
	for buffer := make([]byte, 32<<10); ; {
		n, err := answer.Body.Read(buffer)
		c.activity.moved()
		if n > 0 {
			_, writeErr := w.Write(buffer[:n])
			if writeErr = errors.Join(writeErr, control.Flush()); writeErr != nil {
				return true, errors.Join(errClientGone, writeErr)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return true, nil
		case err != nil:
			return true, err
		}
	}
}

// reset closes the client's connection so that it cannot take what it has got for a whole answer.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // closes it as well
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// idleWatch cancels a call with errIdle when nothing has moved for its limit.
type idleWatch struct {
	timer *time.Timer
	limit time.Duration
}

func watchIdle(ctx context.Context, limit time.Duration) (context.Context, *idleWatch) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, &idleWatch{limit: limit, timer: time.AfterFunc(limit, func() { cancel(errIdle) })}
}

func (i *idleWatch) stop()  { i.timer.Stop() }
func (i *idleWatch) moved() { i.timer.Reset(i.limit) }
