package outbound

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// Connections say what a transport may connect to, and for how long it tries.
type Connections struct {
	// Allowed judges the address that a name was resolved to. IPv4 in the form of IPv6 is unmapped.
	Allowed  func(netip.Addr) bool
	Connect  time.Duration // for the connection, and then for the TLS handshake
	Header   time.Duration // from the end of the request to the end of the response's header
	Resolver *net.Resolver // nil: the system's
	Roots    *x509.CertPool
}

// Transport returns a transport that connects to allowed addresses and to no others; otherwise a request fails with ErrRefused. The address
// is checked right before it is connected to, so that a name cannot change in between, and each connection serves one request. It uses no
// proxy and neither asks for nor unpacks a compressed response.
func Transport(c Connections) *http.Transport {
	dialer := &net.Dialer{Timeout: c.Connect, Control: c.control, Resolver: c.Resolver}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{RootCAs: c.Roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    c.Connect,
		ResponseHeaderTimeout:  c.Header,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true,
		DisableKeepAlives:      true,
	}
}

// control is called with the address that is about to be connected to, after the name was resolved.
func (c Connections) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %s", ErrRefused, address)
	}
	if !c.Allowed(to.Addr().Unmap()) {
		return fmt.Errorf("%w: its name leads to an address that may not be reached", ErrRefused)
	}
	return nil
}
