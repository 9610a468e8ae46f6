package grid

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// Strings beyond the memory come back from the file as they were, in any order of asking, and nothing is left of the file.
func TestTableSpills(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	table := NewStringTable(1 << 10)
	filler := bytes.Repeat([]byte("filler "), 1<<17)
	for table.length() < TableMemory-uint32(len(filler)) {
		if err := table.Add(filler, folder); err != nil {
			t.Fatal(err)
		}
	}
	first := table.ends.count
	var want []string
	for i := range 30_000 {
		s := fmt.Sprintf("%d %s", i, strings.Repeat("long ", i%500))
		if i%1000 == 0 {
			s = strings.Repeat(s, 10) // over several pages
		}
		want = append(want, s)
		if err := table.Add([]byte(s), folder); err != nil {
			t.Fatal(err)
		}
	}
	if err := table.Finish(); err != nil {
		t.Fatal(err)
	}
	if table.file == nil || len(table.text) > TableMemory {
		t.Fatalf("holds %d bytes in memory", len(table.text))
	}
	if left, err := os.ReadDir(folder); err != nil || table.remove == "" && len(left) > 0 {
		t.Errorf("the file has a name: %v, %v", left, err)
	}
	memory := []byte("before")
	for i := range want {
		i = i * 7919 % len(want)
		got, after, err := table.AppendTo(memory, first+i)
		if err != nil || string(got) != want[i] || !bytes.HasPrefix(after, memory) {
			t.Fatalf("string %d is %.40q, %v, want %.40q", i, got, err, want[i])
		}
	}
	if err := table.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if _, _, err := table.AppendTo(nil, table.ends.count-1); isFault(err) {
		t.Errorf("a file that cannot be read is the workbook's fault: %v", err)
	}
}

func isFault(err error) bool {
	_, ok := errors.AsType[*Error](err)
	return ok
}
