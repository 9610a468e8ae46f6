package e2e_test

import (
	"strings"
	"testing"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/verify/e2e"
)

// P9: the handler keeps within the instance's memory, which the platform tells, unless somebody has set a limit that Go's runtime reads itself.
func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		settings map[string]string
		want     bool
	}{
		{map[string]string{"WEBSITE_MEMORY_LIMIT_MB": "1000", "GOMEMLIMIT": ""}, true},
		{map[string]string{"WEBSITE_MEMORY_LIMIT_MB": "1000", "GOMEMLIMIT": "500MiB"}, false},
	} {
		var log devtest.Log
		app := e2e.Prepare(t, e2e.Options{Settings: map[string]string{"LOG_LEVEL": "DEBUG"}, Output: &log})
		app.StartHandler(t, c.settings)
		if got := strings.Contains(log.String(), "734003200"); got != c.want { // 70 % of it
			t.Errorf("%v: the limit was set: %t\n%s", c.settings, got, log.String())
		}
	}
}
