package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// The password of a workbook comes from a file or standard input, and is never printed.
func TestPasswordComesFromAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	book, good, bad := filepath.Join(dir, "book.xlsx"), filepath.Join(dir, "good"), filepath.Join(dir, "bad")
	f := excelize.NewFile()
	err := errors.Join(f.SetCellValue("Sheet1", "A1", "id"), f.SetCellValue("Sheet1", "A2", 7),
		f.SaveAs(book, excelize.Options{Password: "open sesame"}), f.Close(),
		os.WriteFile(good, []byte("open sesame\r\n"), 0o600), os.WriteFile(bad, []byte("open barley\n"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		in, flag  string
		status    int
		out, says string
	}{
		{"", "--password-file=" + good, 0, "id\r\n7\r\n", ""},
		{"open sesame", "--password-file=-", 0, "id\r\n7\r\n", ""},
		{"", "--password-file=" + bad, 1, "", "(wrong_password)"},
		{"", "--header=1", 1, "", "(encrypted)"},
		{strings.Repeat("x", 5000), "--password-file=-", 2, "", "more than"},
	} {
		status, p := runOn(t, c.in, "parse", "--format=csv", c.flag, book)
		said := p.progress.String()
		if status != c.status || p.out.String() != c.out || !strings.Contains(said, c.says) || strings.Contains(said, "barley") {
			t.Errorf("%s: exit status %d, %q, %q", c.flag, status, p.out, said)
		}
	}
}
