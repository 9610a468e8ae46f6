package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/pprof" // what it adds to http.DefaultServeMux nobody serves
	"strconv"
	"time"
)

// serveProfiles serves Go's profiles to this machine alone, on a port that the host does not know, and returns where, and what ends it.
func serveProfiles(port int) (address string, stop func() error, err error) {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return "", nil, fmt.Errorf("serve profiles: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener) //nolint:errcheck // until it is closed
	return listener.Addr().String(), server.Close, nil
}
