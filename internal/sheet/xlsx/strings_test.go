package xlsx

import (
	"slices"
	"strings"
	"testing"
)

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
