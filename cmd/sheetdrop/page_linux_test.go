package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"sheetdrop/cmd/sheetdrop/internal/instance"
)

// testPage does what a browser does for a page of the API's own origin that puts a block into the store: it asks first, and then may. For
// pages of other origins, other methods and other headers it may not.
func testPage(t *testing.T, running instance.Addresses) {
	t.Parallel()
	origin := strings.TrimSuffix(running.APIURL, "/api")
	block := beginOnPage(t, running.APIURL, origin) + "&comp=block&blockid=MDAwMDAwMDAwMDAw"
	const headers = "content-md5,content-type,x-ms-content-crc64"
	for what, c := range map[string]struct {
		origin, method, headers string
		allowed                 bool
	}{
		"a page of its own":           {origin, http.MethodPut, headers, true},
		"the same under a name":       {strings.Replace(origin, "127.0.0.1", "localhost", 1), http.MethodPut, headers, false},
		"a page of another port":      {"http://127.0.0.1:1", http.MethodPut, headers, false},
		"a page of another host":      {"https://evil.example", http.MethodPut, headers, false},
		"a file":                      {"null", http.MethodPut, headers, false},
		"a page that reads":           {origin, http.MethodGet, "", false},
		"a page that deletes":         {origin, http.MethodDelete, "", false},
		"a page with rights":          {origin, http.MethodPut, "authorization", false},
		"a page that writes as Azure": {origin, http.MethodPut, "x-ms-blob-type", false},
	} {
		asked := askStore(t, http.MethodOptions, block, "", "Origin", c.origin, "Access-Control-Request-Method", c.method,
			"Access-Control-Request-Headers", c.headers)
		allowed := asked.StatusCode == http.StatusOK && asked.Header.Get("Access-Control-Allow-Origin") == c.origin &&
			strings.EqualFold(asked.Header.Get("Access-Control-Allow-Headers"), c.headers) &&
			asked.Header.Get("Access-Control-Allow-Methods") == c.method
		if allowed != c.allowed {
			t.Errorf("%s: %s %v, want it allowed: %t", what, asked.Status, asked.Header, c.allowed)
		}
	}

	put := askStore(t, http.MethodPut, block, "a\n", "Origin", origin, "Content-MD5", "YLcl8QychccNl4gN/oGRsw==", "Content-Type", "text/csv")
	if put.StatusCode != http.StatusCreated || put.Header.Get("Access-Control-Allow-Origin") != origin {
		t.Errorf("the block: %s %v", put.Status, put.Header)
	}
	shown := strings.ToLower(put.Header.Get("Access-Control-Expose-Headers"))
	want(t, shown, "content-md5", "x-ms-content-crc64", "x-ms-error-code", "x-ms-request-id")
	if other := askStore(t, http.MethodPut, block, "a\n", "Origin", "https://evil.example"); other.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("the answer is shown to another page: %v", other.Header)
	}
}

// beginOnPage begins an upload of two bytes as a page of that origin does, and returns its address.
func beginOnPage(t *testing.T, api, origin string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, api+"/uploads", strings.NewReader(`{"name":"a.csv","size_bytes":2}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", origin)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var begun struct{ Address struct{ URL string } }
	if err := json.NewDecoder(answer.Body).Decode(&begun); err != nil || answer.StatusCode != http.StatusCreated {
		t.Fatalf("the upload: %s, %v", answer.Status, err)
	}
	return begun.Address.URL
}

// askStore sends a request to the store, with headers as name and value in turn; empty ones are left out.
func askStore(t *testing.T, method, url, body string, headers ...string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer
}
