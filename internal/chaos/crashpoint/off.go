//go:build !crashpoints

package crashpoint

import (
	"net/http"

	"github.com/jackc/pgx/v5"
)

// Database watches the connections that are made with these settings.
func Database(*pgx.ConnConfig) {}

// Storage watches the calls that go through a transport.
func Storage(transport http.RoundTripper) http.RoundTripper { return transport }
