package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"sheetdrop/internal/metrics"
	"sheetdrop/internal/postgres"
)

// serveMetrics serves the metrics to this machine alone, on a port that the host does not know, and returns where, and what ends it. A
// handler that is ending may still have the port.
func serveMetrics(ctx context.Context, port int, page http.Handler, log *slog.Logger) (address string, stop func() error, err error) {
	listener, err := listen(ctx, net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), portTime, log)
	if err != nil {
		return "", nil, fmt.Errorf("serve metrics: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", ofThisMachine(page))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	go server.Serve(listener) //nolint:errcheck // until it is closed
	return listener.Addr().String(), server.Close, nil
}

// ofThisMachine refuses requests that name another host: a page in a browser on this machine can have the name of its own host lead here.
func ofThisMachine(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = strings.Trim(r.Host, "[]")
		}
		address, err := netip.ParseAddr(host)
		if host != "localhost" && (err != nil || !address.IsLoopback()) {
			http.Error(w, "metrics are for this machine alone", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// watchPools has the metrics tell how the pools of connections stand.
func watchPools(recorder *metrics.Recorder, db, heartbeats *postgres.DB) {
	for name, pool := range map[string]*postgres.DB{"main": db, "heartbeats": heartbeats} {
		recorder.Watch(name, func() metrics.Pool {
			s := pool.PoolStat()
			return metrics.Pool{
				Idle: int64(s.IdleConns()), Used: int64(s.AcquiredConns()), Max: int64(s.MaxConns()),
				Waits: s.EmptyAcquireCount(), Waited: s.EmptyAcquireWaitTime(),
			}
		})
	}
}
