package upload

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// Large lists travel compressed to who asks for it, and mean the same; what is secret, compressed already, or has to arrive
// at once, is left alone.
func TestResponsesAreCompressedForWhoAsks(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("rows.csv", "a\n")
	sheetOf(d, taken.Task.ID, "a")
	d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, line, cells) select s.id, n, n, array['some text'] from sheetdrop.sheet s, generate_series(1, 6000) n`)
	rows := fmt.Sprintf("/api/tasks/%s/sheets/1/rows", taken.Task.ID)
	for _, path := range []string{rows + "?format=ndjson", rows + "?format=csv", rows + "?limit=10000", rows + "?limit=2000", "/api/openapi.json"} {
		plain := d.get(path, "Accept-Encoding: identity")
		if coding := plain.header.Get("Content-Encoding"); coding != "" || !varies(plain, "Accept-Encoding") {
			t.Errorf("%s: %q for who does not ask, Vary %q", path, coding, plain.header.Values("Vary"))
		}
		for accept, want := range map[string]string{"gzip": "gzip", "gzip, deflate, br, zstd": "zstd", "zstd;q=0.5, gzip": "gzip", "*": "zstd", "br": "", "gzip;q=0": ""} {
			a := d.get(path, "Accept-Encoding: "+accept)
			if coding := a.header.Get("Content-Encoding"); coding != want {
				t.Errorf("%s with Accept-Encoding %s is in %q, want %q", path, accept, coding, want)
			}
			if content := decompress(t, a); !bytes.Equal(content, plain.body) {
				t.Errorf("%s in %q has %d bytes, want %d", path, want, len(content), len(plain.body))
			}
			if want != "" && len(a.body) > len(plain.body)/3 {
				t.Errorf("%s in %s has %d of %d bytes", path, want, len(a.body), len(plain.body))
			}
		}
	}
	for _, path := range []string{rows + "?format=xlsx", "/api/files/" + taken.File.ID.String() + "/content", "/api/files/" + taken.File.ID.String()} {
		if a := d.get(path, "Accept-Encoding: gzip"); a.status != http.StatusOK || a.header.Get("Content-Encoding") != "" {
			t.Errorf("%s: %d %s", path, a.status, a.header.Get("Content-Encoding"))
		}
	}
	begun := d.send(http.MethodPost, "/api/uploads?null="+strings.Repeat("x", 90)+strings.Repeat("&null=yyyyyyyyyyyyyyyyyyyy", 1)+"&null="+strings.Repeat("z", 99),
		strings.NewReader(`{"name":"`+strings.Repeat("n", 250)+`","size_bytes":10}`), "Content-Type: application/json", "Accept-Encoding: gzip")
	if begun.status != http.StatusCreated || len(begun.body) < 1024 || begun.header.Get("Content-Encoding") != "" {
		t.Errorf("the address of an upload: %d, %d bytes in %q", begun.status, len(begun.body), begun.header.Get("Content-Encoding"))
	}
}

func varies(a answer, by string) bool {
	return strings.Contains(strings.Join(a.header.Values("Vary"), ","), by)
}

func decompress(t testing.TB, a answer) []byte {
	t.Helper()
	var from io.Reader = bytes.NewReader(a.body)
	switch a.header.Get("Content-Encoding") {
	case "gzip":
		unzipped, err := gzip.NewReader(from)
		if err != nil {
			t.Fatal(err)
		}
		from = unzipped
	case "zstd":
		unzipped, err := zstd.NewReader(from)
		if err != nil {
			t.Fatal(err)
		}
		defer unzipped.Close()
		from = unzipped
	}
	content, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
