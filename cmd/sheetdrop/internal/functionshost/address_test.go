package functionshost

import (
	"fmt"
	"net"
	"strings"
	"testing"
)

// Where another program has the usual port, people are told: the commands of the documentation would reach that program.
func TestTakenPortIsReported(t *testing.T) {
	t.Parallel()
	if other, err := net.Listen("tcp", usualAddress); err == nil {
		t.Cleanup(func() { other.Close() })
	} // else another program has it already
	var told string
	address, err := Address(func(format string, args ...any) { told = fmt.Sprintf(format, args...) }, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(told, usualAddress+" is taken by another program") || !strings.Contains(told, address) {
		t.Errorf("told %q of %s", told, address)
	}
}
