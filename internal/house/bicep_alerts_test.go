package house

import (
	"path/filepath"
	"slices"
	"testing"
)

// Each alert has its line in the runbook, which tells the one who is woken up what to do.
func TestAlertsAreExplained(t *testing.T) {
	t.Parallel()
	templates := bicepFiles(t, ".bicep")
	names := append(submatches(`^    name: '([\w-]+)'`, templates["modules/log-alerts.bicep"]),
		submatches(`^ {6,10}name: '([\w-]+)'`, templates["modules/metric-alerts.bicep"])...)
	if len(names) < 15 {
		t.Fatalf("only %q were found", names)
	}
	explained := matches(t, "`([\\w-]+)`", filepath.Join("docs", "deploy.md"))
	for _, name := range names {
		if !slices.Contains(explained, name) {
			t.Errorf("docs/deploy.md does not say what to do when %s comes", name)
		}
	}
}
