package xlsx

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// Strings beyond the memory come back from the file as they were, in any order of asking, and nothing is left of the file.
func TestTableSpills(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	table := newStringTable(1 << 10)
	filler := bytes.Repeat([]byte("filler "), 1<<17)
	for table.length() < tableMemory-uint32(len(filler)) {
		if err := table.add(filler, folder); err != nil {
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
		if err := table.add([]byte(s), folder); err != nil {
			t.Fatal(err)
		}
	}
	if err := table.finish(); err != nil {
		t.Fatal(err)
	}
	if table.file == nil || len(table.text) > tableMemory {
		t.Fatalf("holds %d bytes in memory", len(table.text))
	}
	if left, err := os.ReadDir(folder); err != nil || table.remove == "" && len(left) > 0 {
		t.Errorf("the file has a name: %v, %v", left, err)
	}
	memory := []byte("before")
	for i := range want {
		i = i * 7919 % len(want)
		got, after, err := table.appendTo(memory, first+i)
		if err != nil || string(got) != want[i] || !bytes.HasPrefix(after, memory) {
			t.Fatalf("string %d is %.40q, %v, want %.40q", i, got, err, want[i])
		}
	}
	if err := table.close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if _, _, err := table.appendTo(nil, table.ends.count-1); err != nil && codeOf(err) != "" {
		t.Errorf("a file that cannot be read is the workbook's fault: %v", err)
	}
}

// No room for the temporary file is not the workbook's fault.
func TestNoTempFolder(t *testing.T) {
	t.Parallel()
	long := "<si><t>" + strings.Repeat("x", 1<<20) + "</t></si>"
	file := workbookOf(`<row><c t="s"><v>39</v></c></row>`, slices.Repeat([]string{long}, 40)).zip(t, 0)
	folder := t.TempDir()
	b, err := openBytes(t, file, Options{TempFiles: folder})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := dump(b, 1); err != nil || len(got) != 1 || len(got[0]) != len("1 A=")+1<<20 {
		t.Errorf("got %d rows, %v", len(got), err)
	}
	if _, err := read(t, file, Options{TempFiles: folder + "/none"}); err == nil || codeOf(err) != "" {
		t.Errorf("without a folder: %v", err)
	}
}

// P9: very many shared strings cost four bytes each besides their text, and are not held twice while they are read.
func TestManyStrings(t *testing.T) {
	const count = 2_000_000
	file := workbookOf("", nil).with("xl/sharedStrings.xml", "<sst>"+strings.Repeat("<si/>", count)+"</sst>").zip(t)
	made := allocated(func() {
		b, err := openBytes(t, file, Options{})
		if err == nil {
			_, err = b.Rows(1)
		}
		if err != nil {
			t.Error(err)
		}
	})
	if made > 4*count+16<<20 {
		t.Errorf("took %d KiB", made>>10)
	}
}
