package worker

import (
	"fmt"
	"net/http"

	"github.com/google/uuid"
)

// HostVersion is the version of the host whose behaviour this package follows; the handler sees it in a header.
const HostVersion = "4.1052.200"

// AddTraceParent adds a new trace context where there is none.
func AddTraceParent(header http.Header) {
	if header.Get("Traceparent") == "" {
		trace, span := uuid.New(), uuid.New()
		header.Set("Traceparent", fmt.Sprintf("00-%x-%x-00", trace[:], span[:8]))
	}
}
