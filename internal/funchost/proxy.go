package funchost

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"time"

	"github.com/google/uuid"
)

// idleLimit ends a proxied call over which no byte has moved for so long.
const idleLimit = 240 * time.Second

var errIdle = errors.New("no byte moved in either direction for too long")

// httpTrigger passes requests on to the handler as they are, streaming both ways.
type httpTrigger struct {
	host   *Host
	routes []route
}

func (t *httpTrigger) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	t.host.requests.Add(1)
	defer t.host.requests.Done()
	for _, route := range t.routes {
		if route.matches(r) {
			t.invoke(w, r, route.function)
			return
		}
	}
	w.WriteHeader(http.StatusNotFound)
}

func (t *httpTrigger) invoke(w http.ResponseWriter, r *http.Request, function string) {
	id := uuid.NewString()
	log := t.host.config.Logger.With("function", function, "invocation_id", id)
	limit := t.host.options.maxBody
	if r.ContentLength > limit {
		log.Error("the request body is over the host's limit", "bytes", r.ContentLength, "limit", limit)
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	if r.ContentLength > 0 {
		body, err := spool(r.Body)
		if err != nil {
			log.Error("the request body could not be read", "error", err)
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		defer body.Close()
		r.Body = body
	}
	e, err := t.endpoint(r.Context())
	if err != nil {
		log.Error("no handler is ready", "error", err)
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	t.proxy(w, r, e, id, log)
}

// endpoint waits for a ready handler until the caller has gone or the host stops.
func (t *httpTrigger) endpoint(ctx context.Context) (*endpoint, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(t.host.stopping, cancel)()
	return t.host.endpoint(ctx)
}

func (t *httpTrigger) proxy(w http.ResponseWriter, r *http.Request, e *endpoint, id string, log *slog.Logger) {
	ctx, cancel := t.host.options.withFunctionTimeout(r.Context())
	defer cancel()
	ctx, activity := watchIdle(ctx, timeScale(t.host.config.TimeScale).of(idleLimit))
	defer activity.stop()
	defer func() {
		if errors.Is(context.Cause(ctx), errFunctionTimeout) {
			t.host.gate.replace(e)
		}
	}()
	proxy := httputil.ReverseProxy{
		Rewrite:       func(p *httputil.ProxyRequest) { rewrite(p, e, id, activity) },
		Transport:     e.requests,
		FlushInterval: -1, // at once
		ModifyResponse: func(answer *http.Response) error {
			activity.moved()
			if answer.StatusCode != http.StatusSwitchingProtocols {
				answer.Body = activity.watch(answer.Body)
			}
			return nil
		},
		// An error after the response has begun does not come here: it cuts the connection.
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			if r.Context().Err() == nil {
				log.Error("the invocation failed", "error", errors.Join(err, context.Cause(ctx)))
				w.WriteHeader(http.StatusInternalServerError)
			}
		},
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	_ = http.NewResponseController(w).EnableFullDuplex() // an answer may begin before the body has ended
	proxy.ServeHTTP(w, r.WithContext(ctx))
}

// rewrite addresses the caller's request to the handler. Path, query and headers stay, but for the host's own headers,
// which replace what the caller sent.
func rewrite(p *httputil.ProxyRequest, e *endpoint, id string, activity *idleWatch) {
	p.Out.URL.Scheme, p.Out.URL.Host = e.url.Scheme, e.url.Host
	p.Out.URL.RawQuery = p.In.URL.RawQuery
	p.Out.Host = ""
	p.SetXForwarded()
	p.Out.Header.Set("X-Azure-Functions-InvocationId", id)
	p.Out.Header.Set("X-Azure-Functions-HostVersion", hostVersion)
	p.Out.Header.Set("X-Ms-Invocation-Id", id)
	if p.Out.Body != nil && p.Out.Body != http.NoBody {
		p.Out.Body = activity.watch(p.Out.Body)
	}
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

// watch counts each read of body as activity.
func (i *idleWatch) watch(body io.ReadCloser) io.ReadCloser {
	return &watchedBody{ReadCloser: body, idle: i}
}

type watchedBody struct {
	io.ReadCloser
	idle *idleWatch
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.idle.moved()
	return n, err
}
