package proxy

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// Kestrel's limits, in bytes and lines.
const (
	longestRequestLine = 8 << 10
	mostHeaders        = 100
	mostHeaderBytes    = 32 << 10
)

// refusal is the status with which the real host answers a request before it looks for a function, 0 for none.
func refusal(r *http.Request) int {
	const space, lineEnd = 1, 2
	if len(r.Method)+space+len(r.RequestURI)+space+len(r.Proto)+lineEnd > longestRequestLine {
		return http.StatusRequestURITooLong
	}
	lines, size := 0, 0
	count := func(name, value string) {
		lines++
		size += len(name) + len(": ") + len(value) + lineEnd
	}
	for name, values := range r.Header {
		for _, value := range values {
			count(name, value)
		}
	}
	if r.Host != "" { // net/http takes it out of the headers
		count("Host", r.Host)
	}
	switch {
	case lines > mostHeaders || size > mostHeaderBytes:
		return http.StatusRequestHeaderFieldsTooLarge
	case !strings.HasPrefix(r.RequestURI, "/") && r.RequestURI != "*": // an absolute URL must name the same host as Host, which net/http drops
		return http.StatusBadRequest
	case r.Host == "": // HTTP/1.0; the forwarder fails without
		return http.StatusInternalServerError
	}
	return 0
}

// refuse answers without a body and closes the connection.
func refuse(w http.ResponseWriter, status int) {
	w.Header().Set("Connection", "close")
	fail(w, status)
}

// fail answers without a body.
func fail(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(status)
}

// drainTime is how long Kestrel reads a body after the answer.
const drainTime = 5 * time.Second

// drain reads what a client is still sending after the answer. Otherwise the client would fail to send and never read the answer.
func drain(w http.ResponseWriter, body io.Reader) {
	control := http.NewResponseController(w)
	_ = control.Flush()
	_ = control.SetReadDeadline(time.Now().Add(drainTime))
	_, _ = io.Copy(io.Discard, body)
}
