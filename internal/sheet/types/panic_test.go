package types

import (
	"strings"
	"testing"
)

// What goes wrong while a batch is looked at reaches the caller, who can recover from it, and says where it went wrong.
func TestPanicReachesTheCaller(t *testing.T) {
	t.Parallel()
	table := NewTable(1)
	table.columns[0].recent = nil
	defer func() {
		err, _ := recover().(error)
		if err == nil || !strings.Contains(err.Error(), "batch.go") {
			t.Errorf("the caller got %v", err)
		}
	}()
	for i := range 2*batchRows + 1 {
		table.Add(int64(i), [][]byte{[]byte("x")})
	}
	t.Error("nothing went wrong")
}
