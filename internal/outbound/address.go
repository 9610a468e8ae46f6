package outbound

import (
	"net/netip"
	"slices"
)

// reserved are the ranges of public appearance that lead to this network, to the platform, or nowhere.
// Source: IANA's registries of special-purpose addresses for IPv4 and IPv6; Microsoft Learn, "What is IP address 168.63.129.16?".
var reserved = prefixes(
	"0.0.0.0/8",         // this host on this network
	"100.64.0.0/10",     // shared by carriers
	"168.63.129.16/32",  // the platform's own services, in each virtual network of Azure
	"192.0.0.0/24",      // protocol assignments
	"192.0.2.0/24",      // documentation
	"192.88.99.0/24",    // relays from IPv6
	"198.18.0.0/15",     // benchmarks
	"198.51.100.0/24",   // documentation
	"203.0.113.0/24",    // documentation
	"240.0.0.0/4",       // reserved, and broadcast
	"2001::/23",         // protocol assignments, tunnels among them
	"2001:db8::/32",     // documentation
	"2002::/16",         // has an IPv4 address inside
	"3fff::/20",         // documentation
	"2620:4f:8000::/48", // delegated to nobody
)

// public6 are the IPv6 addresses that are routed at all: others, such as 64:ff9b::/96, translate to IPv4 or are private.
var public6 = netip.MustParsePrefix("2000::/3")

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// Public reports whether an address is one of the public internet. An IPv4 address in IPv6's form is judged as what it is.
func Public(ip netip.Addr) bool {
	ip = ip.Unmap()
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.Is6() && !public6.Contains(ip) {
		return false
	}
	return !slices.ContainsFunc(reserved, func(p netip.Prefix) bool { return p.Contains(ip) })
}
