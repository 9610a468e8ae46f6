package proxy

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// target is a request's path and query as the real host passes them on. Kestrel decodes the path, but for %2F and for what
// is not UTF-8, and resolves its dots; YARP encodes it again, with each % that was left.
type target struct {
	path  string // decoded
	query string // as the client sent it, with its question mark
}

// parseTarget reads a request target; false means that the real host refuses it: for a NUL, or for a character that is not
// ASCII (by Kestrel's source, Http1Connection.OnOriginFormTarget).
func parseTarget(requestURI string) (target, bool) {
	if strings.ContainsFunc(requestURI, func(r rune) bool { return r > unicode.MaxASCII }) {
		return target{}, false
	}
	escaped, query, hasQuery := strings.Cut(requestURI, "?")
	if hasQuery {
		query = "?" + query
	}
	path, ok := decodePath(escaped)
	return target{path: resolveDots(path), query: query}, ok
}

func (t target) String() string {
	return escape(t.path, "!$&'()*+,;=:@/") + escape(t.query, "!$&'()*+,;=:@/?[]%")
}

// decodePath fails at %00.
func decodePath(escaped string) (string, bool) {
	var path strings.Builder
	for rest := escaped; rest != ""; {
		encoded := leadingEscapes(rest)
		switch r, size := utf8.DecodeRune(encoded); {
		case len(encoded) == 0:
			path.WriteByte(rest[0])
			rest = rest[1:]
		case r == 0:
			return "", false
		case r == '/', r == utf8.RuneError && size == 1: // stay as they are
			path.WriteString(rest[:3])
			rest = rest[3:]
		default:
			path.WriteRune(r)
			rest = rest[3*size:]
		}
	}
	return path.String(), true
}

// leadingEscapes returns the bytes of the percent escapes that s begins with, at most those of one character.
func leadingEscapes(s string) []byte {
	var decoded []byte
	for ; len(decoded) < utf8.UTFMax && isEscape(s); s = s[3:] {
		var b byte
		_, _ = fmt.Sscanf(s[1:3], "%02x", &b)
		decoded = append(decoded, b)
	}
	return decoded
}

func isEscape(s string) bool {
	return len(s) >= 3 && s[0] == '%' && strings.Trim(s[1:3], "0123456789abcdefABCDEF") == ""
}

// resolveDots removes the segments . and .. (RFC 3986, 5.2.4); empty segments stay.
func resolveDots(path string) string {
	var kept []string
	segments := strings.Split(path, "/")
	for i, s := range segments {
		switch {
		case s == ".." && len(kept) > 1:
			kept = kept[:len(kept)-1]
		case s != "." && s != "..":
			kept = append(kept, s)
			continue
		}
		if i == len(segments)-1 {
			kept = append(kept, "")
		}
	}
	return strings.Join(kept, "/")
}

// escape encodes all but unreserved characters and those in keep. Where % is one of these, only escapes keep theirs.
func escape(s, keep string) string {
	const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	var escaped strings.Builder
	for i, b := range []byte(s) {
		if strings.IndexByte(unreserved, b) >= 0 || strings.IndexByte(keep, b) >= 0 && (b != '%' || isEscape(s[i:])) {
			escaped.WriteByte(b)
		} else {
			fmt.Fprintf(&escaped, "%%%02X", b)
		}
	}
	return escaped.String()
}
