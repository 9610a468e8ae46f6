// Package acceptencoding reads which codings of content a client accepts (RFC 9110, 12.5.3).
package acceptencoding

import (
	"net/http"
	"strconv"
	"strings"
)

// Quality returns how much a request wants a content coding, by its name or by the weight of all others: from 0 to 1. What is not named is
// not wanted: who does not ask may be unable to read it.
func Quality(header http.Header, coding string) (quality float64) {
	for listed := range strings.SplitSeq(strings.Join(header.Values("Accept-Encoding"), ","), ",") {
		name, parameters, _ := strings.Cut(listed, ";")
		name = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "x-") // x-gzip is gzip (8.4.1)
		if name != coding && name != "*" {
			continue
		}
		weight := 1.0
		if q, ok := strings.CutPrefix(strings.ToLower(strings.ReplaceAll(parameters, " ", "")), "q="); ok {
			weight, _ = strconv.ParseFloat(q, 64)
		}
		if name == coding {
			return weight
		}
		quality = weight
	}
	return quality
}
