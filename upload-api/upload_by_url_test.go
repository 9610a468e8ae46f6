package upload

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/receive"
)

// fileServer is another server, with files to fetch.
type fileServer struct {
	*httptest.Server
	sent atomic.Int32
}

const fetchedText = "id;名前\n1;東京\n"

func newFileServer(t *testing.T) *fileServer {
	t.Helper()
	s := &fileServer{}
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a host that is not named was reached") }))
	t.Cleanup(elsewhere.Close)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.sent.Add(1)
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/注文.csv", http.StatusFound)
		case "/away":
			http.Redirect(w, r, elsewhere.URL, http.StatusFound)
		case "/none":
			http.NotFound(w, r)
		case "/cut":
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "a\n1\n")
		case "/empty":
		case "/gzip":
			w.Header().Set("Content-Encoding", "gzip")
			packed := gzip.NewWriter(w)
			_, _ = io.WriteString(packed, fetchedText)
			_ = packed.Close()
		case "/large":
			w.Header().Set("Content-Length", "2097152")
			_, _ = w.Write(make([]byte, 2<<20))
		case "/endless":
			for range 64 { // without a length
				_, _ = w.Write(bytes.Repeat([]byte("a,b\n"), 16<<10))
			}
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, fetchedText)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *fileServer) host() string { return strings.TrimPrefix(s.URL, "http://") }

// fetching lets files be fetched from the server.
func (s *fileServer) fetching() part {
	return withSettings(func(to *Settings) { to.URL = receive.URLSettings{Hosts: []string{s.host()}} })
}

// A file that is on another server is uploaded by its address: its bytes as they are, once for a key, whatever is at the address by then.
func TestUploadByURL(t *testing.T) {
	t.Parallel()
	s := newFileServer(t)
	d := newTestAPI(t, s.fetching())
	var first, replayed, form FileAndTask
	const key = "Idempotency-Key: k"
	from := jsonOf(map[string]string{"url": s.URL + "/moved", "name": "注文.csv"})
	d.postJSON("/api/files?delimiter=%3B", from, key).into(http.StatusAccepted, &first)
	if got := string(d.blob(first.File.ID)); got != fetchedText || first.File.Name != "注文.csv" || first.File.MediaType != receive.AnyBytes {
		t.Errorf("%+v: %q", first.File, got)
	}
	hits := s.sent.Load()
	s.Close() // by the time that the answer was lost, the file may be gone
	again := d.postJSON("/api/files?delimiter=%3B", from, key)
	if again.into(http.StatusAccepted, &replayed); replayed.File.ID != first.File.ID || again.header.Get("Idempotent-Replayed") != "true" || s.sent.Load() != hits {
		t.Errorf("%+v, fetched %d times", replayed.File, s.sent.Load()-hits)
	}
	d.postJSON("/api/files", from, key).problem(problem.KeyReused) // without the option
	if n := d.count("source_file"); n != 1 {
		t.Errorf("%d files", n)
	}

	s = newFileServer(t)
	d = newTestAPI(t, s.fetching())
	values := url.Values{"url": {s.URL + "/a/b%20c.csv?secret=x"}, "delimiter": {";"}}
	d.send(http.MethodPost, "/api/files", strings.NewReader(values.Encode()), "Content-Type: application/x-www-form-urlencoded").into(http.StatusAccepted, &form)
	if form.File.Name != "b c.csv" || string(form.Task.Options) != `{"delimiter":";"}` {
		t.Errorf("%+v %s", form.File, form.Task.Options)
	}
	var notes string
	if d.query(&notes, `select jsonb_agg(f)::text from sheetdrop.source_file f`); strings.Contains(notes, "secret") {
		t.Error("the address is kept, which may have a secret")
	}
}

// Nothing is fetched but from the hosts that are named, and nothing is kept of what does not arrive whole.
func TestUploadByURLThatIsRefused(t *testing.T) {
	t.Parallel()
	s := newFileServer(t)
	d := newTestAPI(t, s.fetching())
	for from, want := range map[string]problem.Code{
		"http://evil.example/a.csv": problem.URLNotAllowed, "https://" + s.host() + ".evil.example/a.csv": problem.URLNotAllowed, "http://localhost:1/a.csv": problem.URLNotAllowed,
		"http://169.254.169.254/metadata": problem.URLNotAllowed, "file:///etc/passwd": problem.URLNotAllowed, "ftp://" + s.host() + "/a.csv": problem.URLNotAllowed,
		"http://user@" + s.host() + "/a.csv": problem.URLNotAllowed, "": problem.URLNotAllowed, "a.csv": problem.URLNotAllowed, "http://%": problem.URLNotAllowed,
		s.URL + "/away": problem.URLNotAllowed, s.URL + "/none": problem.FetchFailed, s.URL + "/cut": problem.FetchFailed, s.URL + "/gzip": problem.FetchFailed,
		s.URL + "/empty": problem.EmptyFile, s.URL + "/large": problem.TooLarge, s.URL + "/endless": problem.TooLarge, s.URL: problem.NameMissing, s.URL + "/a%0Ab": problem.InvalidName,
	} {
		p := d.postJSON("/api/files", jsonOf(map[string]string{"url": from})).problem(want)
		if strings.Contains(p.Detail, "127.0.0.1") || strings.Contains(p.Detail, "connection refused") {
			t.Errorf("%s: the answer tells what is where: %s", from, p.Detail)
		}
	}
	for _, body := range []string{`{`, `{"url":1}`, `{"url":"` + s.URL + `/a","owner":"bob"}`, `[]`} {
		d.postJSON("/api/files", body).problem(problem.InvalidBody)
	}
	d.nothingLeft()
	d.noBlobs()

	closed := newTestAPI(t)
	closed.postJSON("/api/files", `{"url":"`+s.URL+`/a.csv"}`).problem(problem.UnsupportedMediaType)
	deployed := newTestAPI(t, s.fetching(), withEasyAuth())
	hits := s.sent.Load()
	deployed.postJSON("/api/files", `{"url":"`+strings.Replace(s.URL, "http:", "https:", 1)+`/a.csv"}`, signedIn("ann")).problem(problem.URLNotAllowed)
	deployed.postJSON("/api/files", `{"url":"`+s.URL+`/a.csv"}`, signedIn("ann")).problem(problem.URLNotAllowed)
	if s.sent.Load() != hits {
		t.Error("deployed, the server's own machine was reached")
	}
	for _, host := range []string{"*", "https://a.example", "a.example/x", ""} {
		if (receive.URLSettings{Hosts: []string{host}}).Check() == nil {
			t.Errorf("%q is taken for a host", host)
		}
	}
}

// A page with an upload token cannot make the server fetch something.
func TestUploadTokenFetchesNothing(t *testing.T) {
	t.Parallel()
	s := newFileServer(t)
	d := newTestAPI(t, s.fetching(), withOrigins())
	made := d.token("", `{"origin":"`+product+`"}`, signedIn("ann"))
	d.postJSON("/api/embed/files", `{"url":"`+s.URL+`/a.csv"}`, pageOf(product, made.Token)...).problem(problem.UnsupportedMediaType)
	if s.sent.Load() != 0 {
		t.Error("something was fetched")
	}
}
