package problem

import (
	"os"
	"regexp"
	"testing"
)

// Every code has a status, and every status is an error's.
func TestCodes(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("codes.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`Code = "([a-z_]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(declared) != len(statuses) {
		t.Errorf("%d codes, %d of them with a status", len(declared), len(statuses))
	}
	for _, match := range declared {
		if status := statuses[Code(match[1])]; status < 400 || status > 599 {
			t.Errorf("%s has status %d", match[1], status)
		}
	}
}
