package azure_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"sheetdrop/internal/azure"
)

// What is noted with a blob comes back as it was, however the blob is sent, and up to the size that is promised.
func TestNotes(t *testing.T) {
	t.Parallel()
	blobs, _, _ := open(t)
	note := strings.Repeat("aA+/=", azure.MaxNote/5)
	for name, size := range map[string]int{"2026/01/01/small": 1, "2026/01/01/of-blocks": 9 << 20} {
		if err := blobs.Upload(t.Context(), name, bytes.NewReader(make([]byte, size)), azure.WithNote(note)); err != nil {
			t.Fatal(err)
		}
	}
	for _, without := range []string{"2026/01/01/without", "2026/01/02/another-day"} {
		if err := blobs.Upload(t.Context(), without, strings.NewReader("x"), azure.WithNote("")); err != nil {
			t.Fatal(err)
		}
	}
	var found []string
	for marker, more := "", true; more; more = marker != "" {
		page, next, err := blobs.ListNotes(t.Context(), "2026/01/01/", marker, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range page {
			found = append(found, fmt.Sprint(b.Name, " ", b.SizeBytes, " ", b.Note == note, " ", b.Note == "", " ", b.ModifiedAt.IsZero()))
		}
		marker = next
	}
	want := "[2026/01/01/of-blocks 9437184 true false false 2026/01/01/small 1 true false false 2026/01/01/without 1 false true false]"
	if fmt.Sprint(found) != want {
		t.Errorf("found are %v, want %s", found, want)
	}
}
