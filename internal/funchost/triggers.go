package funchost

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"sheetdrop/internal/funchost/internal/proxy"
	"sheetdrop/internal/funchost/internal/trigger"
	"sheetdrop/internal/funchost/internal/worker"
)

// serveTriggers prepares the HTTP server and the listeners for the app's functions.
func (h *Host) serveTriggers() error {
	routes, err := proxy.NewRoutes(h.functions, h.options.RoutePrefix)
	if err != nil {
		return err
	}
	if len(routes) > 0 && !h.options.Proxying {
		return errors.New("host.json: only customHandler.enableProxyingHttpRequest is supported here, and it is off")
	}
	h.newServer = func() *http.Server {
		return &http.Server{
			Handler:                      h.httpTrigger(routes),
			ReadHeaderTimeout:            30 * time.Second,
			DisableGeneralOptionsHandler: true, // OPTIONS * has no function
			ErrorLog:                     slog.NewLogLogger(h.config.Logger.Handler(), slog.LevelWarn),
		}
	}
	common := trigger.Host{
		ID: h.settings.HostID(h.config.Root), Options: h.options, Settings: h.settings, Scale: h.scale(), Log: h.config.Logger,
		Storage: h.storage, Faults: *h.config.Faults,
	}
	for _, f := range h.functions {
		var l trigger.Listener
		switch {
		case f.Is("timerTrigger"):
			l, err = trigger.NewTimer(common, f)
		case f.Is("queueTrigger"):
			l, err = trigger.NewQueue(common, f)
		default:
			continue
		}
		if err != nil {
			return fmt.Errorf("%s/function.json: %w", f.Name, err)
		}
		h.listeners = append(h.listeners, l)
	}
	return nil
}

func (h *Host) httpTrigger(routes []proxy.Route) *proxy.Trigger {
	return &proxy.Trigger{
		Routes: routes, Options: h.options, Scale: h.scale(), Log: h.config.Logger, Traced: h.settings.Traced(),
		Homepage: h.settings.Homepage(), Memory: &h.memory, Gate: h.gate, Endpoint: h.endpoint, Stopping: h.stopping, Requests: &h.requests,
	}
}

func (h *Host) workerConfig() worker.Config {
	return worker.Config{
		Root: h.config.Root, Options: h.options, Settings: h.settings, Scale: h.scale(), Log: h.config.Logger,
		HandlerOutput: h.config.HandlerOutput, OnHandlerStart: h.config.OnHandlerStart,
	}
}

// seenByListeners returns the life as the listeners see it.
func (l *life) seenByListeners() trigger.Life {
	caller := trigger.Caller{
		Options: l.host.options, Log: l.host.config.Logger, Traced: l.host.settings.Traced(), Gate: l.host.gate, Endpoint: l.host.endpoint,
	}
	invoke := func(function string, body trigger.Envelope) error { return caller.Invoke(l.calls, function, body) }
	return trigger.Life{Listening: l.listening, Calls: l.calls, Invoke: invoke, Crash: l.crash}
}
