package app

import (
	"strings"
	"testing"
)

// The short form of the emulator's connection string is understood, whatever its case.
func TestDevelopmentStorageIsTheEmulator(t *testing.T) {
	t.Parallel()
	if got := expandDevelopmentStorage("usedevelopmentstorage=true;"); !strings.Contains(got, "QueueEndpoint=http://127.0.0.1:10001/") {
		t.Error(got)
	}
	if got := expandDevelopmentStorage("AccountName=x"); got != "AccountName=x" {
		t.Error(got)
	}
}
