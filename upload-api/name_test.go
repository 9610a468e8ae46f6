package upload

import (
	"net/http"
	"strings"
	"testing"
)

// A name is kept as it was sent, in Unicode NFC, however it came.
func TestNames(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	for _, test := range []struct{ query, disposition, want string }{
		{"?name=%E6%B3%A8%E6%96%87%20%E4%B8%80.csv", "", "注文 一.csv"},
		{"?name=cafe%CC%81.csv", "", "café.csv"}, // e and an accent become one character
		{"?name=%E3%82%AB%E3%82%99.csv", "", "ガ.csv"},
		{"?name=a.csv", `attachment; filename="b.csv"`, "a.csv"},
		{"", `attachment; filename="my \"best\" prices.csv"`, `my "best" prices.csv`},
		{"", `attachment; filename=prices.csv`, "prices.csv"},
		{"", `attachment; filename="x.csv"; filename*=UTF-8''%E6%B3%A8%E6%96%87.csv`, "注文.csv"},
		{"?name=" + strings.Repeat("%E3%82%A2", 255), "", strings.Repeat("ア", 255)},
	} {
		headers := []string{"Content-Type: text/csv"}
		if test.disposition != "" {
			headers = append(headers, "Content-Disposition: "+test.disposition)
		}
		var taken FileAndTask
		d.send(http.MethodPost, "/api/files"+test.query, strings.NewReader("a\n"), headers...).into(http.StatusAccepted, &taken)
		if taken.File.Name != test.want {
			t.Errorf("%s %s: %q, want %q", test.query, test.disposition, taken.File.Name, test.want)
		}
	}
}

// Any media type will do for a raw body, also none.
func TestMediaTypes(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	for sent, want := range map[string]string{
		"":                        "application/octet-stream",
		"text/csv; charset=utf-8": "text/csv",
		"Application/Vnd.OpenXMLformats-officedocument.spreadsheetml.sheet": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		"image/png":         "image/png",
		"text/csv; charset": "text/csv",
	} {
		var headers []string
		if sent != "" {
			headers = []string{"Content-Type: " + sent}
		}
		var taken FileAndTask
		d.send(http.MethodPost, "/api/files?name=a", strings.NewReader("a\n"), headers...).into(http.StatusAccepted, &taken)
		if taken.File.MediaType != want {
			t.Errorf("%q: %q, want %q", sent, taken.File.MediaType, want)
		}
	}
}
