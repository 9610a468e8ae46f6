package proxy

import (
	"net"
	"net/http"
	"slices"
	"strings"

	"sheetdrop/internal/funchost/internal/worker"
)

// notForwarded are the headers that YARP keeps from passing in either direction, whatever Connection names.
var notForwarded = []string{
	"Connection", "Transfer-Encoding", "Keep-Alive", "Upgrade", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authentication-Info",
	"Proxy-Authorization", "Proxy-Features", "Proxy-Instruction", "Security-Scheme", "Alpn", "Close", "Http2-Settings",
	"Upgrade-Insecure-Requests", "Te", "Alt-Svc",
}

// replaced are the headers of a request that the host writes itself or drops.
var replaced = []string{
	"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Prefix", "Forwarded", "Content-Length",
}

// forwardedHeader returns the header of the request to the handler. A header that came in several lines comes in one. The
// caller's X-Azure-Functions-* are replaced; its X-Ms-Invocation-Id is not.
func forwardedHeader(r *http.Request, invocationID string, traced bool) http.Header {
	header := http.Header{"User-Agent": nil} // none of the transport's
	for name, values := range r.Header {
		separator := ", "
		if name == "Cookie" {
			separator = "; "
		}
		if !slices.Contains(notForwarded, name) && !slices.Contains(replaced, name) {
			header.Set(name, strings.Join(values, separator))
		}
	}
	if upgrade := r.Header.Get("Upgrade"); strings.EqualFold(upgrade, "websocket") {
		header.Set("Connection", "Upgrade")
		header.Set("Upgrade", upgrade)
	}
	header.Set("X-Azure-Functions-InvocationId", invocationID)
	header.Set("X-Azure-Functions-HostVersion", worker.HostVersion)
	if header.Get("X-Ms-Invocation-Id") == "" {
		header.Set("X-Ms-Invocation-Id", invocationID)
	}
	client, _, _ := net.SplitHostPort(r.RemoteAddr)
	header.Set("X-Forwarded-For", client)
	header.Set("X-Forwarded-Host", r.Host)
	header.Set("X-Forwarded-Proto", "http")
	if traced {
		worker.AddTraceParent(header)
	}
	return header
}

// answerHeader returns the header of the answer to the client; false means that the real host cannot send it.
func answerHeader(answer *http.Response) (http.Header, bool) {
	header := http.Header{"Content-Type": nil} // none that net/http guesses
	for name, values := range answer.Header {
		if !slices.Contains(notForwarded, name) {
			header[name] = values
		}
	}
	for name := range answer.Trailer { // announced still, although no trailer is passed on
		header.Add("Trailer", name)
	}
	return header, isASCII(header)
}

func isASCII(header http.Header) bool {
	for _, values := range header {
		for _, value := range values {
			if strings.ContainsFunc(value, func(r rune) bool { return r > 0x7e }) {
				return false
			}
		}
	}
	return true
}
