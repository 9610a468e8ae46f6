package e2e_test

import (
	"os"
	"testing"

	"sheetdrop/verify/e2e"
)

func TestMain(m *testing.M) {
	if handler := os.Getenv(beHost); handler != "" {
		runAsHost(handler)
		return
	}
	e2e.Main(m)
}
