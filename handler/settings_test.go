package main

import (
	"encoding/json"
	"maps"
	"os"
	"testing"

	"github.com/caarlos0/env/v11"

	"sheetdrop/internal/sheet"
)

// Without settings the limits are the engine's own, and those that the example of local settings shows are the same.
func TestLimitsAreTheEngines(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../local.settings.json.example")
	if err != nil {
		t.Fatal(err)
	}
	var example struct{ Values map[string]string }
	if err := json.Unmarshal(text, &example); err != nil {
		t.Fatal(err)
	}
	needed := map[string]string{
		"FUNCTIONS_CUSTOMHANDLER_PORT": "7071", "AUTH": "local", "DATA_STORAGE": "x", "BLOB_CONTAINER": "x", "PARSE_QUEUE": "x",
	}
	full := maps.Clone(needed)
	maps.Copy(full, example.Values)
	for name, values := range map[string]map[string]string{"none": needed, "the example's": full} {
		s, err := env.ParseAsWithOptions[settings](env.Options{Environment: values})
		if err != nil {
			t.Fatal(err)
		}
		if got := sheet.Limits(s.Worker.Limits); got != sheet.DefaultLimits() {
			t.Errorf("with %s: %+v, want %+v", name, got, sheet.DefaultLimits())
		}
	}
}
